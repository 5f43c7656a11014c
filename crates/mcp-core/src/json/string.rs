//! Finding the end of a string while checking what is in it.

use super::escape::{Piece, Pieces};

/// Where a string ends, and whether it must be unescaped to be read.
pub(super) struct Measured {
    /// The byte after the closing quote.
    pub(super) end: usize,
    pub(super) escaped: bool,
}

/// Why a string is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringFault {
    End,
    ControlCharacter,
    Escape,
    LoneSurrogate,
    TooLong,
}

/// Checks the string whose first byte after the quote is at `start`.
///
/// A fault comes with the byte offset at which it was found.
pub(super) fn measure_string(
    text: &[u8],
    start: usize,
    most_chars: usize,
) -> Result<Measured, (usize, StringFault)> {
    let mut at = start;
    let mut escaped = false;
    loop {
        at = skip_plain(text, at);
        match text.get(at) {
            None => return Err((at, StringFault::End)),
            Some(b'"') => break,
            Some(b'\\') => {
                escaped = true;
                at = check_escape(text, at)?;
            }
            Some(_) => return Err((at, StringFault::ControlCharacter)),
        }
    }
    // A character is never shorter than a byte, so most strings need no counting.
    if at - start > most_chars && count_chars(text.get(start..at).unwrap_or_default()) > most_chars {
        return Err((start, StringFault::TooLong));
    }
    Ok(Measured { end: at + 1, escaped })
}

/// Counts the characters of the inside of a checked string, an escape being one.
pub(super) fn count_chars(inside: &[u8]) -> usize {
    Pieces::new(inside)
        .map(|piece| match piece {
            // Every byte that does not continue a character begins one.
            Piece::Run(run) => run.iter().filter(|&&byte| byte & 0xC0 != 0x80).count(),
            Piece::Char(_) => 1,
        })
        .sum()
}

/// Moves past bytes that need no attention, eight at a time.
fn skip_plain(text: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let special = special_bytes(u64::from_le_bytes(*chunk));
        if special != 0 {
            return at + (special.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while text.get(at).is_some_and(|&byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        at += 1;
    }
    at
}

/// The lowest and the highest bit of each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// Marks the top bit of the first byte that is a quote, a backslash or a control character.
///
/// Later bytes may be marked falsely, because subtraction borrows upwards; the first never is.
pub(super) fn special_bytes(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = quote.wrapping_sub(ONES) & !quote;
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    (control | quote | backslash) & TOPS
}

/// Marks the top bit of every byte that is not ASCII.
pub(super) fn non_ascii_bytes(word: u64) -> u64 {
    word & TOPS
}

/// Checks the escape at `at` and returns the offset after it.
fn check_escape(text: &[u8], at: usize) -> Result<usize, (usize, StringFault)> {
    match text.get(at + 1) {
        None => Err((at + 1, StringFault::End)),
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => match code_unit(text, at + 2)? {
            0xDC00..=0xDFFF => Err((at, StringFault::LoneSurrogate)),
            0xD800..=0xDBFF => check_low_surrogate(text, at),
            _ => Ok(at + 6),
        },
        Some(_) => Err((at + 1, StringFault::Escape)),
    }
}

/// Checks that the high surrogate at `at` is followed by a low one.
fn check_low_surrogate(text: &[u8], at: usize) -> Result<usize, (usize, StringFault)> {
    match (text.get(at + 6), text.get(at + 7)) {
        (None, _) | (Some(b'\\'), None) => Err((text.len(), StringFault::End)),
        (Some(b'\\'), Some(b'u')) => match code_unit(text, at + 8)? {
            0xDC00..=0xDFFF => Ok(at + 12),
            _ => Err((at, StringFault::LoneSurrogate)),
        },
        _ => Err((at, StringFault::LoneSurrogate)),
    }
}

/// Reads four hexadecimal digits.
fn code_unit(text: &[u8], at: usize) -> Result<u32, (usize, StringFault)> {
    let mut unit = 0;
    for position in at..at + 4 {
        let byte = *text.get(position).ok_or((position, StringFault::End))?;
        let digit = (byte as char).to_digit(16).ok_or((position, StringFault::Escape))?;
        unit = unit * 16 + digit;
    }
    Ok(unit)
}
