//! How a catalogue is presented: listed whole, or in part, with tools that find and call the rest.
//!
//! A presentation changes lists only. What is not listed can still be called, with the same checks.

use crate::{lower::ListKind, view::Listed};

/// How the tools and prompts of a server are presented to clients.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Presentation(Kind);

#[derive(Clone, Debug, Default)]
enum Kind {
    /// Every list is whole.
    #[default]
    Whole,
}

impl Presentation {
    /// Lists everything: the default.
    pub fn whole() -> Self {
        Self(Kind::Whole)
    }

    /// Tells whether the list reads as if there were no presentation, for everyone.
    pub(crate) fn is_whole(&self, _: ListKind) -> bool {
        match self.0 {
            Kind::Whole => true,
        }
    }

    /// Tells whether an entry is listed, as far as the presentation goes.
    pub(crate) fn lists(&self, _: &Listed) -> bool {
        match self.0 {
            Kind::Whole => true,
        }
    }
}
