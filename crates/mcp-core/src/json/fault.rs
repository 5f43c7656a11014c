//! Why a JSON text is refused.

use thiserror::Error;

/// Says why a JSON text is refused and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{kind} at byte {position}")]
pub struct JsonFault {
    /// The byte offset at which the fault was found; the length of the text when it ends too soon.
    pub position: usize,
    /// What is wrong there.
    pub kind: JsonFaultKind,
}

/// What is wrong with a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JsonFaultKind {
    /// The text has more bytes than `document_bytes`.
    #[error("the text is too large")]
    TooLarge,
    /// More arrays and objects are open than `depth`.
    #[error("the nesting is too deep")]
    TooDeep,
    /// There are more values and member names than `tokens`.
    #[error("there are too many values")]
    TooManyTokens,
    /// A number has more characters than `number_chars`.
    #[error("a number is too long")]
    NumberTooLong,
    /// A member name has more characters than `name_chars`.
    #[error("a member name is too long")]
    NameTooLong,
    /// A string has more characters than `string_chars`.
    #[error("a string is too long")]
    StringTooLong,
    /// A number's decimal exponent is beyond `number_scale`.
    #[error("a number's exponent is too large")]
    ScaleTooLarge,
    /// An object names a member twice; names are compared after unescaping.
    #[error("a member name appears twice")]
    DuplicateName,
    /// Something other than white space follows the value.
    #[error("the value is followed by more text")]
    TrailingData,
    /// The bytes are not UTF-8.
    #[error("the text is not UTF-8")]
    InvalidUtf8,
    /// An escape is half of a surrogate pair.
    #[error("an escape is half of a surrogate pair")]
    LoneSurrogate,
    /// The text ends inside a value, or holds none.
    #[error("the text ends too soon")]
    UnexpectedEnd,
    /// A string holds a control character that is not escaped.
    #[error("a control character is not escaped")]
    ControlCharacter,
    /// A backslash is not followed by an escape of RFC 8259, section 7.
    #[error("an escape is not valid")]
    InvalidEscape,
    /// A number breaks the grammar of RFC 8259, section 6.
    #[error("a number is not valid")]
    InvalidNumber,
    /// Anything else that the grammar of RFC 8259 does not have in this place.
    #[error("unexpected character")]
    Syntax,
}

impl JsonFault {
    /// Tells whether the text was refused by a limit or for a duplicate name, not by JSON's grammar.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        self.kind == JsonFaultKind::DuplicateName || self.setting().is_some()
    }

    /// Names the field of [`JsonLimits`](super::JsonLimits) that the text exceeds.
    #[must_use]
    pub fn setting(&self) -> Option<&'static str> {
        match self.kind {
            JsonFaultKind::TooLarge => Some("document_bytes"),
            JsonFaultKind::TooDeep => Some("depth"),
            JsonFaultKind::TooManyTokens => Some("tokens"),
            JsonFaultKind::NumberTooLong => Some("number_chars"),
            JsonFaultKind::NameTooLong => Some("name_chars"),
            JsonFaultKind::StringTooLong => Some("string_chars"),
            JsonFaultKind::ScaleTooLarge => Some("number_scale"),
            _ => None,
        }
    }
}
