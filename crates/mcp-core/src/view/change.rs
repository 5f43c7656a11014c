//! Changing what the lists of a connection show and hide, and telling its client.

use super::{Difference, Verdict, View, VisibilityError, differences};
use crate::{
    context::Context,
    lower::ListKind,
    ports::{ListViewChange, ListViewUpdate, StoreError, StoreLimit},
    registry::Catalogue,
    session::LiveSession,
    subscription::ListKindChanged,
};
use std::sync::Arc;

/// Changes the lists of the connection that calls, and tells its client of those that really changed.
///
/// Not cancel-safe: a future that is dropped may have changed them.
pub(crate) async fn change_view(context: &Context, change: &ListViewChange) -> Result<(), VisibilityError> {
    let scope = &context.0;
    let server = &scope.server;
    // What is offered now decides, not what was when the call began.
    let catalogue = server.catalogue();
    let (update, live) = match &scope.caller.view {
        View::Common => return Err(VisibilityError::Stateless),
        View::Connection(live) => {
            let update = live.change_view(change, server.limits());
            let update = update.map_err(|setting| VisibilityError::TooMany { setting })?;
            (update, Arc::clone(live))
        }
        View::Session(session, _) => {
            let host = server.sessions().ok_or(VisibilityError::Stateless)?;
            let now = server.runtime().wall_time();
            let (store, limits) = (&host.settings.store, &host.settings.limits);
            let update = store.change_view(&session.key, change, limits, now).await;
            let update = update.map_err(store_error)?.ok_or(VisibilityError::Ended)?;
            session.live.saw_view(&update.after);
            (update, Arc::clone(&session.live))
        }
    };
    announce(context, &catalogue, &update, &live).await;
    Ok(())
}

/// Tells the client of the lists that really changed for it.
async fn announce(context: &Context, catalogue: &Catalogue, update: &ListViewUpdate, live: &LiveSession) {
    let Some(registration) = live.existing_registration() else { return };
    for difference in differences(catalogue, context.0.server.presentation(), update) {
        if is_seen(context, &difference).await {
            registration.subscriber().list_changed(difference.list);
        }
    }
}

/// Tells whether the client sees the difference: what a policy keeps from it anyway it does not miss.
async fn is_seen(context: &Context, difference: &Difference) -> bool {
    if difference.callbacks {
        return true;
    }
    let kind = match difference.list {
        ListKindChanged::Tools => ListKind::Tools,
        ListKindChanged::Prompts => ListKind::Prompts,
        ListKindChanged::Resources => ListKind::Resources,
    };
    let Some(filter) = context.0.server.lists().filter_of(kind) else { return true };
    for listed in &difference.entries {
        // Where the policy cannot tell, the client is told to look, and is answered with the failure.
        if !matches!(filter.decide(context, listed.clone()).await, Ok(Verdict::Hide)) {
            return true;
        }
    }
    false
}

fn store_error(error: StoreError) -> VisibilityError {
    match error {
        StoreError::LimitReached { limit: StoreLimit::SessionText } => {
            VisibilityError::TooMany { setting: "sessions.limits.text_bytes" }
        }
        StoreError::LimitReached { limit: StoreLimit::Hidden } => {
            VisibilityError::TooMany { setting: "sessions.limits.hidden" }
        }
        StoreError::LimitReached { limit: StoreLimit::OpenToolboxes } => {
            VisibilityError::TooMany { setting: "sessions.limits.open_toolboxes" }
        }
        other => VisibilityError::Store(other),
    }
}
