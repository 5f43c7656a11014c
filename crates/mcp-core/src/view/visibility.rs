//! Hiding and showing entries for the connection that calls.

use super::{Difference, View, differences};
use crate::{
    context::Context,
    lower::ListKind,
    ports::{HiddenChange, HiddenUpdate, Selection, StoreError, StoreLimit},
    registry::Catalogue,
    session::LiveSession,
    subscription::ListKindChanged,
    uri::AbsoluteUri,
};
use std::sync::Arc;
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
        self.change(HiddenChange::Hide(normal(selection))).await
    }

    /// Shows again what this very selection hid; what another one hides, too, stays hidden.
    ///
    /// Not cancel-safe: a future that is dropped may have shown them.
    ///
    /// # Errors
    /// Each [`VisibilityError`] but [`TooMany`](VisibilityError::TooMany).
    pub async fn unhide(&self, selection: Selection) -> Result<(), VisibilityError> {
        self.change(HiddenChange::Unhide(normal(selection))).await
    }

    /// Shows everything again.
    ///
    /// Not cancel-safe: a future that is dropped may have shown it.
    ///
    /// # Errors
    /// Each [`VisibilityError`] but [`TooMany`](VisibilityError::TooMany).
    pub async fn reset(&self) -> Result<(), VisibilityError> {
        self.change(HiddenChange::Reset).await
    }

    async fn change(&self, change: HiddenChange) -> Result<(), VisibilityError> {
        let scope = &self.0.0;
        let server = &scope.server;
        if !server.lists().vary_by_connection() {
            return Err(VisibilityError::NotOffered);
        }
        // What is offered now decides, not what was when the call began.
        let catalogue = server.catalogue();
        let (update, live) = match &scope.caller.view {
            View::Common => return Err(VisibilityError::Stateless),
            View::Connection(live) => {
                let update = live.change_hidden(&change, server.limits().hidden_selections);
                let update =
                    update.ok_or(VisibilityError::TooMany { setting: "limits.hidden_selections" })?;
                (update, Arc::clone(live))
            }
            View::Session(session, _) => {
                let host = server.sessions().ok_or(VisibilityError::Stateless)?;
                let now = server.runtime().wall_time();
                let (store, limits) = (&host.settings.store, &host.settings.limits);
                let update = store.change_hidden(&session.key, &change, limits, now).await;
                let update = update.map_err(store_error)?.ok_or(VisibilityError::Ended)?;
                session.live.saw_hidden(&update.after);
                (update, Arc::clone(&session.live))
            }
        };
        self.announce(&catalogue, &update, &live).await;
        Ok(())
    }

    /// Tells the client of the lists that really changed for it.
    async fn announce(&self, catalogue: &Catalogue, update: &HiddenUpdate, live: &LiveSession) {
        let Some(registration) = live.existing_registration() else { return };
        for difference in differences(catalogue, update) {
            if self.is_seen(&difference).await {
                registration.subscriber().list_changed(difference.list);
            }
        }
    }

    /// Tells whether the client sees the difference: what a policy keeps from it anyway it does not miss.
    async fn is_seen(&self, difference: &Difference) -> bool {
        if difference.callbacks {
            return true;
        }
        let kind = match difference.list {
            ListKindChanged::Tools => ListKind::Tools,
            ListKindChanged::Prompts => ListKind::Prompts,
            ListKindChanged::Resources => ListKind::Resources,
        };
        let Some(filter) = self.0.0.server.lists().filter_of(kind) else { return true };
        for listed in &difference.entries {
            // Where the policy cannot tell, the client is told to look, and is answered with the failure.
            if !matches!(filter.decide(&self.0, listed.clone()).await, Ok(super::Verdict::Hide)) {
                return true;
            }
        }
        false
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

fn store_error(error: StoreError) -> VisibilityError {
    match error {
        StoreError::LimitReached { limit: StoreLimit::SessionText } => {
            VisibilityError::TooMany { setting: "sessions.limits.text_bytes" }
        }
        StoreError::LimitReached { limit: StoreLimit::Hidden } => {
            VisibilityError::TooMany { setting: "sessions.limits.hidden" }
        }
        other => VisibilityError::Store(other),
    }
}
