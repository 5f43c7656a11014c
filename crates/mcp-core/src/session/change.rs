//! Requests that change what is remembered of a session: the log level and the subscriptions.

use super::{Found, SessionHost, refuse::store_refusal};
use crate::{
    context::Transport,
    dispatch,
    exchange::{Asked, Exchange, Outcome},
    jsonrpc::IncomingRequest,
    lower,
    ports::{SessionUpdate, StoreError},
    protocol::Method,
    refusal::Refusal,
    server::Server,
    subscription::Room,
    version::ProtocolVersion,
};
use std::{future::Future, sync::Arc, time::Duration};

/// `logging/setLevel`; a level that does not exist leaves the session's as it is.
pub(super) fn set_level(
    server: &Server,
    host: &SessionHost,
    found: &Found,
    request: IncomingRequest,
) -> Exchange {
    let level = dispatch::log_level(&request);
    let (store, key) = (Arc::clone(&host.settings.store), found.record.key.clone());
    let now = server.runtime().wall_time();
    after(server, request, found.record.version, async move {
        updated(store.set_log_level(&key, level?, now).await)
    })
}

/// `resources/subscribe` and `resources/unsubscribe`.
pub(super) fn subscribe(
    server: &Server,
    host: &SessionHost,
    found: &Found,
    request: IncomingRequest,
    method: Method,
) -> Exchange {
    let version = found.record.version;
    if !(server.announces_updates() && host.settings.get_stream) {
        return dispatch::refuse_as(&request, &Refusal::MethodNotFound, Some(version), Transport::Http);
    }
    let uri = dispatch::member_text(request.params(), "uri");
    let (store, limits) = (Arc::clone(&host.settings.store), host.settings.limits);
    let (record, live) = (found.record.clone(), Arc::clone(&found.session.live));
    let (now, of) = (server.runtime().wall_time(), server.clone());
    after(server, request, version, async move {
        let uri = uri?;
        let registration = live
            .registration(&of, record.subscriptions.iter().map(|uri| &**uri))
            .map_err(|full| Refusal::Limit { setting: full.setting() })?;
        if method == Method::Unsubscribe {
            registration.subscriber().unsubscribe(&uri);
            return updated(store.unsubscribe(&record.key, &uri, now).await);
        }
        dispatch::check_uri(of.limits(), &uri)?;
        if of.catalogue().resource(&uri).is_none() {
            return Err(Refusal::ResourceNotFound(uri));
        }
        // What the texts of a session may have together is the store's to say.
        let room = Room { uris: of.limits().subscription_uris, ..Room::UNBOUNDED };
        registration.subscriber().subscribe(&uri, room)?;
        let outcome = updated(store.subscribe(&record.key, &uri, &limits, now).await);
        // What was subscribed to before stays, whatever became of the repetition.
        if outcome.is_err() && !record.subscriptions.contains(&*uri) {
            registration.subscriber().unsubscribe(&uri);
        }
        outcome
    })
}

/// The exchange of a request that changes the session and is answered with nothing.
fn after(
    server: &Server,
    request: IncomingRequest,
    version: ProtocolVersion,
    change: impl Future<Output = Result<(), Refusal>> + Send + 'static,
) -> Exchange {
    let server = server.clone();
    Exchange::deferred(Box::pin(async move {
        let outcome = change.await;
        let asked = Asked { request: &request, version: Some(version), transport: Transport::Http };
        match outcome {
            Ok(()) => {
                asked.report(Outcome::Completed, Duration::ZERO);
                lower::empty(server.frame(&request.id, version))
            }
            Err(refusal) => {
                refusal.log();
                asked.report(Outcome::Refused, Duration::ZERO);
                lower::refusal(Some(&request.id), &refusal, Some(version))
            }
        }
    }))
}

/// What a client is told of a change in the store.
pub(super) fn updated(outcome: Result<SessionUpdate, StoreError>) -> Result<(), Refusal> {
    match outcome.map_err(store_refusal)? {
        SessionUpdate::Changed | SessionUpdate::Unchanged => Ok(()),
        SessionUpdate::Unknown => Err(Refusal::UnknownSession),
    }
}
