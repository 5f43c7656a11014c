//! From an exchange to an HTTP response: plain JSON, or an event stream when that is needed.

use crate::{
    authenticate,
    body::Timer,
    endpoint::Inner,
    refuse::{HttpRefusal, error_response},
    sse::EventStream,
};
use axum::body::Body;
use http::{HeaderValue, Response, StatusCode, header};
use mcp_core::{
    exchange::{Exchange, Outgoing, Reply},
    media::Accepts,
};
use std::{
    future::poll_fn,
    task::{Poll, ready},
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");

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
                if accepts.json.is_accepted() || !events || reply.status != StatusCode::OK.as_u16() =>
            {
                return json(endpoint, reply);
            }
            // Nobody cancels over HTTP but by leaving, so an exchange ends with its reply.
            First::Message(None) => {
                return error_response(StatusCode::INTERNAL_SERVER_ERROR, "Internal error");
            }
            // A client that takes no event stream cannot be told anything before the reply.
            First::Message(Some(Outgoing::Notification(_))) if !events => continue,
            First::Message(message) => message,
            First::Silence => None,
        };
        match endpoint.streams.open() {
            Some(slot) => {
                let keep_alive = endpoint.options.keep_alive;
                let cut = endpoint.cut.clone().cancelled_owned();
                return event_stream(EventStream::new(exchange, message, keep_alive, cut, slot));
            }
            None if exchange.is_listen() || matches!(message, Some(Outgoing::Reply(_))) => {
                return HttpRefusal::Streams.into_response();
            }
            // The call goes on and is answered as plain JSON; what it says before is lost.
            None => {
                tracing::warn!("a call could not become an event stream (setting: max_streams)");
                silence = None;
            }
        }
    }
}

/// The reply as plain JSON with the status that goes with it.
fn json(endpoint: &Inner, reply: Reply) -> Response<Body> {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = Response::new(Body::from(reply.body));
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    *response.status_mut() = status;
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

fn event_stream(stream: EventStream) -> Response<Body> {
    let mut response = Response::new(Body::new(stream));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, EVENT_STREAM);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
