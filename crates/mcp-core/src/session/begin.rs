//! The beginning of a session.

use super::{SessionHost, find::key, keeper, refuse::store_refusal};
use crate::{
    admit::RequestHead,
    dispatch::InitializeParams,
    ports::{SessionId, SessionRecord},
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
    host.settings.store.create(record, limits, now).await.map_err(store_refusal)?;
    keeper::start(server, host);
    tracing::debug!(session = ?id, %version, "a session begins");
    Ok(id)
}
