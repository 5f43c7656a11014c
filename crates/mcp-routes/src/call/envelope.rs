//! A response as one object of status, header fields and body.

use crate::describe::Envelope;
use http::{HeaderMap, HeaderName};
use serde::Serialize;
use std::collections::BTreeMap;

/// The header fields that are left out of envelopes unless the application says others; `*` at the end stands for
/// whatever follows.
///
/// What pages and places results stays: `Link`, `Location`, `X-Total-Count`, `Content-Range`.
pub const EXCLUDED_HEADERS: [&str; 27] = [
    "accept-ranges",
    "access-control-*",
    "age",
    "alt-svc",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-security-policy*",
    "content-type",
    "cookie",
    "cross-origin-*",
    "date",
    "keep-alive",
    "permissions-policy",
    "proxy-*",
    "server",
    "set-cookie*",
    "strict-transport-security",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "vary",
    "www-authenticate",
    "x-mcp-*",
    "x-request-id",
];

/// Which header fields of responses are left out.
#[derive(Clone, Debug)]
pub(crate) struct Excluded(Vec<Box<str>>);

impl Default for Excluded {
    fn default() -> Self {
        Self(EXCLUDED_HEADERS.map(Box::from).into())
    }
}

impl Excluded {
    pub(crate) fn add(&mut self, pattern: &str) {
        self.0.push(pattern.to_ascii_lowercase().into());
    }

    fn has(&self, name: &HeaderName) -> bool {
        let name = name.as_str();
        self.0.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => **pattern == *name,
        })
    }

    /// The header fields that are told, several of one name with commas between them.
    fn keep(&self, headers: &HeaderMap) -> BTreeMap<String, String> {
        let mut kept: BTreeMap<String, String> = BTreeMap::new();
        for (name, value) in headers {
            if self.has(name) {
                continue;
            }
            let value = String::from_utf8_lossy(value.as_bytes());
            kept.entry(name.as_str().to_owned())
                .and_modify(|all| {
                    all.push_str(", ");
                    all.push_str(&value);
                })
                .or_insert_with(|| value.into_owned());
        }
        kept
    }

    /// The response as one object.
    pub(crate) fn envelope<T: Serialize>(
        &self,
        status: http::StatusCode,
        headers: &HeaderMap,
        body: Option<T>,
    ) -> Envelope<T> {
        Envelope { status: status.as_u16(), headers: self.keep(headers), body }
    }
}
