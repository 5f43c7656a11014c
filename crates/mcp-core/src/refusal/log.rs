//! What the log says of a refusal.

use super::Refusal;
use std::fmt::{self, Write as _};

impl Refusal {
    /// Writes the one line of the log that says why a message is refused, at the level `debug`.
    ///
    /// Where there is a reason, the line has that and the names of ours only, nothing that the peer wrote.
    pub(crate) fn log(&self) {
        let key = match self {
            Self::MissingMeta(key) | Self::InvalidMeta { key, .. } => Some(*key),
            Self::Header { header, .. } => Some(&**header),
            _ => None,
        };
        match self.reason() {
            Some(reason) => tracing::debug!(reason = reason.as_str(), key, "a message is refused"),
            None => tracing::debug!(refusal = %Clipped(self), "a message is refused"),
        }
    }
}

/// A refusal for the log, cut to a length that a line can bear: what the peer wrote may be part of it.
struct Clipped<'a>(&'a Refusal);

impl fmt::Display for Clipped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Passes on what there is room for, and fails when there is more.
        struct Room<'a, 'f>(&'a mut fmt::Formatter<'f>, usize);

        impl fmt::Write for Room<'_, '_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                for character in text.chars() {
                    self.1 = self.1.checked_sub(1).ok_or(fmt::Error)?;
                    self.0.write_char(character)?;
                }
                Ok(())
            }
        }

        // Whether all of it was written or not, the line is what it is.
        let _ = write!(Room(formatter, 512), "{:?}", self.0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_log_is_of_bounded_length() {
        let line = Clipped(&Refusal::UnknownTool("\u{1}é".repeat(1_000_000).into())).to_string();
        assert_eq!(line.chars().count(), 512);
        assert_eq!(Clipped(&Refusal::UnknownTool("a".into())).to_string(), "UnknownTool(\"a\")");
    }
}
