//! Whether a caller has a view of its own, and where that is kept.

use crate::{
    ports::ListView,
    session::{HttpSession, LiveSession},
};
use std::sync::Arc;

/// What the lists of a caller's connection show and hide, and who keeps it.
#[derive(Clone, Debug, Default)]
pub(crate) enum View {
    /// The caller has no connection: each of its requests stands alone.
    #[default]
    Common,
    /// The connection itself keeps it.
    Connection(Arc<LiveSession>),
    /// The record of the session keeps it; it was so, or newer, when the request came.
    Session(Arc<HttpSession>, Arc<ListView>),
}

impl View {
    /// Tells whether nothing is hidden from the caller.
    pub(crate) fn hides_nothing(&self) -> bool {
        match self {
            Self::Common => true,
            Self::Connection(live) => live.view().hidden.is_empty(),
            Self::Session(_, view) => view.hidden.is_empty(),
        }
    }

    /// What the caller's lists show and hide.
    pub(crate) fn lists(&self) -> Arc<ListView> {
        match self {
            Self::Common => Arc::default(),
            Self::Connection(live) => live.view(),
            Self::Session(_, view) => Arc::clone(view),
        }
    }
}
