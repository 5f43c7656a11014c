//! Reading strings that have escapes, without building them where that can be avoided.

use memchr::memchr;

/// A part of a string: bytes that stand for themselves, or what one escape stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    Run(&'a [u8]),
    Char(char),
}

/// Iterates over the parts of the inside of a string that the scan has accepted.
#[derive(Clone, Debug)]
pub(super) struct Pieces<'a> {
    rest: &'a [u8],
}

impl<'a> Pieces<'a> {
    pub(super) fn new(inside: &'a [u8]) -> Self {
        Self { rest: inside }
    }

    /// Takes the escape that `rest` begins with; `None` only where the scan would have refused it.
    fn take_escape(&mut self) -> Option<char> {
        let letter = *self.rest.get(1)?;
        let simple = match letter {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.take_unicode(),
            other => other as char,
        };
        self.rest = self.rest.get(2..)?;
        Some(simple)
    }

    fn take_unicode(&mut self) -> Option<char> {
        let unit = code_unit(self.rest.get(2..6)?)?;
        if let Some(character) = char::from_u32(unit) {
            self.rest = self.rest.get(6..)?;
            return Some(character);
        }
        let low = code_unit(self.rest.get(8..12)?)?;
        self.rest = self.rest.get(12..)?;
        char::from_u32(0x1_0000 + ((unit & 0x3FF) << 10) + (low & 0x3FF))
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let length = memchr(b'\\', self.rest).unwrap_or(self.rest.len());
        if length == 0 {
            return if self.rest.is_empty() { None } else { self.take_escape().map(Piece::Char) };
        }
        let (run, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(Piece::Run(run))
    }
}

fn code_unit(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |unit, &byte| Some(unit * 16 + (byte as char).to_digit(16)?))
}

/// Builds the bytes that the inside of a string stands for.
pub(super) fn unescape(inside: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(inside.len());
    for piece in Pieces::new(inside) {
        match piece {
            Piece::Run(run) => out.extend_from_slice(run),
            Piece::Char(character) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out
}

/// Compares the inside of a string with `other`, which has no escapes.
pub(super) fn unescapes_to(inside: &[u8], mut other: &[u8]) -> bool {
    Pieces::new(inside).all(|piece| {
        let mut buffer = [0; 4];
        let part = match piece {
            Piece::Run(run) => run,
            Piece::Char(character) => character.encode_utf8(&mut buffer).as_bytes(),
        };
        other.strip_prefix(part).map(|rest| other = rest).is_some()
    }) && other.is_empty()
}
