//! The messages that a client posts within its session.

use super::{
    Found, HttpSession, SessionHost, SessionWork, Working, begin,
    end::setting_of,
    find,
    find::{Named, named, unavailable},
};
use crate::{
    admit::{self, RequestHead},
    context::{Asking, Caller, LogThreshold, Transport},
    dispatch,
    exchange::{Asked, Exchange, Outcome},
    json::Node,
    jsonrpc::{Batch, Incoming, IncomingRequest, Notification, RequestId},
    lower::{self, Offer},
    ports::{SessionUpdate, StoreError},
    protocol::{LogLevel, Method},
    refusal::Refusal,
    server::{self, BatchOutcome, Peer, Server},
    version::{Feature, ProtocolVersion},
};
use std::{future::Future, sync::Arc, time::Duration};

/// Serves a request of a handshake client: the handshake itself, or a request of a session.
pub(crate) async fn serve(
    server: &Server,
    host: &SessionHost,
    request: IncomingRequest,
    head: &dyn RequestHead,
    peer: Peer,
) -> Exchange {
    let found = find(server, host, head, peer.principal.as_deref()).await;
    if request.method().str_eq(Method::Initialize.as_str()) {
        return match found {
            Ok(found) => {
                let refusal = Refusal::InvalidRequest("the handshake of this session is done already");
                dispatch::refuse_as(&request, &refusal, Some(found.record.version), peer.transport)
            }
            // A client that begins again may still send the id of a session that has ended.
            Err(_) => initialize(server, host, &request, head, &peer).await,
        };
    }
    match found {
        Ok(found) => {
            let exchange = request_of(server, host, &found, request, head.accepts_event_stream(), peer);
            if exchange.is_working() { carried(server, &found, exchange) } else { exchange }
        }
        Err(refusal) => dispatch::refuse_as(&request, &refusal, None, peer.transport),
    }
}

/// Ties an exchange to its session: it outlives the connection that asked.
fn carried(server: &Server, found: &Found, exchange: Exchange) -> Exchange {
    let working = Working::begin(server, Arc::clone(&found.session));
    exchange.in_session(SessionWork::new(working, found.record.version))
}

async fn initialize(
    server: &Server,
    host: &SessionHost,
    request: &IncomingRequest,
    head: &dyn RequestHead,
    peer: &Peer,
) -> Exchange {
    let refuse = |refusal: &Refusal| {
        dispatch::refuse_as(request, refusal, Some(ProtocolVersion::LATEST_HANDSHAKE), peer.transport)
    };
    let (version, params) = match server.handshake(request) {
        Ok(agreed) => agreed,
        Err(refusal) => return refuse(&refusal),
    };
    match begin(server, host, version, &params, head, peer.principal.as_deref()).await {
        Ok(id) => {
            let channel = Offer::when(host.settings.get_stream);
            let mut reply = server.welcome(request, version, channel, Offer::Yes);
            reply.session = Some(id);
            dispatch::answer_as(request, version, peer.transport, reply)
        }
        Err(refusal) => refuse(&refusal),
    }
}

/// Serves the messages of a batch.
///
/// # Errors
/// The refusal of the whole.
pub(crate) async fn serve_batch(
    server: &Server,
    host: &SessionHost,
    batch: Batch,
    head: &dyn RequestHead,
    peer: Peer,
) -> Result<BatchOutcome, Refusal> {
    let found = match find(server, host, head, peer.principal.as_deref()).await {
        Ok(found) => found,
        // Without a session nothing says that the client speaks the revision that has batches.
        Err(Refusal::SessionIdMissing) => return Err(Refusal::Batch),
        Err(refusal) => return Err(refusal),
    };
    if !found.record.version.has(Feature::Batching) {
        return Err(Refusal::Batch);
    }
    let events = head.accepts_event_stream();
    let mut initialized = false;
    let version = found.record.version;
    let outcome =
        server::serve_batch(batch, server.limits(), version, Transport::Http, |message| match message {
            Incoming::Request(request) => {
                Some(request_of(server, host, &found, request, events, peer.clone()))
            }
            other => {
                initialized |= is_initialized(&other);
                apply(&found.session, &other);
                None
            }
        });
    if initialized {
        mark_initialized(server, host, &found).await?;
    }
    Ok(match outcome {
        BatchOutcome::Exchange(exchange) => BatchOutcome::Exchange(carried(server, &found, exchange)),
        other => other,
    })
}

/// Takes a notification or a response.
///
/// # Errors
/// The refusal to answer with.
pub(crate) async fn take(
    server: &Server,
    host: &SessionHost,
    message: &Incoming,
    head: &dyn RequestHead,
    peer: Peer,
) -> Result<(), Refusal> {
    admit::handshake_version(head, server.versions())?;
    let found = find(server, host, head, peer.principal.as_deref()).await?;
    if is_initialized(message) {
        return mark_initialized(server, host, &found).await;
    }
    apply(&found.session, message);
    Ok(())
}

