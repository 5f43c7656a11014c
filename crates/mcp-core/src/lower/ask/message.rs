//! Whole messages around what is asked.

use super::{
    super::{Reply, ResultFrame},
    params::{ask_params, has_params},
};
use crate::{ask::AskRequest, json::ObjectWriter, protocol::Meta, version::ProtocolVersion};
use bytes::Bytes;

/// A request to the client, which is how the handshake era asks.
pub(crate) fn ask_request(id: i64, request: &AskRequest, version: ProtocolVersion) -> Bytes {
    write(|message| {
        message.integer("id", id);
        ask_members(message, request, version);
    })
}

/// Takes a request to the client back.
///
/// Spec: 2025-11-25, basic/utilities/cancellation.
pub(crate) fn ask_cancelled(id: i64, reason: &str) -> Bytes {
    write(|message| {
        message.string("method", "notifications/cancelled");
        message.object("params", |params| {
            params.integer("requestId", id);
            params.string("reason", reason);
        });
    })
}

/// Tells the client that the user is done with a page.
///
/// Spec: 2025-11-25, client/elicitation#completion-notifications-for-url-mode-elicitation.
pub(crate) fn elicitation_complete(id: &str) -> Bytes {
    write(|message| {
        message.string("method", "notifications/elicitation/complete");
        message.object("params", |params| params.string("elicitationId", id));
    })
}

/// The result that ends a round with what is asked by key, and the state that the retry brings back.
///
/// Spec: 2026-07-28, schema `InputRequiredResult`; it carries no cache hints.
pub(crate) fn input_required<'a>(
    frame: ResultFrame<'_>,
    asks: impl Iterator<Item = (&'a str, &'a AskRequest)>,
    state: &str,
    meta: &Meta,
) -> Reply {
    let mut asks = asks.peekable();
    let body = frame.write_as("input_required", state.len() + 512, meta, None, |result| {
        if asks.peek().is_some() {
            result.object("inputRequests", |requests| {
                for (key, request) in asks {
                    requests.object(key, |object| ask_members(object, request, frame.version));
                }
            });
        }
        if !state.is_empty() {
            result.string("requestState", state);
        }
    });
    Reply::new(Bytes::from(body), 200)
}

/// The method and the parameters of what is asked.
pub(in crate::lower) fn ask_members(
    object: &mut ObjectWriter<'_>,
    request: &AskRequest,
    version: ProtocolVersion,
) {
    object.string("method", request.method());
    if has_params(request) {
        ask_params(object.member("params"), request, version);
    }
}

fn write(fill: impl FnOnce(&mut ObjectWriter<'_>)) -> Bytes {
    let mut out = Vec::with_capacity(256);
    let mut message = ObjectWriter::new(&mut out);
    message.string("jsonrpc", "2.0");
    fill(&mut message);
    message.end();
    Bytes::from(out)
}
