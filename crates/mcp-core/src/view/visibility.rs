//! Hiding and showing entries for the connection that calls.

use super::change_view;
use crate::{
    context::Context,
    ports::{ListViewChange, Selection, StoreError},
    uri::AbsoluteUri,
};
use thiserror::Error;

/// What the connection that calls sees in its lists; see [`Context::visibility`].
///
/// Each change is one step, is kept before it is announced, and only narrows what the connection's lists would hold
/// otherwise. The client hears of a list that really changed, and no other client does. Clients without a connection of
/// their own always see the lists as they are.
///
/// **Hiding is no access control**: what is hidden can still be called.
#[derive(Clone, Debug)]
pub struct Visibility(Context);

/// Why nothing was hidden or shown.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VisibilityError {
    /// The server was not told that lists differ from connection to connection.
    #[error("build the server with `Lists::per_connection` to hide and show entries")]
    NotOffered,
    /// The caller has no connection to change the lists of: it speaks 2026-07-28, or it has no session.
    #[error("the request belongs to no connection whose lists could differ")]
    Stateless,
    /// The connection has hidden too much already.
    #[error("more is hidden than `{setting}` allows")]
    TooMany {
        /// The setting that bounds it.
        setting: &'static str,
    },
    /// The session has ended meanwhile.
    #[error("the session has ended")]
    Ended,
    /// The store of the sessions failed; whether something changed is not known.
    #[error("the session could not be changed")]
    Store(#[source] StoreError),
}

impl Context {
    /// What the connection that calls sees in its lists.
    ///
    /// ```
    /// use mcp_core::{context::Context, handler::ToolError, ports::Selection};
    ///
    /// async fn verify(context: Context) -> Result<&'static str, ToolError> {
    ///     context.visibility().unhide(Selection::tag("licensed")).await?;
    ///     Ok("Verified: look at your tools again.")
    /// }
    /// # let _ = verify;
    /// ```
    #[must_use]
    pub fn visibility(&self) -> Visibility {
        Visibility(self.clone())
    }
}

impl Visibility {
    /// Hides entries from this connection's lists.
    ///
    /// Not cancel-safe: a future that is dropped may have hidden them.
    ///
    /// # Errors
    /// Each [`VisibilityError`].
    pub async fn hide(&self, selection: Selection) -> Result<(), VisibilityError> {
        self.change(ListViewChange::Hide(normal(selection))).await
    }

    /// Shows again what this very selection hid; what another one hides, too, stays hidden.
    ///
    /// Not cancel-safe: a future that is dropped may have shown them.
    ///
    /// # Errors
    /// Each [`VisibilityError`] but [`TooMany`](VisibilityError::TooMany).
    pub async fn unhide(&self, selection: Selection) -> Result<(), VisibilityError> {
        self.change(ListViewChange::Unhide(normal(selection))).await
    }

    /// Shows everything again.
    ///
    /// Not cancel-safe: a future that is dropped may have shown it.
    ///
    /// # Errors
    /// Each [`VisibilityError`] but [`TooMany`](VisibilityError::TooMany).
    pub async fn reset(&self) -> Result<(), VisibilityError> {
        self.change(ListViewChange::ShowAll).await
    }

    async fn change(&self, change: ListViewChange) -> Result<(), VisibilityError> {
        if !self.0.0.server.lists().vary_by_connection() {
            return Err(VisibilityError::NotOffered);
        }
        change_view(&self.0, &change).await
    }
}

/// A selection as it is compared: URIs in the form they are looked up by.
fn normal(selection: Selection) -> Selection {
    match selection {
        Selection::Resource(uri) if !uri.contains('{') => {
            Selection::Resource(AbsoluteUri::normalize_lookup(&uri).into())
        }
        other => other,
    }
}
