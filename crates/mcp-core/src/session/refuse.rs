//! What a client is told when a store refuses or fails.

use crate::{
    ports::{StoreError, StoreLimit},
    refusal::Refusal,
};

/// The refusal for an error of the session store or the event log; a failure is logged, because clients are told
/// nothing of it.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
pub(super) fn store_refusal(error: StoreError) -> Refusal {
    if let StoreError::LimitReached { limit } = error {
        let setting = setting_of(limit);
        return match limit {
            // The client itself asks for too much; to come back later would not help.
            StoreLimit::SessionText
            | StoreLimit::Subscriptions
            | StoreLimit::Hidden
            | StoreLimit::OpenToolboxes => Refusal::beyond(setting),
            _ => Refusal::Limit { setting },
        };
    }
    tracing::error!(%error, "the session store failed");
    Refusal::StoreUnavailable
}

/// The setting that governs a limit of the store.
const fn setting_of(limit: StoreLimit) -> &'static str {
    match limit {
        StoreLimit::Sessions => "sessions.limits.total",
        StoreLimit::SessionsOfPrincipal => "sessions.limits.per_principal",
        StoreLimit::SessionText => "sessions.limits.text_bytes",
        StoreLimit::Subscriptions => "sessions.limits.subscriptions",
        StoreLimit::Hidden => "sessions.limits.hidden",
        StoreLimit::OpenToolboxes => "sessions.limits.open_toolboxes",
        StoreLimit::Streams => "sessions.event_limits.total_streams",
        StoreLimit::StreamsOfSession => "sessions.event_limits.session_streams",
        StoreLimit::Tasks => "tasks.limits.total",
        StoreLimit::TasksOfOwner => "tasks.limits.per_owner",
    }
}
