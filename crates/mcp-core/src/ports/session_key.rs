//! What a session is found by.

use super::{
    Owner,
    opaque_id::{is_readable, show_beginning},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::{
    borrow::Borrow,
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

/// The id of a session, as the `Mcp-Session-Id` header field carries it.
///
/// Printing it with `Debug` shows its beginning only.
///
/// Spec: 2025-11-25, basic/transports#session-management.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(Arc<str>);

impl SessionId {
    /// The longest id that is read from a client, in bytes.
    pub const MAX_BYTES: usize = 128;

    /// A new id from 32 bytes of the [`Runtime`](super::Runtime) port's random generator: 43 letters, digits,
    /// `-` and `_`.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(URL_SAFE_NO_PAD.encode(bytes).into())
    }

    /// Reads an id that a client sent; `None` unless it is 1 to 128 bytes of visible ASCII (0x21 to 0x7E).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        is_readable(text, Self::MAX_BYTES).then(|| Self(text.into()))
    }

    /// The whole id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An id in a table is found by its text.
impl Borrow<str> for SessionId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SessionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_beginning(&self.0, formatter)
    }
}

/// The concrete path of the endpoint that a session was begun at, such as `/mcp` or `/rooms/7/mcp`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EndpointPath(Arc<str>);

impl EndpointPath {
    /// A path, compared byte by byte from now on.
    #[must_use]
    pub fn new(path: impl Into<Arc<str>>) -> Self {
        Self(path.into())
    }

    /// The path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a session is found by: its id, and who must ask where.
///
/// A store finds nothing under a key whose owner or endpoint differ from the session's, as if the id were
/// unknown. A caller can thus not forget to compare them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "a fourth part would change what every store compares")]
pub struct SessionKey {
    /// The id.
    pub id: SessionId,
    /// Whom the session belongs to.
    pub owner: Owner,
    /// Where it was begun.
    pub endpoint: EndpointPath,
}

impl Hash for SessionKey {
    /// The id alone tells nearly all keys apart, and it is random.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_ids_are_readable_and_keep_every_bit() {
        let id = SessionId::from_random([0xFF; 32]);
        assert_eq!(id.as_str().len(), 43);
        assert_eq!(SessionId::parse(id.as_str()), Some(id.clone()));
        let mut other = [0xFF; 32];
        other[31] = 0xFE;
        assert_ne!(SessionId::from_random(other), id);
    }

    #[test]
    fn ids_of_clients_are_visible_ascii_of_bounded_length() {
        assert!(SessionId::parse(&"~".repeat(128)).is_some() && SessionId::parse("!").is_some());
        for text in ["", "a b", "a\n", "é", "\u{7f}"] {
            assert_eq!(SessionId::parse(text), None, "{text:?}");
        }
        assert_eq!(SessionId::parse(&"a".repeat(129)), None);
    }

    #[test]
    fn logs_show_the_beginning_of_an_id_only() {
        assert_eq!(format!("{:?}", SessionId::parse("abcdefghijkl").unwrap()), "abcdef…");
        assert_eq!(format!("{:?}", SessionId::parse("abc").unwrap()), "…");
    }
}
