//! Error replies.

use super::Reply;
use crate::{
    json::ObjectWriter,
    jsonrpc::RequestId,
    refusal::{Refusal, WireError},
    version::ProtocolVersion,
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
