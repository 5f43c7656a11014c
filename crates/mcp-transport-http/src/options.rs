//! Settings of an endpoint, checked as a whole.

use crate::{allowed::serialised_origin, host::AllowedHosts, legacy_sse::LegacySse, origin::AllowedOrigins};
use http::Uri;
use mcp_auth::Verifier;
use mcp_core::{server::Server, setting::SettingFaults};
use std::{collections::BTreeSet, sync::Arc, time::Duration};

/// Settings of an MCP endpoint; every one has a default that is safe on a developer's machine.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// The endpoint's path, served with and without a trailing slash; `/mcp` by default.
    ///
    /// Whole segments of it may be parameters, such as `/rooms/{room_id}/mcp`: a session then belongs to the concrete
    /// URL it was begun at.
    pub path: String,
    /// Hosts that requests may name beside the loopback forms: `mcp.example.com` for every port, or with a port.
    ///
    /// An entry that no request can name, such as one with a path or a wildcard, is refused at the start.
    pub allowed_hosts: Vec<String>,
    /// Origins of web pages that may call, exactly as browsers send them: `https://app.example.com`.
    ///
    /// Pages from the same host and from loopback addresses may call anyway. An entry that browsers never send, such
    /// as one with a path, a default port, capitals or a wildcard, is refused at the start, with what to write
    /// instead. `null` cannot be allowed.
    pub allowed_origins: Vec<String>,
    /// Whether origins are checked at all.
    pub origin_policy: OriginPolicy,
    /// The address people reach the endpoint by; its host and origin are allowed.
    pub public_url: Option<String>,
    /// Checks bearer tokens. Without one the caller is whoever the application's own layers put into
    /// the request's extensions as `Arc<Principal>` or `Principal`, otherwise anonymous.
    pub verifier: Option<Arc<dyn Verifier>>,
    /// Bytes of a request's body, 1,024 to 1 GiB; 4 MiB by default. Where the server's `limits.message.document_bytes`
    /// is less, that holds.
    pub body_bytes: usize,
    /// How long a body may take to arrive, 100 ms to 1 hour; 30 s by default.
    pub body_timeout: Duration,
    /// How long a call may be silent before it becomes an event stream, and a stream before a comment
    /// keeps it alive, 10 ms to 1 hour; 15 s by default, `None` for never.
    pub keep_alive: Option<Duration>,
    /// The form of answers before which nothing is said; plain JSON by default.
    pub quiet_answers: QuietAnswers,
    /// How long a request may take as a whole, from its first sight to the last byte of its answer, 10 ms to 1 hour;
    /// `None`, the default, for as long as its parts may.
    ///
    /// Covers the check of the caller, the arrival of the body, the handler and the writing. As long as no answer has
    /// begun, it is 504 with a JSON-RPC error, and a body that is still coming is cut off; an answer that has begun
    /// is broken off: the stream is reset on HTTP/2, the connection closed on HTTP/1. Where calls have a timeout, too,
    /// the shorter of the two ends them. It also cuts long streams of progress, so it belongs above the longest
    /// request that is legitimate. Listen streams and those of GET are open until one side ends them: for them it
    /// holds until they begin. It takes the place of none of the timeouts of connections.
    pub request_deadline: Option<Duration>,
    /// Event streams open at once, 1 to 10,000,000; 10,000 by default.
    pub max_streams: usize,
    /// HTTP+SSE of 2024-11-05 beside the endpoint, for clients that know no other wire; `None`, the default, for
    /// not at all.
    pub legacy_sse: Option<LegacySse>,
}

/// Whether the `Origin` of web pages is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "origins are checked or they are not")]
pub enum OriginPolicy {
    /// Only allowed origins may call.
    #[default]
    Checked,
    /// Any web page may call, but those without an origin of their own (`null`). Safe only where every call is
    /// authenticated by a token that pages cannot have.
    Any,
}

