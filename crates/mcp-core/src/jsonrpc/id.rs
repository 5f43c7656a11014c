//! Request ids: echoed as they came, compared by value.

use crate::json::{Kind, Node, write_string};
use bytes::Bytes;
use std::fmt;

/// The longest id that is accepted, in bytes of its JSON text.
pub(crate) const MAX_ID_BYTES: usize = 1_024;

/// The id of a request, kept as the JSON text the client wrote.
///
/// A string or an integral number (`8.0` and `1e2` count). Comparing two ids goes by
/// [`RequestId::key`], so that `1` and `"1"` stay apart while `1` and `1.0` do not.
///
/// Spec: 2026-07-28, basic#requests; JSON-RPC 2.0 section 4.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestId {
    raw: Bytes,
}

/// An id by value: what a table of requests in flight is keyed by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "JSON-RPC knows these two kinds of id")]
pub enum IdKey {
    /// An integral number.
    Number(i64),
    /// An integral number that does not fit 64 bits, by its decimal digits.
    Digits(Box<str>),
    /// A string, unescaped.
    Text(Box<str>),
}

impl RequestId {
    /// Reads an id; `None` when the value is neither a string nor an integral number, or is longer than 1,024 bytes.
    #[must_use]
    pub fn from_node(node: Node<'_>) -> Option<Self> {
        let acceptable = match node.kind() {
            Kind::String => true,
            Kind::Number => node.as_i64().is_some() || is_digits(node.number_text().unwrap_or_default()),
            _ => false,
        };
        (acceptable && node.raw().len() <= MAX_ID_BYTES).then(|| Self { raw: node.raw_bytes() })
    }

    /// A numeric id.
    #[must_use]
    pub fn number(value: i64) -> Self {
        Self { raw: Bytes::from(value.to_string()) }
    }

    /// A string id.
    #[must_use]
    pub fn text(value: &str) -> Self {
        let mut raw = Vec::with_capacity(value.len() + 2);
        write_string(&mut raw, value);
        Self { raw: Bytes::from(raw) }
    }

    /// The id as JSON text, exactly as the client wrote it.
    #[must_use]
    pub fn as_json(&self) -> &[u8] {
        &self.raw
    }

    /// The same id in memory of its own, for whoever keeps it longer than the message it came in.
    pub(crate) fn detached(&self) -> Self {
        Self { raw: Bytes::copy_from_slice(&self.raw) }
    }

    /// The id by value.
    #[must_use]
    pub fn key(&self) -> IdKey {
        if self.raw.first() == Some(&b'"') {
            return IdKey::Text(
                serde_json::from_slice::<String>(&self.raw).unwrap_or_default().into_boxed_str(),
            );
        }
        let text = std::str::from_utf8(&self.raw).unwrap_or_default();
        match crate::json::integer_from_text(text) {
            Some(number) => IdKey::Number(number),
            None => IdKey::Digits(text.into()),
        }
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&String::from_utf8_lossy(&self.raw))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, formatter)
    }
}

fn is_digits(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Document, JsonLimits};

    fn id(text: &'static str) -> Option<RequestId> {
        RequestId::from_node(
            Document::parse(Bytes::from_static(text.as_bytes()), &JsonLimits::default()).unwrap().root(),
        )
    }

    #[test]
    fn ids_are_echoed_as_they_came_and_compared_by_value() {
        assert_eq!(id("8.0").unwrap().as_json(), b"8.0");
        assert_eq!(id("8.0").unwrap().key(), id("8").unwrap().key());
        assert_eq!(id("1e2").unwrap().key(), IdKey::Number(100));
        assert_ne!(id("1").unwrap().key(), id("\"1\"").unwrap().key());
        assert_eq!(id("\"\\u0061\"").unwrap().key(), id("\"a\"").unwrap().key());
        assert!(id("\"\"").is_some() && id("-5").is_some() && id("0").is_some());
        assert_eq!(
            id("123456789012345678901234567890").unwrap().as_json(),
            b"123456789012345678901234567890"
        );
    }

    #[test]
    fn fractions_null_and_structures_are_no_ids() {
        for text in ["7.5", "null", "true", "[]", "{}"] {
            assert!(id(text).is_none(), "{text}");
        }
    }
}
