//! Whether a caller has a view of its own, and where that is kept.

use crate::{
    ports::Hidden,
    session::{HttpSession, LiveSession},
};
use std::sync::Arc;

/// What the connection of a caller has hidden, and who keeps it.
#[derive(Clone, Debug, Default)]
pub(crate) enum View {
    /// The caller has no connection: each of its requests stands alone.
    #[default]
    Common,
    /// The connection itself keeps it.
    Connection(Arc<LiveSession>),
    /// The record of the session keeps it; it was so when the request came.
    Session(Arc<HttpSession>, Hidden),
}

impl View {
    /// Tells whether nothing is hidden from the caller.
    pub(crate) fn hides_nothing(&self) -> bool {
        match self {
            Self::Common => true,
            Self::Connection(live) => live.hidden().selections.is_empty(),
            Self::Session(_, hidden) => hidden.selections.is_empty(),
        }
    }

    /// What is hidden from the caller.
    pub(crate) fn hidden(&self) -> Arc<Hidden> {
        match self {
            Self::Common => Arc::default(),
            Self::Connection(live) => live.hidden(),
            Self::Session(_, hidden) => Arc::new(hidden.clone()),
        }
    }
}
