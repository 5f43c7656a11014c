//! Which session a request belongs to.

use super::{HttpSession, SessionHost, keeper, refuse::store_refusal};
use crate::{
    admit::{HeaderField, RequestHead},
    ports::{EndpointPath, Owner, SessionId, SessionKey, SessionRecord},
    principal::Principal,
    refusal::Refusal,
    server::Server,
    view,
};
use std::sync::Arc;

/// The header that names the session.
const SESSION_ID: &str = "mcp-session-id";

/// A session that is there, and belongs to who asks where it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) record: SessionRecord,
    pub(crate) session: Arc<HttpSession>,
}

/// What a request says about its session.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Named<'a> {
    Nothing,
    /// An id as the client wrote it; what no id looks like names no session.
    Id(&'a str),
    /// More than one id.
    Repeated,
}

/// Reads the session header.
pub(crate) fn named(head: &dyn RequestHead) -> Named<'_> {
    match head.field(SESSION_ID) {
        HeaderField::Absent => Named::Nothing,
        HeaderField::Once(raw) => Named::Id(std::str::from_utf8(raw.trim_ascii()).unwrap_or_default()),
        HeaderField::Repeated => Named::Repeated,
    }
}

/// Finds the session a request names, and moves its end away.
///
/// # Errors
/// [`Refusal::SessionIdMissing`], [`Refusal::UnknownSession`] for one that is unknown, has ended, or belongs to
/// someone else or to another endpoint, and [`Refusal::StoreUnavailable`].
pub(crate) async fn find(
    server: &Server,
    host: &SessionHost,
    head: &dyn RequestHead,
    principal: Option<&Principal>,
) -> Result<Found, Refusal> {
    let id = match named(head) {
        Named::Id(id) => id,
        Named::Nothing => return Err(Refusal::SessionIdMissing),
        Named::Repeated => return Err(Refusal::InvalidRequest("`Mcp-Session-Id` is there more than once")),
    };
    let now = server.runtime().now();
    let (live, key) = match host.get(id, now) {
        Some(live) if !belongs(&live.key, head, principal) => return Err(Refusal::UnknownSession),
        Some(live) => (Some(Arc::clone(&live)), live.key.clone()),
        None => {
            let id = SessionId::parse(id).ok_or(Refusal::UnknownSession)?;
            (None, key(id, head, principal))
        }
    };
    let touched = host.settings.store.touch(&key, server.runtime().wall_time()).await;
    let Some(record) = touched.map_err(store_refusal)? else {
        if let Some(live) = live {
            host.end(server, &live).await;
        }
        return Err(Refusal::UnknownSession);
    };
    let session = match live {
        // While the store took its time the keeper may have let it go.
        Some(live) => host.keep(live),
        None => {
            // The session may have begun in another process, which looks after its own work only.
            keeper::start(server, host);
            host.enter(&record.key, now)
        }
    };
    if record.initialized {
        session.live.mark_initialized();
    }
    notice_view(server, &session, &record);
    Ok(Found { record, session })
}

/// Tells the client what another process has shown or hidden for it.
pub(super) fn notice_view(server: &Server, session: &HttpSession, record: &SessionRecord) {
    let Some(update) = session.live.saw_view(&record.view) else { return };
    let Some(registration) = session.live.existing_registration() else { return };
    for difference in view::differences(&server.catalogue(), server.presentation(), &update) {
        registration.subscriber().list_changed(difference.list);
    }
}

/// The key of a session that is asked for here, by this caller.
pub(super) fn key(id: SessionId, head: &dyn RequestHead, principal: Option<&Principal>) -> SessionKey {
    SessionKey { id, owner: Owner::of(principal), endpoint: endpoint(head) }
}

/// The path of the endpoint; it is the same with and without a slash at its end.
fn endpoint(head: &dyn RequestHead) -> EndpointPath {
    EndpointPath::new(head.path().trim_end_matches('/'))
}

fn belongs(key: &SessionKey, head: &dyn RequestHead, principal: Option<&Principal>) -> bool {
    key.owner.is(principal) && key.endpoint.as_str() == head.path().trim_end_matches('/')
}
