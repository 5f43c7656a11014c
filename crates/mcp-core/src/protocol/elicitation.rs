//! What the user made of a form or a page.

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

#[cfg(test)]
mod tests {
    use super::*;

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
