//! What the user made of a form or a page.

use std::fmt;

/// What the user made of a form or a page: data, not an error.
///
/// Spec: 2026-07-28, client/elicitation#response-actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "the user may have declined"]
#[expect(clippy::exhaustive_enums, reason = "the specification knows these three actions")]
pub enum Elicitation<T> {
    /// The user filled in the form, or agreed to open the page; of a page nothing comes back, so `T` is `()`.
    Accepted(T),
    /// The user said no.
    Declined,
    /// The user closed the form without a choice.
    Cancelled,
}

impl<T> Elicitation<T> {
    /// Gives what was accepted; `None` when the user declined or cancelled.
    #[must_use]
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Declined | Self::Cancelled => None,
        }
    }

    /// Gives what was accepted, for a handler that cannot go on without it.
    ///
    /// # Errors
    /// [`NotAccepted`], which converts with `?` into a handler's error: a model reads what the user did.
    /// [`Elicitation::accepted`] with a text of your own says more about what was not done.
    ///
    /// ```
    /// use mcp_core::{extract::Client, handler::ToolError};
    /// #[derive(schemars::JsonSchema, serde::Deserialize)]
    /// struct Seat {
    ///     seat: String,
    /// }
    ///
    /// async fn book(client: Client) -> Result<String, ToolError> {
    ///     let Seat { seat } = client.elicit("seat", "Which seat?").await?.require()?;
    ///     Ok(format!("booked {seat}"))
    /// }
    /// ```
    pub fn require(self) -> Result<T, NotAccepted> {
        match self {
            Self::Accepted(value) => Ok(value),
            Self::Declined => Err(NotAccepted::Declined),
            Self::Cancelled => Err(NotAccepted::Cancelled),
        }
    }

    /// Tells whether the user accepted.
    #[must_use]
    pub const fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted(_))
    }

    /// Changes what was accepted.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Elicitation<U> {
        match self {
            Self::Accepted(value) => Elicitation::Accepted(change(value)),
            Self::Declined => Elicitation::Declined,
            Self::Cancelled => Elicitation::Cancelled,
        }
    }
}

/// The user did not accept what a handler cannot go on without; see [`Elicitation::require`].
///
/// Converts with `?` into [`ToolError`](crate::handler::ToolError) and
/// [`ProtocolError`](crate::handler::ProtocolError), and implements no `Error` for that reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the specification knows these two actions beside accepting")]
pub enum NotAccepted {
    /// The user said no.
    Declined,
    /// The user closed the form without a choice.
    Cancelled,
}

impl fmt::Display for NotAccepted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Declined => "The user was asked and declined; nothing more was done.",
            Self::Cancelled => "The user was asked and gave no answer; nothing more was done.",
        })
    }
}

/// A page that the user has to open before the request can be served.
///
/// Spec: 2025-11-25, client/elicitation#url-elicitation-required-error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "these are the members the specification has")]
pub struct RequiredUrl {
    /// The elicitation's id.
    pub id: Box<str>,
    /// Why the user should open it.
    pub message: Box<str>,
    /// The page.
    pub url: Box<str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_and_not_accepted_says_what_the_user_did() {
        assert_eq!(Elicitation::Accepted(2).require(), Ok(2));
        for (other, word) in
            [(Elicitation::<i32>::Declined, "declined"), (Elicitation::Cancelled, "no answer")]
        {
            assert!(other.require().unwrap_err().to_string().contains(word));
        }
    }

    #[test]
    fn only_an_accepted_value_is_given_and_changed() {
        assert_eq!(Elicitation::Accepted(2).map(|number| number * 2).accepted(), Some(4));
        assert!(Elicitation::Accepted(()).is_accepted());
        for other in [Elicitation::Declined, Elicitation::<i32>::Cancelled] {
            assert_eq!(other.map(|number| number * 2), other);
            assert!(!other.is_accepted() && other.accepted().is_none());
        }
    }
}
