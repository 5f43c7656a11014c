//! The frame around every result.

use super::{error::too_large, server_info};
use crate::{
    json::ObjectWriter,
    jsonrpc::RequestId,
    ports::SessionId,
    protocol::{CacheHints, Implementation, Meta, meta_key},
    version::{Feature, ProtocolVersion},
};
use bytes::Bytes;

/// One encoded reply.
#[derive(Debug)]
pub struct Reply {
    /// The JSON-RPC message, one line of compact JSON.
    pub body: Bytes,
    /// The HTTP status that carries it when nothing was sent before.
    pub status: u16,
    /// The scopes a refused caller lacks; over HTTP with authorization they make a 403 challenge.
    pub required_scopes: Option<Box<[Box<str>]>>,
    /// The session that the reply begins; over HTTP it goes out in `Mcp-Session-Id`.
    pub session: Option<SessionId>,
    /// How long, and by whom, the result may be reused; `None` for what carries no such hints.
    pub cache: Option<CacheHints>,
}

impl Reply {
    pub(crate) fn new(body: Bytes, status: u16) -> Self {
        Self { body, status, required_scopes: None, session: None, cache: None }
    }

    /// Says how long, and by whom, the result may be reused, where its revision says that in the result.
    pub(crate) fn cached(self, hints: CacheHints, version: ProtocolVersion) -> Self {
        Self { cache: Some(hints).filter(|_| version.has(Feature::CacheHints)), ..self }
    }
}

/// Writes `{"jsonrpc":"2.0","id":…,"result":{…}}` and what every result of a revision carries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResultFrame<'a> {
    pub(crate) id: &'a RequestId,
    pub(crate) version: ProtocolVersion,
    pub(crate) server: &'a Implementation,
    /// The `_meta` of a result that has nothing in it but who made it, as JSON text.
    pub(crate) signature: &'a [u8],
    /// The bytes a reply may have.
    pub(crate) most_bytes: usize,
}

impl ResultFrame<'_> {
    /// A result that no handler made, as a reply; an error in its place when it is too large.
    pub(crate) fn reply(self, body: Vec<u8>) -> Reply {
        if body.len() <= self.most_bytes {
            return Reply::new(Bytes::from(body), 200);
        }
        tracing::error!(
            bytes = body.len(),
            limit = self.most_bytes,
            "a result was held back: it is larger than limits.output_bytes"
        );
        too_large(self.id, self.most_bytes)
    }

    /// The same for a result that may be reused; the error in its place may not.
    pub(crate) fn cached_reply(self, body: Vec<u8>, cache: CacheHints) -> Reply {
        let fits = body.len() <= self.most_bytes;
        let reply = self.reply(body);
        if fits { reply.cached(cache, self.version) } else { reply }
    }

    /// Writes a result; `capacity` is a guess at its size, `fill` writes its own members.
    pub(crate) fn write(
        self,
        capacity: usize,
        meta: &Meta,
        cache: Option<CacheHints>,
        fill: impl FnOnce(&mut ObjectWriter<'_>),
    ) -> Vec<u8> {
        self.write_as("complete", capacity, meta, cache, fill)
    }

    /// Writes a result of another type than a complete one.
    pub(super) fn write_as(
        self,
        result_type: &str,
        capacity: usize,
        meta: &Meta,
        cache: Option<CacheHints>,
        fill: impl FnOnce(&mut ObjectWriter<'_>),
    ) -> Vec<u8> {
        let mut out = Vec::with_capacity(capacity + self.id.as_json().len() + 192);
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        out.extend_from_slice(self.id.as_json());
        out.extend_from_slice(b",\"result\":");
        let mut result = ObjectWriter::new(&mut out);
        if self.version.has(Feature::ResultType) {
            result.string("resultType", result_type);
        }
        fill(&mut result);
        if let Some(hints) = cache.filter(|_| self.version.has(Feature::CacheHints)) {
            result.unsigned("ttlMs", u64::try_from(hints.ttl.as_millis()).unwrap_or(u64::MAX));
            result.string("cacheScope", hints.scope.as_str());
        }
        self.write_meta(&mut result, meta);
        result.end();
        out.push(b'}');
        out
    }

    fn write_meta(self, result: &mut ObjectWriter<'_>, meta: &Meta) {
        let names_server = self.version.has(Feature::ServerInfoMeta);
        if meta.is_empty() && !names_server {
            return;
        }
        if meta.is_empty() {
            return result.raw("_meta", self.signature);
        }
        result.object("_meta", |object| {
            for (key, value) in meta {
                if key != meta_key::SERVER_INFO {
                    object.raw(key, value.to_string());
                }
            }
            if names_server {
                server_info(object.member(meta_key::SERVER_INFO), self.server);
            }
        });
    }
}
