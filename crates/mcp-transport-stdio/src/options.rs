//! Settings of the byte-stream transport, and why it may fail.

use mcp_core::principal::Principal;
use std::{fmt, io, ops::RangeInclusive, time::Duration};
use thiserror::Error;

/// The settings of a byte-stream connection; all have defaults.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "settings are written with `..StdioOptions::default()`")]
pub struct StdioOptions {
    /// The bytes of one incoming line, 1,024 to 1,073,741,824; 16 MiB by default.
    ///
    /// A longer line is answered with one parse error and skipped. The server bounds the text of a message once
    /// more (`limits.message`), so the lower of the two holds.
    pub line_bytes: usize,
    /// How long requests in flight may go on after the end, 0 to 1 hour; 5 s by default.
    pub grace: Duration,
    /// Whom the requests are made for: a stream carries no credentials of its own.
    pub principal: Option<Principal>,
    /// The connections of a socket that are open at once, 1 to 1,000,000; 1,024 by default.
    pub connections: usize,
}

impl Default for StdioOptions {
    fn default() -> Self {
        Self {
            line_bytes: 16 * 1024 * 1024,
            grace: Duration::from_secs(5),
            principal: None,
            connections: 1_024,
        }
    }
}

impl StdioOptions {
    /// Checks that every setting lies in its range.
    ///
    /// # Errors
    /// An [`OptionFault`] that names the first setting outside its range.
    pub fn check(&self) -> Result<(), OptionFault> {
        within("line_bytes", self.line_bytes, 1_024..=1 << 30)?;
        within("grace", self.grace, Duration::ZERO..=Duration::from_secs(3_600))?;
        within("connections", self.connections, 1..=1_000_000)
    }
}

fn within<T: Copy + PartialOrd + fmt::Debug>(
    setting: &'static str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), OptionFault> {
    if range.contains(&value) {
        return Ok(());
    }
    let reason = format!("{value:?} is outside {:?} to {:?}", range.start(), range.end());
    Err(OptionFault { setting, reason: reason.into_boxed_str() })
}

/// A setting outside its range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{setting}`: {reason}")]
#[non_exhaustive]
pub struct OptionFault {
    /// The field of [`StdioOptions`].
    pub setting: &'static str,
    /// What is wrong with its value, and the range.
    pub reason: Box<str>,
}

/// Why a byte stream could not be served.
///
/// Neither the end of the input nor a reader that went away is an error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StdioError {
    /// A setting is outside its range.
    #[error("a setting is not acceptable")]
    Options(#[from] OptionFault),
    /// The standard streams could not be taken over.
    #[error("the standard streams cannot be taken over")]
    Streams(#[source] io::Error),
    /// Reading failed with something other than the end; what was in flight has been finished.
    #[error("the input cannot be read")]
    Read(#[source] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_acceptable_and_a_fault_names_its_setting() {
        assert_eq!(StdioOptions::default().check(), Ok(()));
        let short = StdioOptions { line_bytes: 10, ..StdioOptions::default() };
        assert_eq!(short.check().unwrap_err().setting, "line_bytes");
        let long = StdioOptions { grace: Duration::from_secs(3_601), ..StdioOptions::default() };
        assert_eq!(long.check().unwrap_err().setting, "grace");
    }
}
