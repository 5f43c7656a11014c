//! Why an answer is none to what was asked.

use crate::json::{Kind, Node};
use std::borrow::Cow;

/// Why an answer is none to what was asked.
///
/// Its text is short and quotes no values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AnswerFault {
    /// The answer or a member of it is missing or of another kind.
    #[error("{member} must be {expected}")]
    Member {
        /// What is at fault.
        member: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// A field of a form's content does not fit.
    #[error("the field `{field}` {problem}")]
    Field {
        /// The field's name, cut short.
        field: Box<str>,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The content fits the form, and the type it is read into refuses it all the same.
    #[error("the content does not read as the type that was asked for")]
    Unreadable,
    /// As [`AnswerFault::Unreadable`], for one field.
    #[error("the field `{field}` does not read as the type that was asked for")]
    UnreadableField {
        /// The field's name, cut short.
        field: Box<str>,
    },
}

impl AnswerFault {
    pub(super) const fn member(member: &'static str, expected: &'static str) -> Self {
        Self::Member { member, expected }
    }
}

/// The most characters of a name that are shown.
const SHOWN: usize = 64;

/// Cuts a name short.
pub(super) fn clipped(name: &str) -> Box<str> {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()).into(),
        None => name.into(),
    }
}

/// The answer, when it is an object.
pub(super) fn object(answer: Node<'_>) -> Result<Node<'_>, AnswerFault> {
    if answer.kind() == Kind::Object {
        Ok(answer)
    } else {
        Err(AnswerFault::member("the answer", "an object"))
    }
}

/// A member that must be text.
pub(super) fn text<'a>(object: Node<'a>, name: &'static str) -> Result<Cow<'a, str>, AnswerFault> {
    object.get(name).and_then(Node::as_str).ok_or(AnswerFault::member(name, "a string"))
}
