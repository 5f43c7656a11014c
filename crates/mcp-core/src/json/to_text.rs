//! Writing values of users' types: one line of compact JSON, no NaN, never more than its bounds.

use super::{JsonFaultKind, JsonLimits, finite::Finite, scan::scan};
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
    /// The text would have more values and member names than allowed.
    #[error("the text has more than {max_tokens} values and names")]
    TooManyTokens {
        /// The limit it exceeds.
        max_tokens: usize,
    },
    /// The text would have more arrays and objects open at once than allowed.
    #[error("the text nests deeper than {max_depth} levels")]
    TooDeep {
        /// The limit it exceeds.
        max_depth: usize,
    },
    /// The value is no object where only an object may stand.
    #[error("the value is not a JSON object")]
    NotAnObject,
    /// The value's type refused to be serialised, or has keys that JSON does not have.
    #[error("the value cannot be serialised")]
    Refused(#[from] serde_json::Error),
}

/// What one text may cost to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WriteBounds {
    pub(crate) bytes: usize,
    /// Values and member names together.
    pub(crate) tokens: usize,
    /// Arrays and objects that are open at once.
    pub(crate) depth: usize,
}

/// How deep a text may nest in any case: each level costs stack, of which there is little.
const MOST_DEPTH: usize = 1_000;

/// Serialises a value as compact JSON text.
///
/// U+2028, U+2029 and U+0085 are written as escapes, so that the text is one line to any reader.
/// Text that the value brings along raw is passed through as it is.
///
/// # Errors
/// A [`WriteFault`] when a float is not finite, at any depth and in map keys too, when there are more than 1,000
/// levels, or when the value's type refuses.
pub fn to_text<T: Serialize + ?Sized>(value: &T) -> Result<String, WriteFault> {
    to_text_within(value, usize::MAX)
}

/// Serialises a value as compact JSON text of at most `max_bytes` bytes.
///
/// # Errors
/// As [`to_text`]; [`WriteFault::TooLarge`] as soon as the limit is exceeded.
pub fn to_text_within<T: Serialize + ?Sized>(value: &T, max_bytes: usize) -> Result<String, WriteFault> {
    to_text_bounded(value, WriteBounds { bytes: max_bytes, tokens: usize::MAX, depth: MOST_DEPTH })
}

/// Serialises a value as compact JSON text within its bounds; the first that is exceeded ends it.
pub(crate) fn to_text_bounded<T: Serialize + ?Sized>(
    value: &T,
    bounds: WriteBounds,
) -> Result<String, WriteFault> {
    let mut out = Vec::new();
    append_bounded(&mut out, value, bounds)?;
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
    append_bounded(out, value, WriteBounds { bytes: max_bytes, tokens: usize::MAX, depth: MOST_DEPTH })
}

/// Serialises a value at the end of `out` within its bounds; `out` is as it was before when it exceeds one.
pub(crate) fn append_bounded<T: Serialize + ?Sized>(
    out: &mut Vec<u8>,
    value: &T,
    bounds: WriteBounds,
) -> Result<(), WriteFault> {
    let before = out.len();
    let not_finite = Cell::new(false);
    let exceeded = Cell::new(None);
    let mut bounded = Bounded { left: bounds.bytes, exceeded: &exceeded, out };
    let one_line = OneLine { bounds, exceeded: &exceeded, tokens: 1, depth: 0 };
    let mut inner = serde_json::Serializer::with_formatter(&mut bounded, one_line);
    let result = value.serialize(Finite::new(&mut inner, &not_finite));
    let fault = match (result, exceeded.get()) {
        // A type may swallow the error of a part of it; the text is not what it meant then.
        _ if not_finite.get() => WriteFault::NotFinite,
        (_, Some(Exceeded::Bytes)) => WriteFault::TooLarge { max_bytes: bounds.bytes },
        (_, Some(Exceeded::Tokens)) => WriteFault::TooManyTokens { max_tokens: bounds.tokens },
        (_, Some(Exceeded::Depth)) => WriteFault::TooDeep { max_depth: bounds.depth },
        (Ok(()), None) => return Ok(()),
        (Err(fault), None) => WriteFault::Refused(fault),
    };
    out.truncate(before);
    Err(fault)
}

/// The bound that a text exceeds.
#[derive(Clone, Copy, Debug)]
enum Exceeded {
    Bytes,
    Tokens,
    Depth,
}

/// Takes bytes up to a limit.
struct Bounded<'a> {
    out: &'a mut Vec<u8>,
    left: usize,
    exceeded: &'a Cell<Option<Exceeded>>,
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
                self.exceeded.set(Some(Exceeded::Bytes));
                Err(io::ErrorKind::StorageFull.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Compact, with the separators escaped that some readers take for line ends; counts what it writes.
struct OneLine<'a> {
    bounds: WriteBounds,
    exceeded: &'a Cell<Option<Exceeded>>,
    tokens: usize,
    depth: usize,
}

impl OneLine<'_> {
    fn exceeds(&self, bound: Exceeded) -> io::Error {
        self.exceeded.set(Some(bound));
        io::ErrorKind::StorageFull.into()
    }

    fn count(&mut self, tokens: usize) -> io::Result<()> {
        self.tokens = self.tokens.saturating_add(tokens);
        if self.tokens > self.bounds.tokens { Err(self.exceeds(Exceeded::Tokens)) } else { Ok(()) }
    }

    fn open(&mut self) -> io::Result<()> {
        self.depth += 1;
        if self.depth > self.bounds.depth { Err(self.exceeds(Exceeded::Depth)) } else { Ok(()) }
    }

    /// Counts what text that is passed through holds; whether it is sound is for whoever brought it along.
    fn count_raw(&mut self, text: &str) -> io::Result<()> {
        if self.bounds.tokens == usize::MAX {
            return Ok(());
        }
        let limits = JsonLimits {
            tokens: self.bounds.tokens.saturating_sub(self.tokens).saturating_add(1),
            depth: self.bounds.depth - self.depth,
            ..JsonLimits::widest()
        };
        match scan(text.as_bytes(), &limits) {
            Ok(index) => self.count(index.tokens.len().saturating_sub(1)),
            Err(fault) if fault.kind == JsonFaultKind::TooManyTokens => Err(self.exceeds(Exceeded::Tokens)),
            Err(fault) if fault.kind == JsonFaultKind::TooDeep => Err(self.exceeds(Exceeded::Depth)),
            Err(_) => Ok(()),
        }
    }
}

impl Formatter for OneLine<'_> {
    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open()?;
        CompactFormatter.begin_array(out)
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.count(1)?;
        CompactFormatter.begin_array_value(out, first)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        CompactFormatter.end_array(out)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open()?;
        CompactFormatter.begin_object(out)
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        // The name and its value.
        self.count(2)?;
        CompactFormatter.begin_object_key(out, first)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        CompactFormatter.end_object(out)
    }

    fn write_raw_fragment<W: ?Sized + io::Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        self.count_raw(text)?;
        out.write_all(text.as_bytes())
    }

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
