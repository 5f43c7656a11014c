//! From an exchange to an HTTP response: plain JSON, or an event stream when that is needed.

use crate::{
    authenticate,
    body::Timer,
    cache,
    deadline::OpenEnded,
    endpoint::Inner,
    options::QuietAnswers,
    refuse::HttpRefusal,
    sse::{self, EventStream},
    streams::Slot,
};
use axum::body::Body;
use bytes::BytesMut;
use http::{HeaderName, HeaderValue, Response, StatusCode, header};
use mcp_core::{
    exchange::{Events, Exchange, Outgoing, Reply, StreamControl},
    media::Accepts,
};
use std::{
    future::poll_fn,
    task::{Poll, ready},
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");
const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

/// What comes first: a message, or silence for as long as the keep-alive interval.
enum First {
    Message(Option<Outgoing>),
    Silence,
}

/// Drives an exchange until it is known what kind of answer it needs.
pub(crate) async fn respond(endpoint: &Inner, mut exchange: Exchange, accepts: Accepts) -> Response<Body> {
    let events = accepts.event_stream.is_accepted();
    if exchange.is_listen() && !events {
        return HttpRefusal::ListenNeedsEvents.into_response();
    }
    let plain = match endpoint.options.quiet_answers {
        QuietAnswers::PlainJson => accepts.json.is_accepted(),
        QuietAnswers::EventStream => !events,
    };
    let mut silence =
        endpoint.options.keep_alive.filter(|_| events).map(|after| Timer { after, running: None });
    loop {
        let first = poll_fn(|context| match exchange.poll_message(context) {
            Poll::Ready(message) => Poll::Ready(First::Message(message)),
            Poll::Pending => match &mut silence {
                Some(timer) => {
                    ready!(timer.poll(context));
                    Poll::Ready(First::Silence)
                }
                None => Poll::Pending,
            },
        })
        .await;
        let message = match first {
            // A refusal keeps its status, which an event stream could not carry.
            First::Message(Some(Outgoing::Reply(reply)))
                if plain || !events || reply.status != StatusCode::OK.as_u16() =>
            {
                return json(endpoint, reply);
            }
            // The request was cancelled: there is nothing to send, and nothing to wait for.
            First::Message(None) => return nothing(accepts),
            // A client that takes no event stream cannot be told anything before the reply.
            First::Message(Some(Outgoing::Notification(_) | Outgoing::Request(_))) if !events => continue,
            // Where nobody can come back, a stream is neither begun nor ended for the sake of it.
            First::Message(Some(Outgoing::Stream(_))) if !events || !exchange.is_resumable() => continue,
            First::Message(Some(Outgoing::Stream(StreamControl::Open))) | First::Silence => None,
            First::Message(message) => message,
        };
        match (endpoint.streams.open(), message) {
            (Some(slot), message) => {
                let session = match &message {
                    Some(Outgoing::Reply(reply)) => session_header(reply),
                    _ => None,
                };
                let open_ended = exchange.is_listen();
                let mut response = event_stream(endpoint, exchange.into_events(message), slot).await;
                if open_ended {
                    response.extensions_mut().insert(OpenEnded);
                }
                response.headers_mut().extend(session.map(|id| (SESSION_ID, id)));
                return response;
            }
            (None, Some(Outgoing::Reply(reply))) if accepts.json.is_accepted() => {
                return json(endpoint, reply);
            }
            (None, message) if exchange.is_listen() || matches!(message, Some(Outgoing::Reply(_))) => {
                return HttpRefusal::Streams.into_response();
            }
            // The call goes on and is answered as plain JSON; what it says before is lost.
            (None, _) => {
                tracing::warn!("a call could not become an event stream (setting: max_streams)");
                silence = None;
            }
        }
    }
}

/// A stream that a client opened; `None` when too many are open.
pub(crate) async fn stream(endpoint: &Inner, events: Events) -> Option<Response<Body>> {
    let slot = endpoint.streams.open()?;
    let mut response = event_stream(endpoint, events, slot).await;
    response.extensions_mut().insert(OpenEnded);
    Some(response)
}

/// The reply as plain JSON with the status that goes with it.
pub(crate) fn json(endpoint: &Inner, reply: Reply) -> Response<Body> {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let (session, hints) = (session_header(&reply), reply.cache);
    let mut response = Response::new(Body::from(reply.body));
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    if let Some(hints) = hints {
        cache::tell(response.headers_mut(), hints);
    }
    response.headers_mut().extend(session.map(|id| (SESSION_ID, id)));
    *response.status_mut() = status;
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    }
    if status == StatusCode::UNAUTHORIZED {
        if endpoint.options.verifier.is_some() {
            authenticate::challenge_again(&mut response);
        } else {
            // Nobody said what the client could come back with.
            *response.status_mut() = StatusCode::OK;
        }
    }
    if let Some(scopes) = reply.required_scopes {
        if endpoint.options.verifier.is_some() {
            authenticate::challenge_scopes(&mut response, &scopes);
        } else {
            // Without authorization there is nothing the client could come back with.
            *response.status_mut() = StatusCode::OK;
        }
    }
    response
}

/// The id of the session that a reply begins.
fn session_header(reply: &Reply) -> Option<HeaderValue> {
    HeaderValue::from_str(reply.session.as_ref()?.as_str()).ok()
}

/// A response for a request that was cancelled: it ends without a message.
fn nothing(accepts: Accepts) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    if accepts.event_stream.is_accepted() {
        response.headers_mut().insert(header::CONTENT_TYPE, EVENT_STREAM);
    } else {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}

async fn event_stream(endpoint: &Inner, mut events: Events, slot: Slot) -> Response<Body> {
    let mut written = BytesMut::new();
    let over = poll_fn(|context| Poll::Ready(sse::fill(&mut written, &mut events, context))).await;
    as_events(if over {
        // All of it is there: an ordinary body, whose length is known.
        Body::from(written.freeze())
    } else {
        let cut = endpoint.cut.clone().cancelled_owned();
        let keep_alive = endpoint.options.keep_alive;
        Body::new(EventStream::new(events, written.freeze(), keep_alive, cut, slot))
    })
}

/// A body of events with the headers that it needs on its way.
pub(crate) fn as_events(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, EVENT_STREAM);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
