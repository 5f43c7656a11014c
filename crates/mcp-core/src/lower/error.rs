//! Error replies.

use super::Reply;
use crate::{
    json::ObjectWriter,
    jsonrpc::RequestId,
    refusal::{Refusal, WireError},
    version::{Feature, ProtocolVersion},
};
use bytes::Bytes;

/// The reply that says no; without an id when none could be read.
pub(crate) fn error_reply(id: Option<&RequestId>, error: &WireError) -> Reply {
    let mut out = Vec::with_capacity(128 + error.message.len());
    let mut message = ObjectWriter::new(&mut out);
    message.string("jsonrpc", "2.0");
    if let Some(id) = id {
        message.raw("id", id.as_json());
    }
    message.object("error", |object| {
        object.integer("code", i64::from(error.code.number()));
        object.string("message", &error.message);
        if let Some(data) = &error.data {
            object.raw("data", data.to_string());
        }
    });
    message.end();
    Reply::new(Bytes::from(out), error.status)
}

/// The reply for a refusal, by the one table.
pub(crate) fn refusal(id: Option<&RequestId>, refusal: &Refusal, version: Option<ProtocolVersion>) -> Reply {
    error_reply(id, &refusal.on_wire(version))
}

/// The reply for a message that is no sound request, or is many.
///
/// Handshake revisions before 2025-11-25 require the id, so there it is null where none could be read.
pub(crate) fn message_refusal(
    id: Option<&RequestId>,
    reason: &Refusal,
    version: Option<ProtocolVersion>,
) -> Reply {
    let mut reply = refusal(id, reason, version);
    if id.is_none() && version.is_some_and(|version| !version.has(Feature::ErrorWithoutId)) {
        reply.body = with_null_id(&reply.body);
    }
    reply
}

/// The same error with `"id":null`.
fn with_null_id(body: &[u8]) -> Bytes {
    const HEAD: &[u8] = b"{\"jsonrpc\":\"2.0\",";
    match body.strip_prefix(HEAD) {
        Some(rest) => Bytes::from([HEAD, b"\"id\":null,", rest].concat()),
        None => Bytes::copy_from_slice(body),
    }
}
