//! Writing JSON text by hand: objects and arrays whose shape the code already knows.

use super::{
    string::{non_ascii_bytes, special_bytes},
    to_text::WriteFault,
};

/// Writes one value at the end of a buffer.
///
/// Every method takes the writer, so that exactly one value is written in its place.
#[derive(Debug)]
pub struct JsonWriter<'a> {
    out: &'a mut Vec<u8>,
}

impl<'a> JsonWriter<'a> {
    /// Makes a writer of one value at the end of `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out }
    }

    /// Writes `null`.
    pub fn null(self) {
        self.out.extend_from_slice(b"null");
    }

    /// Writes `true` or `false`.
    pub fn boolean(self, value: bool) {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// Writes an integer.
    pub fn integer(self, value: i64) {
        write_display(self.out, value);
    }

    /// Writes an integer that is not negative.
    pub fn unsigned(self, value: u64) {
        write_display(self.out, value);
    }

    /// Writes a float in the fewest digits that read back as the same float.
    ///
    /// # Errors
    /// [`WriteFault::NotFinite`] for NaN and the infinities; nothing is written then, and the
    /// text begun in the buffer is not JSON.
    pub fn number(self, value: f64) -> Result<(), WriteFault> {
        write_f64(self.out, value)
    }

    /// Writes a string.
    pub fn string(self, value: &str) {
        write_string(self.out, value);
    }

    /// Writes text that is already one JSON value, unchecked.
    pub fn raw(self, json: impl AsRef<[u8]>) {
        self.out.extend_from_slice(json.as_ref());
    }

    /// Writes an object with the members that `fill` writes.
    pub fn object(self, fill: impl FnOnce(&mut ObjectWriter<'_>)) {
        let mut object = ObjectWriter::new(self.out);
        fill(&mut object);
        object.end();
    }

    /// Writes an array with the elements that `fill` writes.
    pub fn array(self, fill: impl FnOnce(&mut ArrayWriter<'_>)) {
        let mut array = ArrayWriter::new(self.out);
        fill(&mut array);
        array.end();
    }
}

/// Writes the members of one object.
///
/// [`end`](Self::end) closes the object; names are not checked for repetition.
#[derive(Debug)]
#[must_use = "the object stays open until `end`"]
pub struct ObjectWriter<'a> {
    out: &'a mut Vec<u8>,
    separator: u8,
}

impl<'a> ObjectWriter<'a> {
    /// Opens an object at the end of `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, separator: b'{' }
    }

    /// Writes a member's name and returns the writer of its value.
    pub fn member(&mut self, name: &str) -> JsonWriter<'_> {
        self.out.push(self.separator);
        self.separator = b',';
        write_string(self.out, name);
        self.out.push(b':');
        JsonWriter::new(self.out)
    }

    /// Writes a member that is `null`.
    pub fn null(&mut self, name: &str) {
        self.member(name).null();
    }

    /// Writes a member that is `true` or `false`.
    pub fn boolean(&mut self, name: &str, value: bool) {
        self.member(name).boolean(value);
    }

    /// Writes a member that is an integer.
    pub fn integer(&mut self, name: &str, value: i64) {
        self.member(name).integer(value);
    }

    /// Writes a member that is an integer and not negative.
    pub fn unsigned(&mut self, name: &str, value: u64) {
        self.member(name).unsigned(value);
    }

    /// Writes a member that is a float.
    ///
    /// # Errors
    /// [`WriteFault::NotFinite`] for NaN and the infinities; the member is left out then.
    pub fn number(&mut self, name: &str, value: f64) -> Result<(), WriteFault> {
        if !value.is_finite() {
            return Err(WriteFault::NotFinite);
        }
        self.member(name).number(value)
    }

    /// Writes a member that is a string.
    pub fn string(&mut self, name: &str, value: &str) {
        self.member(name).string(value);
    }

    /// Writes a member that is a string, when there is one.
    pub fn optional_string(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.string(name, value);
        }
    }

    /// Writes a member whose value is already JSON text, unchecked.
    pub fn raw(&mut self, name: &str, json: impl AsRef<[u8]>) {
        self.member(name).raw(json);
    }

    /// Writes a member whose value is already JSON text, when there is one.
    pub fn optional_raw(&mut self, name: &str, json: Option<impl AsRef<[u8]>>) {
        if let Some(json) = json {
            self.raw(name, json);
        }
    }

    /// Writes a member that is an object.
    pub fn object(&mut self, name: &str, fill: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.member(name).object(fill);
    }

    /// Writes a member that is an array.
    pub fn array(&mut self, name: &str, fill: impl FnOnce(&mut ArrayWriter<'_>)) {
        self.member(name).array(fill);
    }

    /// Closes the object.
    pub fn end(self) {
        if self.separator == b'{' {
            self.out.push(b'{');
        }
        self.out.push(b'}');
    }
}

/// Writes the elements of one array.
///
/// [`end`](Self::end) closes the array.
#[derive(Debug)]
#[must_use = "the array stays open until `end`"]
pub struct ArrayWriter<'a> {
    out: &'a mut Vec<u8>,
    separator: u8,
}

