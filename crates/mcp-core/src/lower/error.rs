//! Error replies.

use super::Reply;
use crate::{
    json::{ObjectWriter, WriteBounds, append_bounded},
    jsonrpc::{ErrorCode, RequestId},
    output::OutputFault,
    refusal::{Refusal, WireError},
    version::{Feature, ProtocolVersion},
};
use bytes::Bytes;

/// The bytes that an error may have whatever `limits.output_bytes` says: enough for the longest id, and for what the
/// protocol itself has to say.
const LEAST: usize = 4 * 1024;

/// How deep the data of an error may nest.
const MOST_DEPTH: usize = 128;

/// The reply that says no; without an id when none could be read.
pub(crate) fn error_reply(id: Option<&RequestId>, error: &WireError) -> Reply {
    error_reply_within(id, error, LEAST)
}

/// The reply that says no in so many bytes: without its data, and then with the standard message, when it would have
/// more.
pub(crate) fn error_reply_within(id: Option<&RequestId>, error: &WireError, limit: usize) -> Reply {
    write(id.map(RequestId::as_json), error, limit)
}

/// The reply in the place of a result that is too large.
pub(super) fn too_large(id: &RequestId, limit: usize) -> Reply {
    let message = OutputFault::Bytes(limit).to_string().into();
    error_reply(Some(id), &WireError { code: ErrorCode::InternalError, message, data: None, status: 200 })
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
    write(id.map(RequestId::as_json).or(null), &refusal.on_wire(version), LEAST)
}

/// The error object alone, for an error without data.
pub(crate) fn error_object(error: &WireError) -> Bytes {
    let mut out = Vec::with_capacity(96);
    let mut object = ObjectWriter::new(&mut out);
    object.integer("code", i64::from(error.code.number()));
    object.string("message", &error.message);
    object.end();
    Bytes::from(out)
}

/// Writes an error with an id that is JSON text already, in so many bytes at most, or in the least there may be.
fn write(id: Option<&[u8]>, error: &WireError, limit: usize) -> Reply {
    let limit = limit.max(LEAST);
    let mut data = Vec::new();
    let bounds = WriteBounds { bytes: limit, tokens: limit, depth: MOST_DEPTH };
    let has_data = error.data.as_ref().is_some_and(|value| append_bounded(&mut data, value, bounds).is_ok());
    let data = has_data.then_some(data.as_slice());
    let standard = error.code.message();
    let body = encode(id, error, &error.message, data, limit)
        .or_else(|| encode(id, error, &error.message, None, limit))
        .or_else(|| encode(id, error, standard, None, limit))
        .or_else(|| encode(None, error, standard, None, usize::MAX))
        .unwrap_or_default();
    Reply::new(Bytes::from(body), error.status)
}

/// Writes an error; `None` when it has more bytes than it may.
fn encode(
    id: Option<&[u8]>,
    error: &WireError,
    message: &str,
    data: Option<&[u8]>,
    limit: usize,
) -> Option<Vec<u8>> {
    if message.len() > limit {
        return None;
    }
    let mut out = Vec::with_capacity(128 + message.len() + data.map_or(0, <[u8]>::len));
    let mut reply = ObjectWriter::new(&mut out);
    reply.string("jsonrpc", "2.0");
    if let Some(id) = id {
        reply.raw("id", id);
    }
    reply.object("error", |object| {
        object.integer("code", i64::from(error.code.number()));
        object.string("message", message);
        object.optional_raw("data", data);
    });
    reply.end();
    (out.len() <= limit).then_some(out)
}

/// The reply that carries an error object, as JSON text.
pub(super) fn raw_error(id: &RequestId, error: &[u8]) -> Reply {
    let mut out = Vec::with_capacity(64 + error.len());
    let mut message = ObjectWriter::new(&mut out);
    message.string("jsonrpc", "2.0");
    message.raw("id", id.as_json());
    message.raw("error", error);
    message.end();
    Reply::new(Bytes::from(out), 200)
}
