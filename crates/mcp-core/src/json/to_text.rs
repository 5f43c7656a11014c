//! Writing values of users' types: one line of compact JSON, no NaN, never more than a limit.

use super::finite::Finite;
use serde::{Serialize, ser::Error as _};
use serde_json::ser::{CompactFormatter, Formatter};
use std::{cell::Cell, io};
use thiserror::Error;

/// Says why a value could not be written as JSON.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteFault {
    /// The value holds NaN or an infinity, which JSON does not have (RFC 8259, section 6).
    #[error("a number is not finite")]
    NotFinite,
    /// The text would be larger than allowed.
    #[error("the text is larger than {max_bytes} bytes")]
    TooLarge {
        /// The limit it exceeds.
        max_bytes: usize,
    },
    /// The value is no object where only an object may stand.
    #[error("the value is not a JSON object")]
    NotAnObject,
    /// The value's type refused to be serialised, or has keys that JSON does not have.
    #[error("the value cannot be serialised")]
    Refused(#[from] serde_json::Error),
}

/// Serialises a value as compact JSON text.
///
/// U+2028, U+2029 and U+0085 are written as escapes, so that the text is one line to any reader.
/// Text that the value brings along raw is passed through as it is.
///
/// # Errors
/// A [`WriteFault`] when a float is not finite, at any depth and in map keys too, or when the
/// value's type refuses.
pub fn to_text<T: Serialize + ?Sized>(value: &T) -> Result<String, WriteFault> {
    to_text_within(value, usize::MAX)
}

/// Serialises a value as compact JSON text of at most `max_bytes` bytes.
///
/// # Errors
/// As [`to_text`]; [`WriteFault::TooLarge`] as soon as the limit is exceeded.
pub fn to_text_within<T: Serialize + ?Sized>(value: &T, max_bytes: usize) -> Result<String, WriteFault> {
    let mut out = Vec::new();
    append_within(&mut out, value, max_bytes)?;
    String::from_utf8(out).map_err(|fault| WriteFault::Refused(serde_json::Error::custom(fault)))
}

/// Serialises a value at the end of `out`, adding at most `max_bytes` bytes.
///
/// # Errors
/// As [`to_text_within`]; `out` is as it was before, then.
pub fn append_within<T: Serialize + ?Sized>(
    out: &mut Vec<u8>,
    value: &T,
    max_bytes: usize,
) -> Result<(), WriteFault> {
    let before = out.len();
    let not_finite = Cell::new(false);
    let mut bounded = Bounded { left: max_bytes, exceeded: false, out };
    let mut inner = serde_json::Serializer::with_formatter(&mut bounded, OneLine);
    let result = value.serialize(Finite::new(&mut inner, &not_finite));
    let exceeded = bounded.exceeded;
    let fault = match result {
        // A type may swallow the error of a part of it; the text is not what it meant then.
        _ if not_finite.get() => WriteFault::NotFinite,
        _ if exceeded => WriteFault::TooLarge { max_bytes },
        Ok(()) => return Ok(()),
        Err(fault) => WriteFault::Refused(fault),
    };
    out.truncate(before);
    Err(fault)
}

/// Takes bytes up to a limit.
struct Bounded<'a> {
    out: &'a mut Vec<u8>,
    left: usize,
    exceeded: bool,
}

impl io::Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.left.checked_sub(bytes.len()) {
            Some(left) => {
                self.left = left;
                self.out.extend_from_slice(bytes);
                Ok(())
            }
            None => {
                self.exceeded = true;
                Err(io::ErrorKind::StorageFull.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Compact, with the separators escaped that some readers take for line ends.
struct OneLine;

impl Formatter for OneLine {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some((position, separator)) = rest.match_indices(LINE_SEPARATORS).next() {
            let (clean, after) = (rest.get(..position), rest.get(position + separator.len()..));
            out.write_all(clean.unwrap_or_default().as_bytes())?;
            out.write_all(match separator {
                "\u{85}" => b"\\u0085",
                "\u{2028}" => b"\\u2028",
                _ => b"\\u2029",
            })?;
            rest = after.unwrap_or_default();
        }
        CompactFormatter.write_string_fragment(out, rest)
    }
}

const LINE_SEPARATORS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];
