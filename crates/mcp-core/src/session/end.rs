//! The end of a session, as its client asks for it.

use super::{
    SessionHost,
    find::{Named, key, named},
    refuse::store_refusal,
};
use crate::{
    admit::{self, RequestHead},
    ports::SessionId,
    principal::Principal,
    refusal::Refusal,
    server::Server,
};

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
    if !removed.map_err(store_refusal)? {
        return Err(Refusal::UnknownSession);
    }
    tracing::debug!(session = ?key.id, "the client ends its session");
    match host.get(key.id.as_str(), server.runtime().now()) {
        Some(session) => host.end(server, &session).await,
        None => host.forget_all(server, &key).await,
    }
    Ok(())
}
