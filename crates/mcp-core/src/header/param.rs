//! Whether a `Mcp-Param-*` header says what the body says.

use super::number::Decimal;
use std::borrow::Cow;

/// The argument that a header repeats, as the body has it.
///
/// A `null` has no header and so no variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyValue<'a> {
    /// A string without its quotes and escapes.
    Text(Cow<'a, str>),
    /// A number exactly as the body writes it.
    Number(&'a str),
    /// A boolean.
    Bool(bool),
}

/// Tells whether a decoded header value and the body agree.
///
/// Strings must be the same. Numbers must be equal, however many digits they have and however each is written
/// (`42.0` is `42`). Booleans are `true` and `false`.
///
/// Spec: 2026-07-28, basic/transports/streamable-http, server validation.
#[must_use]
pub fn agrees(header: &str, body: &BodyValue<'_>) -> bool {
    match body {
        BodyValue::Text(text) => header == text,
        BodyValue::Number(number) => {
            Decimal::parse(header).is_some_and(|header| Decimal::parse(number) == Some(header))
        }
        BodyValue::Bool(true) => header == "true",
        BodyValue::Bool(false) => header == "false",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_value_is_compared_in_its_own_way() {
        for (header, body, expected) in [
            ("x", BodyValue::Text("x".into()), true),
            ("X", BodyValue::Text("x".into()), false),
            ("42.0", BodyValue::Text("42".into()), false),
            ("42.0", BodyValue::Number("42"), true),
            ("42", BodyValue::Number("42.0"), true),
            ("9007199254740993", BodyValue::Number("9007199254740992"), false),
            ("forty", BodyValue::Number("40"), false),
            ("", BodyValue::Number("0"), false),
            ("true", BodyValue::Bool(true), true),
            ("True", BodyValue::Bool(true), false),
            ("1", BodyValue::Bool(true), false),
            ("false", BodyValue::Bool(true), false),
            ("false", BodyValue::Bool(false), true),
        ] {
            assert_eq!(agrees(header, &body), expected, "{header} {body:?}");
        }
    }
}