impl<'a> ArrayWriter<'a> {
    /// Opens an array at the end of `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, separator: b'[' }
    }

    /// Returns the writer of the next element.
    pub fn element(&mut self) -> JsonWriter<'_> {
        self.out.push(self.separator);
        self.separator = b',';
        JsonWriter::new(self.out)
    }

    /// Writes an element that is a string.
    pub fn string(&mut self, value: &str) {
        self.element().string(value);
    }

    /// Writes an element that is already JSON text, unchecked.
    pub fn raw(&mut self, json: impl AsRef<[u8]>) {
        self.element().raw(json);
    }

    /// Writes an element that is an object.
    pub fn object(&mut self, fill: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.element().object(fill);
    }

    /// Closes the array.
    pub fn end(self) {
        if self.separator == b'[' {
            self.out.push(b'[');
        }
        self.out.push(b']');
    }
}

/// Writes a float in the fewest digits that read back as the same float.
///
/// # Errors
/// [`WriteFault::NotFinite`] for NaN and the infinities, which JSON does not have (RFC 8259,
/// section 6); nothing is written then.
pub fn write_f64(out: &mut Vec<u8>, value: f64) -> Result<(), WriteFault> {
    if !value.is_finite() {
        return Err(WriteFault::NotFinite);
    }
    serde_json::to_writer(out, &value).map_err(WriteFault::from)
}

/// Writes a string with its quotes.
///
/// Beyond what RFC 8259, section 7, demands, the line and paragraph separators U+2028 and U+2029
/// and the next-line control U+0085 are escaped, so that no reader of lines sees one in the text.
pub fn write_string(out: &mut Vec<u8>, text: &str) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    write_escaped(out, text);
    out.push(b'"');
}

/// Writes the inside of a string.
fn write_escaped(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    let mut written = 0;
    let mut at = 0;
    loop {
        at = skip_clean(bytes, at);
        let rest = bytes.get(at..).unwrap_or_default();
        let (length, escape) = match escape(rest) {
            Attention::End => break,
            Attention::None => {
                at += 1;
                continue;
            }
            Attention::Escape(length, escape) => (length, escape),
        };
        out.extend_from_slice(bytes.get(written..at).unwrap_or_default());
        match escape {
            Escape::Short(letter) => out.extend_from_slice(&[b'\\', letter]),
            Escape::Unit(unit) => out.extend_from_slice(&unit_escape(unit)),
        }
        at += length;
        written = at;
    }
    out.extend_from_slice(bytes.get(written..).unwrap_or_default());
}

enum Attention {
    End,
    /// The first byte stands for itself after all.
    None,
    /// So many bytes are written as an escape.
    Escape(usize, Escape),
}

enum Escape {
    Short(u8),
    Unit(u16),
}

fn escape(rest: &[u8]) -> Attention {
    match *rest {
        [] => Attention::End,
        [byte @ (b'"' | b'\\'), ..] => Attention::Escape(1, Escape::Short(byte)),
        [0x08, ..] => Attention::Escape(1, Escape::Short(b'b')),
        [0x09, ..] => Attention::Escape(1, Escape::Short(b't')),
        [0x0A, ..] => Attention::Escape(1, Escape::Short(b'n')),
        [0x0C, ..] => Attention::Escape(1, Escape::Short(b'f')),
        [0x0D, ..] => Attention::Escape(1, Escape::Short(b'r')),
        [byte @ 0..0x20, ..] => Attention::Escape(1, Escape::Unit(byte.into())),
        [0xC2, 0x85, ..] => Attention::Escape(2, Escape::Unit(0x0085)),
        [0xE2, 0x80, 0xA8, ..] => Attention::Escape(3, Escape::Unit(0x2028)),
        [0xE2, 0x80, 0xA9, ..] => Attention::Escape(3, Escape::Unit(0x2029)),
        _ => Attention::None,
    }
}

/// Whether a byte may begin something that is escaped.
fn needs_attention(byte: u8) -> bool {
    byte < 0x20 || matches!(byte, b'"' | b'\\' | 0xC2 | 0xE2)
}

/// Moves past bytes that stand for themselves, eight at a time where they are ASCII.
fn skip_clean(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        let doubtful = special_bytes(word) | non_ascii_bytes(word);
        if doubtful == 0 {
            at += 8;
            continue;
        }
        at += (doubtful.trailing_zeros() / 8) as usize;
        if bytes.get(at).is_some_and(|&byte| needs_attention(byte)) {
            return at;
        }
        at += 1;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| needs_attention(byte)).unwrap_or(rest.len())
}

fn unit_escape(unit: u16) -> [u8; 6] {
    let digit = |shift: u16| char::from_digit(u32::from(unit >> shift & 0xF), 16).map_or(b'0', |c| c as u8);
    [b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]
}

fn write_display(out: &mut Vec<u8>, value: impl std::fmt::Display) {
    use std::io::Write;
    // Writing to a Vec cannot fail.
    let _ = write!(out, "{value}");
}
