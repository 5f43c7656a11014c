//! The beginning and the end of a session.

use super::{
    HttpSession, SessionHost,
    find::{Named, key, named, unavailable},
    keeper,
};
use crate::{
    admit::{self, RequestHead},
    dispatch::InitializeParams,
    ports::{SessionId, SessionRecord, StoreError, StoreLimit},
    principal::Principal,
    refusal::Refusal,
    server::Server,
    version::ProtocolVersion,
};

/// Begins a session of what a handshake agreed on; gives its id.
///
/// # Errors
/// [`Refusal::Limit`] when there are too many, [`Refusal::StoreUnavailable`].
pub(crate) async fn begin(
    server: &Server,
    host: &SessionHost,
    version: ProtocolVersion,
    params: &InitializeParams,
    head: &dyn RequestHead,
    principal: Option<&Principal>,
) -> Result<SessionId, Refusal> {
    let mut random = [0; 32];
    server.runtime().fill_random(&mut random);
    let key = key(SessionId::from_random(random), head, principal);
    let (id, limits) = (key.id.clone(), &host.settings.limits);
    let now = server.runtime().wall_time();
    let record = SessionRecord::begin(
        key,
        version,
        &params.capabilities,
        params.client_info.as_deref(),
        limits.idle_ttl,
        now,
    )
    .opening_until(limits.opening_ttl, now);
    match host.settings.store.create(record, limits, now).await {
        Ok(()) => {
            keeper::start(server, host);
            tracing::debug!(session = ?id, %version, "a session begins");
            Ok(id)
        }
        Err(StoreError::LimitReached { limit }) => Err(Refusal::Limit { setting: setting_of(limit) }),
        Err(error) => Err(unavailable(error)),
    }
}

/// Ends the session a request names, for every node.
///
/// # Errors
/// As [`find`](super::find()) does, and what [`handshake_version`](admit::handshake_version) refuses.
pub(crate) async fn end(
    server: &Server,
    host: &SessionHost,
    head: &dyn RequestHead,
    principal: Option<&Principal>,
) -> Result<(), Refusal> {
    admit::handshake_version(head, server.versions())?;
    let Named::Id(id) = named(head) else { return Err(Refusal::SessionIdMissing) };
    let id = SessionId::parse(id).ok_or(Refusal::UnknownSession)?;
    let key = key(id, head, principal);
    let removed = host.settings.store.remove(&key, server.runtime().wall_time()).await;
    if !removed.map_err(unavailable)? {
        return Err(Refusal::UnknownSession);
    }
    tracing::debug!(session = ?key.id, "the client ends its session");
    match host.get(key.id.as_str(), server.runtime().now()) {
        Some(session) => end_here(host, &session).await,
        None => forget_events(host, &key).await,
    }
    Ok(())
}

/// Ends what runs here for a session that is no longer in the store.
pub(super) async fn end_here(host: &SessionHost, session: &HttpSession) {
    host.forget(session);
    session.end();
    forget_events(host, &session.key).await;
}

async fn forget_events(host: &SessionHost, key: &crate::ports::SessionKey) {
    if let Err(error) = host.settings.events.remove_session(key).await {
        tracing::warn!(%error, "the events of an ended session could not be removed");
    }
}

/// The setting that governs a limit of the store.
pub(super) const fn setting_of(limit: StoreLimit) -> &'static str {
    match limit {
        StoreLimit::Sessions => "sessions.limits.total",
        StoreLimit::SessionsOfPrincipal => "sessions.limits.per_principal",
        StoreLimit::SessionText => "sessions.limits.text_bytes",
        StoreLimit::Subscriptions => "sessions.limits.subscriptions",
        StoreLimit::Streams => "sessions.event_limits.total_streams",
        StoreLimit::StreamsOfSession => "sessions.event_limits.session_streams",
    }
}
