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
    write(id.map(RequestId::as_json), error)
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
    refusal: &Refusal,
    version: Option<ProtocolVersion>,
) -> Reply {
    let required = version.is_some_and(|version| !version.has(Feature::ErrorWithoutId));
    let null = required.then_some(b"null".as_slice());
    write(id.map(RequestId::as_json).or(null), &refusal.on_wire(version))
}

/// Writes an error with an id that is JSON text already.
fn write(id: Option<&[u8]>, error: &WireError) -> Reply {
    let mut out = Vec::with_capacity(128 + error.message.len());
    let mut message = ObjectWriter::new(&mut out);
    message.string("jsonrpc", "2.0");
    if let Some(id) = id {
        message.raw("id", id);
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
