//! A checked text with its index, and handles on its values.

use super::{
    JsonFault, JsonFaultKind, JsonLimits,
    escape::{unescape, unescapes_to},
    number::Decimal,
    scan::{Index, scan},
    token::{Form, Token},
    walk::{Elements, Members},
};
use bytes::Bytes;
use std::{borrow::Cow, fmt, ops::Range};

/// Holds one JSON text that has been checked once, with an index of its values.
///
/// The bytes are kept as they came and shared, never copied; values are read from them on demand.
#[derive(Clone)]
pub struct Document {
    bytes: Bytes,
    index: Index,
}

impl Document {
    /// Checks a text against RFC 8259 and `limits` and indexes it.
    ///
    /// Beyond the grammar, a member name that appears twice in one object and an escape that is
    /// half of a surrogate pair are refused. A byte order mark is refused too: it belongs to the
    /// transport, not to the text (RFC 8259, section 8.1).
    ///
    /// # Errors
    /// The first [`JsonFault`] found.
    pub fn parse(bytes: Bytes, limits: &JsonLimits) -> Result<Self, JsonFault> {
        if bytes.len() > limits.document_bytes.min(u32::MAX as usize - 1) {
            return Err(JsonFault { position: limits.document_bytes, kind: JsonFaultKind::TooLarge });
        }
        if let Err(fault) = std::str::from_utf8(&bytes) {
            return Err(JsonFault { position: fault.valid_up_to(), kind: JsonFaultKind::InvalidUtf8 });
        }
        let index = scan(&bytes, limits)?;
        Ok(Self { bytes, index })
    }

    /// Returns the outermost value.
    pub fn root(&self) -> Node<'_> {
        Node { document: self, index: 0 }
    }

    /// Returns the value that `id` names.
    ///
    /// An id is only meaningful in the document it came from; an id beyond this document's values
    /// gives the outermost value.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        let index = if (id.0 as usize) < self.index.tokens.len() { id.0 } else { 0 };
        Node { document: self, index }
    }

    /// Returns the whole text, white space included.
    pub fn text(&self) -> &str {
        checked(&self.bytes)
    }

    /// How many values and member names there are.
    pub(crate) fn tokens(&self) -> usize {
        self.index.tokens.len()
    }

    /// Returns the bytes of the whole text.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    pub(super) fn token(&self, index: u32) -> Token {
        // Every index is one the scan made, so the stand-in is never used.
        self.index.tokens.get(index as usize).copied().unwrap_or(Token::new(Form::Null, 0, 0, index))
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A text can hold secrets and be long, so only its size is shown.
        f.debug_struct("Document")
            .field("bytes", &self.bytes.len())
            .field("tokens", &self.index.tokens.len())
            .finish()
    }
}

/// Names a value of a [`Document`] without borrowing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

/// The six kinds of JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// A handle on one value of a [`Document`].
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    document: &'a Document,
    index: u32,
}

impl<'a> Node<'a> {
    pub(super) fn at(document: &'a Document, index: u32) -> Self {
        Self { document, index }
    }

    pub(super) fn index(self) -> u32 {
        self.index
    }

    pub(super) fn token(self) -> Token {
        self.document.token(self.index)
    }

    /// Returns the name of this value within its document.
    #[must_use]
    pub fn id(self) -> NodeId {
        NodeId(self.index)
    }

