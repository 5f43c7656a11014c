//! The token that ties progress notifications to a request.

use crate::json::{Decimal, Kind, Node};
use bytes::Bytes;
use thiserror::Error;

/// The longest progress token that is accepted, in bytes of UTF-8: those of a string's text, or of a number's digits.
pub const PROGRESS_TOKEN_BYTES: usize = 4_096;

/// A progress token, kept as the JSON text the client wrote so that value and type come back unchanged.
///
/// Spec: 2026-07-28, basic/patterns/progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgressToken {
    raw: Bytes,
}

/// A token is longer than [`PROGRESS_TOKEN_BYTES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a progress token is longer than {PROGRESS_TOKEN_BYTES} bytes")]
#[non_exhaustive]
pub struct ProgressTokenTooLong;

impl ProgressToken {
    /// Reads a token: a string or an integer of any size; `None` for anything else, which asks for no progress.
    ///
    /// # Errors
    /// [`ProgressTokenTooLong`]: every notification of the request would carry it.
    pub fn from_node(node: Node<'_>) -> Result<Option<Self>, ProgressTokenTooLong> {
        let length = match node.kind() {
            // Unescaping never makes a text longer.
            Kind::String if node.raw().len() <= PROGRESS_TOKEN_BYTES => 0,
            Kind::String => node.as_str().map_or(0, |text| text.len()),
            Kind::Number if Decimal::read(node.raw().as_bytes()).is_integer() => node.raw().len(),
            _ => return Ok(None),
        };
        if length > PROGRESS_TOKEN_BYTES {
            return Err(ProgressTokenTooLong);
        }
        Ok(Some(Self { raw: node.raw_bytes() }))
    }

    /// The token as JSON text.
    #[must_use]
    pub fn as_json(&self) -> &[u8] {
        &self.raw
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Document, JsonLimits};

    fn token(text: &str) -> Result<Option<ProgressToken>, ProgressTokenTooLong> {
        let limits = JsonLimits { number_chars: 10_000, ..JsonLimits::default() };
        let document = Document::parse(Bytes::copy_from_slice(text.as_bytes()), &limits).unwrap();
        ProgressToken::from_node(document.root())
    }

    #[test]
    fn a_token_comes_back_as_it_was_written() {
        for text in [
            "0",
            "-1",
            "7.0",
            "1e2",
            "\"\"",
            "\"0\"",
            "\"\\u0061\"",
            "9007199254740993",
            "123456789012345678901234567890",
        ] {
            assert_eq!(token(text).unwrap().unwrap().as_json(), text.as_bytes());
        }
        for text in ["null", "true", "1.5", "[]", "{\"a\":1}"] {
            assert_eq!(token(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn a_token_is_bounded_in_bytes_of_its_text() {
        let (ascii, wide) = ("a".repeat(PROGRESS_TOKEN_BYTES), "é".repeat(PROGRESS_TOKEN_BYTES / 2));
        for text in [ascii.clone(), wide.clone(), "\\u0061".repeat(PROGRESS_TOKEN_BYTES)] {
            assert!(matches!(token(&format!("\"{text}\"")), Ok(Some(_))));
        }
        for text in [ascii + "a", wide + "a", "\\u0061".repeat(PROGRESS_TOKEN_BYTES + 1)] {
            assert_eq!(token(&format!("\"{text}\"")), Err(ProgressTokenTooLong));
        }
        assert!(matches!(token(&"1".repeat(PROGRESS_TOKEN_BYTES)), Ok(Some(_))));
        assert_eq!(token(&"1".repeat(PROGRESS_TOKEN_BYTES + 1)), Err(ProgressTokenTooLong));
    }
}