/// The form of an answer before which nothing is said, where the client takes both forms.
///
/// Answers with a status of their own, such as refusals, are JSON in any case, and a client that takes one form only
/// gets that one. Streamable HTTP since 2025-03-26 leaves the choice to the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification knows two forms")]
pub enum QuietAnswers {
    /// One JSON document, which is the least to write and to read, and which HTTP caches may keep.
    #[default]
    PlainJson,
    /// An event stream of one message, for clients and proxies that treat every answer as a stream. Counts towards
    /// [`HttpOptions::max_streams`]; where no more may be open the answer is plain JSON. Caches keep none.
    EventStream,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            path: "/mcp".to_owned(),
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            origin_policy: OriginPolicy::Checked,
            public_url: None,
            verifier: None,
            body_bytes: 4 * 1024 * 1024,
            body_timeout: Duration::from_secs(30),
            keep_alive: Some(Duration::from_secs(15)),
            quiet_answers: QuietAnswers::PlainJson,
            request_deadline: None,
            max_streams: 10_000,
            legacy_sse: None,
        }
    }
}

/// What the settings come down to for each request.
#[derive(Debug)]
pub(crate) struct Policy {
    pub(crate) hosts: AllowedHosts,
    pub(crate) origins: AllowedOrigins,
}

impl HttpOptions {
    /// Checks every setting and prepares what requests are held against.
    pub(crate) fn check(&self, server: &Server) -> Result<Policy, SettingFaults> {
        let mut faults = SettingFaults::default();
        if !is_template(&self.path) {
            faults.add(
                "path",
                "must begin with `/` and hold no `?`, `#`, `*`, space, and braces only around whole segments, each with a name of its own",
            );
        }
        if self.legacy_sse.is_some() && server.instructs_each_client() {
            faults.add(
                "legacy_sse",
                "its clients cannot be told instructions of their own; give the server a text",
            );
        }
        if let Some(legacy) = &self.legacy_sse {
            legacy.check(&self.path, server, &mut faults);
        }
        faults.within("body_bytes", self.body_bytes, &(1_024..=1 << 30));
        let hour = Duration::from_secs(3_600);
        faults.within("body_timeout", self.body_timeout, &(Duration::from_millis(100)..=hour));
        if let Some(interval) = self.keep_alive {
            faults.within("keep_alive", interval, &(Duration::from_millis(10)..=hour));
        }
        if let Some(deadline) = self.request_deadline {
            faults.within("request_deadline", deadline, &(Duration::from_millis(10)..=hour));
        }
        faults.within("max_streams", self.max_streams, &(1..=10_000_000));
        let mut hosts = AllowedHosts::default();
        for host in &self.allowed_hosts {
            if let Err(problem) = hosts.allow(host) {
                faults.add("allowed_hosts", problem);
            }
        }
        let mut origins = AllowedOrigins::new(self.origin_policy);
        for origin in &self.allowed_origins {
            if let Err(problem) = origins.allow(origin) {
                faults.add("allowed_origins", problem);
            }
        }
        if let Some(url) = &self.public_url {
            match public_origin(url) {
                Some((host, origin)) => {
                    let allowed = hosts.allow(&host).and_then(|()| origins.allow(&origin));
                    if let Err(problem) = allowed {
                        faults.add("public_url", problem);
                    }
                }
                None => {
                    faults.add("public_url", format!("`{url}` is not an http: or https: URL with a host"))
                }
            }
        }
        faults.finish().map(|()| Policy { hosts, origins })
    }
}

/// What is said of a path that cannot be one.
pub(crate) const NO_PATH: &str = "must begin with `/` and hold no `{`, `}`, `?`, `#`, `*` or space";

/// Tells whether a path can be routed.
pub(crate) fn is_path(path: &str) -> bool {
    path.starts_with('/') && !path.contains(['{', '}', '?', '#', '*', ' '])
}

/// Tells whether a path can be routed whose segments may be parameters.
fn is_template(path: &str) -> bool {
    fn name(segment: &str) -> Option<&str> {
        segment.strip_prefix('{')?.strip_suffix('}')
    }
    let literal = |segment: &str| match name(segment) {
        Some(name) => !name.is_empty() && is_path(&format!("/{name}")),
        None => is_path(&format!("/{segment}")),
    };
    let mut names = BTreeSet::new();
    let differ = path.split('/').filter_map(name).all(|name| names.insert(name));
    path.starts_with('/') && path.split('/').skip(1).all(literal) && differ
}

/// The host and the origin of a URL.
fn public_origin(url: &str) -> Option<(String, String)> {
    let uri: Uri = url.parse().ok()?;
    uri.scheme_str().filter(|scheme| matches!(*scheme, "http" | "https"))?;
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
    Some((authority.host().to_owned(), serialised_origin(url)?))
}
