//! The messages that a client posts within its session.

use super::{
    Found, HttpSession, SessionHost, SessionWork, Working, begin,
    change::{set_level, subscribe, updated},
    find,
    find::{Named, named},
    until_initialized,
};
use crate::{
    admit::{self, RequestHead},
    context::{Asking, Caller, LogThreshold, Transport},
    dispatch,
    exchange::Exchange,
    jsonrpc::{Batch, Incoming, IncomingRequest},
    lower::Offer,
    protocol::{LogLevel, Method},
    refusal::Refusal,
    server::{self, BatchOutcome, Peer, Server},
    version::{Feature, ProtocolVersion},
    view::View,
};
use std::sync::Arc;

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
            let asking = asking(&found, head);
            let exchange = request_of(server, host, &found, request, asking, peer);
            let open = exchange.is_working() || exchange.is_waiting();
            if open { carried(server, &found, exchange) } else { exchange }
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
    let instructions = match server.instruct(&request.id, peer, version).await {
        Ok(instructions) => instructions,
        Err(reply) => return dispatch::answer_as(request, version, peer.transport, reply),
    };
    match begin(server, host, version, &params, head, peer.principal.as_deref()).await {
        Ok(id) => {
            let channel = Offer::when(host.settings.get_stream);
            let mut reply = server.welcome(request, version, channel, Offer::Yes, instructions.as_deref());
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
    let asking = asking(&found, head);
    let mut initialized = false;
    let version = found.record.version;
    let outcome =
        server::serve_batch(batch, server.limits(), version, Transport::Http, |message| match message {
            Incoming::Request(request) => {
                Some(request_of(server, host, &found, request, asking.clone(), peer.clone()))
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
    updated(host.settings.store.mark_initialized(&found.record.key, now).await)?;
    found.session.live.mark_initialized();
    Ok(())
}

/// What a notification or a response does at once.
fn apply(session: &HttpSession, message: &Incoming) {
    match message {
        Incoming::Response(response) => session.live.questions.answer(response),
        Incoming::Notification(notification) if notification.method().str_eq("notifications/cancelled") => {
            session.live.cancel(notification);
        }
        _ => {}
    }
}

/// How the client can be asked: on the stream that answers it, if it takes one.
fn asking(found: &Found, head: &dyn RequestHead) -> Asking {
    let session = Arc::clone(&found.session.live);
    if head.accepts_event_stream() { Asking::Live(session) } else { Asking::Nobody(Some(session)) }
}

/// Serves a request of a session.
fn request_of(
    server: &Server,
    host: &SessionHost,
    found: &Found,
    request: IncomingRequest,
    asking: Asking,
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
    let place = match live.in_flight.share(&request, server.limits()) {
        Ok(place) => place,
        Err(refusal) => return refuse(&request, &refusal),
    };
    let complete = if method == Method::Ping || !server.lifecycle().is_enforced() {
        None
    } else {
        let store = (Arc::clone(&host.settings.store), found.record.key.clone());
        until_initialized(server, live, Some(store))
    };
    let exchange = match complete {
        None => serve_now(server, host, found, (request, method), asking, peer),
        Some(complete) => {
            let (server, found) = (server.clone(), found.clone());
            Exchange::held(request, complete, move |request, initialized| match server.sessions() {
                Some(host) if initialized => {
                    serve_now(&server, host, &found, (request, method), asking, peer)
                }
                _ => {
                    dispatch::refuse_as(&request, &Refusal::InitializedFirst, Some(version), Transport::Http)
                }
            })
        }
    };
    exchange.keep_place(place)
}

/// Serves a request of a session whose handshake is as complete as it has to be.
fn serve_now(
    server: &Server,
    host: &SessionHost,
    found: &Found,
    (request, method): (IncomingRequest, Method),
    asking: Asking,
    peer: Peer,
) -> Exchange {
    match method {
        Method::SetLevel => set_level(server, host, found, request),
        Method::Subscribe | Method::Unsubscribe => subscribe(server, host, found, request, method),
        _ => {
            let record = &found.record;
            let caller = Caller {
                capabilities: record.capabilities.clone(),
                client_info: record.client_info.clone(),
                log: LogThreshold::From(record.log_level.unwrap_or(LogLevel::Debug)),
                session: Some(record.key.id.clone()),
                scope: Some(record.key.id.clone()),
                asking,
                view: View::Session(Arc::clone(&found.session), found.session.live.view()),
                ..Caller::plain(record.version, &request, peer)
            };
            dispatch::dispatch(server, request, method, caller)
        }
    }
}
