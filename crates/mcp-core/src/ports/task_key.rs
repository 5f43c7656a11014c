//! What a task is found by.

use super::{
    Owner, SessionId,
    opaque_id::{is_readable, show_beginning},
};
use crate::principal::Principal;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::{fmt, sync::Arc};

/// The id of a task.
///
/// Where callers cannot be told apart, whoever knows the id may read the task; printing it with `Debug` shows its
/// beginning only.
///
/// Spec: 2025-11-25, basic/utilities/tasks#task-id-requirements; the extension `io.modelcontextprotocol/tasks`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(Arc<str>);

impl TaskId {
    /// The longest id that is read from a client, in bytes.
    pub const MAX_BYTES: usize = 128;

    /// A new id from 24 bytes of the [`Runtime`](super::Runtime) port's random generator: 32 letters, digits, `-`
    /// and `_`.
    #[must_use]
    pub fn from_random(bytes: [u8; 24]) -> Self {
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

impl fmt::Debug for TaskId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_beginning(&self.0, formatter)
    }
}

/// Whom a task belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a caller is authenticated, known by its session, or neither")]
pub enum TaskOwner {
    /// Whoever knows the id: a caller without authentication and without session.
    Anyone,
    /// An authenticated caller, in every session and in none.
    Principal(Owner),
    /// A client without authentication, as long as its session or its connection lasts.
    Session(SessionId),
}

impl TaskOwner {
    /// The owner of what a caller begins.
    #[must_use]
    pub fn of(principal: Option<&Principal>, session: Option<&SessionId>) -> Self {
        match (principal, session) {
            (Some(principal), _) => Self::Principal(Owner::of(Some(principal))),
            (None, Some(session)) => Self::Session(session.clone()),
            (None, None) => Self::Anyone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_principal_owns_its_tasks_in_every_session_and_others_only_within_theirs() {
        let ada = Principal::new("ada");
        let session = |number| SessionId::from_random([number; 32]);
        let of = |principal, number: Option<u8>| TaskOwner::of(principal, number.map(session).as_ref());
        assert_eq!(of(Some(&ada), Some(1)), of(Some(&ada), None));
        assert_ne!(of(Some(&ada), Some(1)), of(None, Some(1)));
        assert_ne!(of(None, Some(1)), TaskOwner::Session(session(2)));
        assert_eq!(of(None, None), TaskOwner::Anyone);
    }

    #[test]
    fn ids_are_readable_and_logs_show_their_beginning_only() {
        let id = TaskId::from_random([0xFF; 24]);
        assert_eq!(id.as_str().len(), 32);
        assert_eq!(TaskId::parse(id.as_str()), Some(id.clone()));
        assert_eq!(format!("{id:?}"), "______…");
        for text in ["", "a b", "é", &"a".repeat(129)] {
            assert_eq!(TaskId::parse(text), None, "{text:?}");
        }
    }
}
