//! Settings of routes that agents use.

use crate::{
    call::{Caps, Excluded},
    operation::{DEFAULT_FORWARDED, Reserved, is_untouchable},
};
use http::HeaderName;
use mcp_core::setting::SettingFaults;
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use utoipa::openapi::{
    OpenApi, RefOr,
    security::{ApiKey, SecurityScheme},
};

/// Settings of all routes that agents use; see [`Routes::options`](crate::Routes::options).
#[derive(Clone, Debug)]
#[must_use]
pub struct RouteOptions {
    forwarded: Vec<HeaderName>,
    excluded: Excluded,
    response_bytes: usize,
    response_time: Duration,
    query_credentials: BTreeSet<Box<str>>,
    header_credentials: BTreeSet<Box<str>>,
}

impl Default for RouteOptions {
    fn default() -> Self {
        Self {
            forwarded: DEFAULT_FORWARDED.into(),
            excluded: Excluded::default(),
            response_bytes: 5 * 1024 * 1024,
            response_time: Duration::from_secs(30),
            query_credentials: BTreeSet::new(),
            header_credentials: BTreeSet::new(),
        }
    }
}

impl RouteOptions {
    /// Forwards just these header fields of the request to the endpoint; `Authorization`, `Cookie` and `X-API-Key` by
    /// default ([`DEFAULT_FORWARDED`]).
    ///
    /// No argument can feed a header field that is forwarded.
    pub fn forward(mut self, headers: impl IntoIterator<Item = HeaderName>) -> Self {
        self.forwarded = headers.into_iter().collect();
        self
    }

    /// Leaves a header field of responses out of envelopes, besides [`EXCLUDED_HEADERS`](crate::EXCLUDED_HEADERS); a
    /// `*` at the end stands for whatever follows.
    pub fn exclude_header(mut self, pattern: &str) -> Self {
        self.excluded.add(pattern);
        self
    }

    /// Sets how many bytes a response may have, decoded, 1,024 to 64 MiB; 5 MiB by default.
    ///
    /// A longer one is a failure that the model reads; nothing of it is returned. What is returned is bounded by
    /// `limits.output_bytes`, too.
    pub fn response_bytes(mut self, bytes: usize) -> Self {
        self.response_bytes = bytes;
        self
    }

    /// Sets how long the body of a response may take, once its head is there, 1 ms to 1 hour; 30 s by default.
    ///
    /// Streams are read to their end; one that does not end in time is a failure that the model reads.
    pub fn response_time(mut self, time: Duration) -> Self {
        self.response_time = time;
        self
    }

    /// Names a query key that carries credentials: no argument can feed it.
    pub fn credential_query(mut self, key: impl Into<Box<str>>) -> Self {
        self.query_credentials.insert(key.into());
        self
    }

    /// Names a header field that carries credentials: no argument can feed it.
    pub fn credential_header(mut self, name: &str) -> Self {
        self.header_credentials.insert(name.to_ascii_lowercase().into());
        self
    }

    /// Keeps arguments from the security schemes of a document.
    pub(crate) fn reserve(&mut self, document: &OpenApi) {
        let schemes = document.components.iter().flat_map(|components| components.security_schemes.values());
        for scheme in schemes {
            match scheme {
                RefOr::T(SecurityScheme::ApiKey(ApiKey::Query(key))) => {
                    self.query_credentials.insert(key.name.as_str().into());
                }
                RefOr::T(SecurityScheme::ApiKey(ApiKey::Header(key))) => {
                    self.header_credentials.insert(key.name.to_ascii_lowercase().into());
                }
                _ => {}
            }
        }
    }

    pub(crate) fn reserved(&self) -> Reserved {
        Reserved {
            forwarded: self.forwarded.iter().map(|name| name.as_str().into()).collect(),
            query_credentials: self.query_credentials.clone(),
            header_credentials: self.header_credentials.clone(),
        }
    }

    pub(crate) fn forwarded(&self) -> Arc<[HeaderName]> {
        self.forwarded.iter().cloned().collect()
    }

    pub(crate) fn excluded(&self) -> Arc<Excluded> {
        Arc::new(self.excluded.clone())
    }

    pub(crate) const fn caps(&self) -> Caps {
        Caps { bytes: self.response_bytes, time: self.response_time }
    }

    /// Every setting that cannot be used.
    pub(crate) fn check(&self) -> SettingFaults {
        let mut faults = SettingFaults::default();
        faults.within("response_bytes", self.response_bytes, &(1024..=64 * 1024 * 1024));
        let times = Duration::from_millis(1)..=Duration::from_secs(3_600);
        faults.within("response_time", self.response_time, &times);
        for name in self.forwarded.iter().filter(|name| is_untouchable(name.as_str())) {
            faults.add(
                "forward",
                format!("`{name}` belongs to the message or the connection and is never forwarded"),
            );
        }
        faults
    }
}