/// Tells whether a request names a session at all.
pub(crate) fn is_named(head: &dyn RequestHead) -> bool {
    named(head) != Named::Nothing
}

fn is_initialized(message: &Incoming) -> bool {
    matches!(message, Incoming::Notification(notification) if notification.method().str_eq("notifications/initialized"))
}

async fn mark_initialized(server: &Server, host: &SessionHost, found: &Found) -> Result<(), Refusal> {
    let now = server.runtime().wall_time();
    updated(host.settings.store.mark_initialized(&found.record.key, now).await)
}

/// What a notification or a response does at once.
fn apply(session: &HttpSession, message: &Incoming) {
    match message {
        Incoming::Response(response) => session.live.questions.answer(response),
        Incoming::Notification(notification) if notification.method().str_eq("notifications/cancelled") => {
            cancel(session, notification);
        }
        _ => {}
    }
}

fn cancel(session: &HttpSession, notification: &Notification) {
    let params = notification.params();
    let Some(id) = params.and_then(|params| params.get("requestId")).and_then(RequestId::from_node) else {
        return;
    };
    let reason = params.and_then(|params| params.get("reason")).and_then(Node::as_str);
    let reason: String = reason.unwrap_or_default().chars().take(200).collect();
    let found = session.live.in_flight.cancel(&id.key());
    tracing::debug!(%id, reason, found, "the client cancels a request");
}

/// Serves a request of a session.
fn request_of(
    server: &Server,
    host: &SessionHost,
    found: &Found,
    request: IncomingRequest,
    events: bool,
    peer: Peer,
) -> Exchange {
    let version = found.record.version;
    let refuse = |request: &IncomingRequest, refusal: &Refusal| {
        dispatch::refuse_as(request, refusal, Some(version), Transport::Http)
    };
    let method = request.method().as_str().and_then(|name| Method::parse(&name));
    let Some(method) = method.filter(|method| method.exists_in(version)) else {
        return refuse(&request, &Refusal::MethodNotFound);
    };
    let live = &found.session.live;
    if live.in_flight.len() >= server.limits().requests_in_flight {
        return refuse(&request, &Refusal::Limit { setting: "limits.requests_in_flight" });
    }
    let place = live.in_flight.share(request.id.key());
    let exchange = match method {
        Method::SetLevel => set_level(server, host, found, request),
        Method::Subscribe | Method::Unsubscribe => subscribe(server, host, found, request, method),
        _ => {
            let record = &found.record;
            let session = Arc::clone(live);
            let caller = Caller {
                capabilities: record.capabilities.clone(),
                client_info: record.client_info.clone(),
                log: LogThreshold::From(record.log_level.unwrap_or(LogLevel::Debug)),
                session: Some(record.key.id.clone()),
                asking: if events { Asking::Live(session) } else { Asking::Nobody(Some(session)) },
                ..Caller::plain(version, &request, peer)
            };
            dispatch::dispatch(server, request, method, caller)
        }
    };
    exchange.keep_place(place)
}

/// `logging/setLevel`; a level that does not exist leaves the session's as it is.
fn set_level(server: &Server, host: &SessionHost, found: &Found, request: IncomingRequest) -> Exchange {
    let level = dispatch::log_level(&request);
    let (store, key) = (Arc::clone(&host.settings.store), found.record.key.clone());
    let now = server.runtime().wall_time();
    after(server, request, found.record.version, async move {
        updated(store.set_log_level(&key, level?, now).await)
    })
}

/// `resources/subscribe` and `resources/unsubscribe`.
fn subscribe(
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
        let ear = live
            .ear(&of, record.subscriptions.iter().map(|uri| &**uri))
            .ok_or(Refusal::Limit { setting: "limits.subscriptions" })?;
        if method == Method::Unsubscribe {
            ear.subscriber().unsubscribe(&uri);
            return updated(store.unsubscribe(&record.key, &uri, now).await);
        }
        if of.catalogue().resource(&uri).is_none() {
            return Err(Refusal::ResourceNotFound(uri));
        }
        ear.subscriber().subscribe(&uri, of.limits().subscription_uris)?;
        let outcome = updated(store.subscribe(&record.key, &uri, &limits, now).await);
        if outcome.is_err() {
            ear.subscriber().unsubscribe(&uri);
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
                asked.report(Outcome::Refused, Duration::ZERO);
                lower::refusal(Some(&request.id), &refusal, Some(version))
            }
        }
    }))
}

fn updated(outcome: Result<SessionUpdate, StoreError>) -> Result<(), Refusal> {
    match outcome {
        Ok(SessionUpdate::Changed | SessionUpdate::Unchanged) => Ok(()),
        Ok(SessionUpdate::Unknown) => Err(Refusal::UnknownSession),
        Err(StoreError::LimitReached { limit }) => Err(Refusal::Limit { setting: setting_of(limit) }),
        Err(error) => Err(unavailable(error)),
    }
}