    /// Returns the document this value is in.
    #[must_use]
    pub fn document(self) -> &'a Document {
        self.document
    }

    /// Returns what kind of value this is.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self.token().form() {
            Form::Null => Kind::Null,
            Form::False | Form::True => Kind::Bool,
            Form::Integer | Form::Decimal => Kind::Number,
            Form::Plain | Form::Escaped => Kind::String,
            Form::Array => Kind::Array,
            Form::Object => Kind::Object,
        }
    }

    /// Returns the exact JSON text of the value, a string's quotes included.
    #[must_use]
    pub fn raw(self) -> &'a str {
        checked(self.raw_slice())
    }

    /// Returns the exact JSON text of the value as a share of the document's bytes.
    #[must_use]
    pub fn raw_bytes(self) -> Bytes {
        self.document.bytes.slice_ref(self.raw_slice())
    }

    /// Where the value lies in the document's text.
    pub(crate) fn range(self) -> Range<usize> {
        let token = self.token();
        token.start as usize..token.end as usize
    }

    pub(super) fn raw_slice(self) -> &'a [u8] {
        let token = self.token();
        self.document.bytes.get(token.start as usize..token.end as usize).unwrap_or_default()
    }

    /// Tells whether more than `most` arrays and objects are open at once within this value.
    pub(super) fn is_deeper_than(self, most: usize) -> bool {
        let index = &self.document.index;
        if index.depth <= most {
            return false;
        }
        let mut ends = Vec::new();
        for (at, token) in (0..).zip(&index.tokens).take(self.token().next as usize).skip(self.index as usize)
        {
            while ends.last().is_some_and(|&end| end <= at) {
                ends.pop();
            }
            if matches!(token.form(), Form::Array | Form::Object) {
                ends.push(token.next);
            }
            if ends.len() > most {
                return true;
            }
        }
        false
    }

    /// Tells whether the value is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.token().form() == Form::Null
    }

    /// Returns the value of `true` or `false`.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.token().form() {
            Form::True => Some(true),
            Form::False => Some(false),
            _ => None,
        }
    }

    /// Returns a string's text, borrowed unless it has escapes.
    #[must_use]
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let token = self.token();
        let inside = token.inside_quotes(&self.document.bytes);
        match token.form() {
            Form::Plain => Some(Cow::Borrowed(checked(inside))),
            Form::Escaped => Some(Cow::Owned(unescaped(inside))),
            _ => None,
        }
    }

    /// The bytes between a string's quotes, escapes unread.
    pub(super) fn string_inside(self) -> Option<&'a [u8]> {
        let token = self.token();
        matches!(token.form(), Form::Plain | Form::Escaped).then(|| token.inside_quotes(&self.document.bytes))
    }

    /// Tells whether the value is a string equal to `other`, without building it.
    #[must_use]
    pub fn str_eq(self, other: &str) -> bool {
        token_eq(self.document, self.token(), other)
    }

    /// Returns a number's exact text.
    #[must_use]
    pub fn number_text(self) -> Option<&'a str> {
        matches!(self.token().form(), Form::Integer | Form::Decimal).then(|| self.raw())
    }

    /// Returns a number's value when it is an integer that fits, however it is written.
    ///
    /// `8`, `8.0` and `80e-1` are all 8; `7.5` is none.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        match self.token().form() {
            Form::Integer => self.raw().parse().ok(),
            Form::Decimal => Decimal::read(self.raw_slice()).to_i64(),
            _ => None,
        }
    }

    /// Returns a number's value when it is a non-negative integer that fits, however it is written.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        match self.token().form() {
            Form::Integer if !self.raw_slice().starts_with(b"-") => self.raw().parse().ok(),
            Form::Integer | Form::Decimal => Decimal::read(self.raw_slice()).to_u64(),
            _ => None,
        }
    }

    /// Returns the float nearest to a number's value; none when only an infinity is near.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        self.number_text()?.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// Returns an object's member by its name.
    ///
    /// Takes time in proportion to the members before it.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Self> {
        self.members().find(|(member, _)| member.eq_str(name)).map(|(_, value)| value)
    }

    /// Iterates over an object's members in the order of the text; over nothing for other kinds.
    #[must_use]
    pub fn members(self) -> Members<'a> {
        Members::of(self)
    }

    /// Iterates over an array's elements; over nothing for other kinds.
    #[must_use]
    pub fn elements(self) -> Elements<'a> {
        Elements::of(self)
    }

    /// Returns how many members an object or elements an array has; 0 for other kinds.
    #[must_use]
    pub fn len(self) -> usize {
        self.token().count() as usize
    }

    /// Tells whether there are no members and no elements.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// Reads part of a document as text.
pub(super) fn checked(bytes: &[u8]) -> &str {
    // The whole document is UTF-8 and the scan cuts it only at ASCII bytes, so this cannot fail.
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// Builds the text that the inside of a string stands for.
pub(super) fn unescaped(inside: &[u8]) -> String {
    // Runs are UTF-8 as they are cut only at backslashes, so this cannot fail.
    String::from_utf8(unescape(inside)).unwrap_or_default()
}

/// Tells whether a token is a string or name that stands for `other`.
pub(super) fn token_eq(document: &Document, token: Token, other: &str) -> bool {
    let inside = token.inside_quotes(&document.bytes);
    match token.form() {
        Form::Plain => inside == other.as_bytes(),
        Form::Escaped => unescapes_to(inside, other.as_bytes()),
        _ => false,
    }
}
