//! GET opens a stream, POST brings a message: every check as on the endpoint itself, then the session.

use super::{
    options::LegacySse,
    reference::relative,
    session::{LegacySession, Taken},
    stream::LegacyStream,
    table::Table,
    watch::watch,
};
use crate::{
    authenticate, body,
    deadline::{Cutoff, OpenEnded},
    endpoint::{Inner, check_media, status_only},
    head::{self, Head},
    refuse::HttpRefusal,
    respond,
};
use axum::body::Body;
use http::{Method, Response, StatusCode, Uri, request::Parts};
use mcp_core::{
    admit::RequestHead as _,
    connection::Connection,
    context::Transport,
    ports::{Owner, SessionId},
    server::{Authorization, Peer, Server},
};
use std::sync::Arc;

/// The member of the query that names the stream of a POST.
const KEY: &str = "session_id";

/// HTTP+SSE at one endpoint.
#[derive(Debug)]
pub(crate) struct Legacy {
    settings: LegacySse,
    table: Arc<Table>,
}

impl Legacy {
    pub(crate) fn new(settings: LegacySse, server: &Server) -> Self {
        Self { settings, table: Arc::new(Table::new(server.session_limits())) }
    }

    /// How many sessions are open.
    pub(crate) fn open(&self) -> usize {
        self.table.open()
    }

    /// Tells whether a request to the endpoint's own path opens a stream of this wire: a client of the other would
    /// name its session, or at least its version.
    pub(crate) fn opens(&self, head: &Parts) -> bool {
        let named = ["mcp-session-id", "mcp-protocol-version"];
        self.settings.separate().is_none()
            && head.method == Method::GET
            && !named.iter().any(|name| head.headers.contains_key(*name))
    }

    /// Tells whether a request to the endpoint's own path brings a message of this wire.
    pub(crate) fn takes(&self, head: &Parts) -> bool {
        self.settings.separate().is_none() && head.method == Method::POST && key(&head.uri).is_some()
    }

    /// The paths of the stream and of its messages.
    fn paths<'a>(&'a self, endpoint: &'a Inner) -> (&'a str, &'a str) {
        self.settings.separate().unwrap_or((&endpoint.options.path, &endpoint.options.path))
    }
}

/// Opens a stream, and with it a session.
pub(crate) async fn open(
    endpoint: &Inner,
    legacy: &Legacy,
    head: Parts,
) -> Result<Response<Body>, HttpRefusal> {
    if head.method != Method::GET {
        return Err(HttpRefusal::LegacyStreamMethod);
    }
    let accepts = head::accepts(&head.headers);
    if !accepts.event_stream.is_accepted() {
        return Err(HttpRefusal::StreamNeedsEvents);
    }
    let principal = match authenticate::principal(endpoint.options.verifier.as_deref(), &head).await {
        Ok(principal) => principal,
        Err(response) => return Ok(*response),
    };
    let server = &endpoint.server;
    if server.is_shutting_down() {
        return Err(HttpRefusal::ShuttingDown);
    }
    let slot = endpoint.streams.open().ok_or(HttpRefusal::Streams)?;
    let (path, messages) = legacy.paths(endpoint);
    let head = Head { parts: &head, accepts };
    let owner = Owner::of(principal.as_deref());
    let peer = Peer {
        transport: Transport::LegacySse,
        principal,
        authorization: Authorization::Off,
        attachment: None,
    };
    // The settings were checked: some version of the era is served.
    let connection =
        Connection::of_handshakes(server.clone(), peer).ok_or(HttpRefusal::LegacyStreamUnknown)?;
    let mut random = [0; 32];
    server.runtime().fill_random(&mut random);
    let key = SessionId::from_random(random);
    let bounds = (legacy.settings.queue, server.limits().requests_in_flight);
    let session = Arc::new(LegacySession::new(key, owner, mount(head.path(), path), connection, bounds));
    let entered = legacy.table.enter(Arc::clone(&session));
    let place = entered.map_err(|setting| HttpRefusal::LegacySessions { setting })?;
    tracing::debug!(session = ?session.key, "a session of HTTP+SSE begins");
    let url = match legacy.settings.separate() {
        Some(_) if head.path().ends_with('/') => {
            relative(&format!("{}/", path.trim_end_matches('/')), messages)
        }
        Some(_) => relative(path.trim_end_matches('/'), messages),
        // The same path, however it was written.
        None => String::new(),
    };
    let url = format!("{url}?{KEY}={}", session.key.as_str());
    tokio::spawn(watch(session, server.clone(), endpoint.cut.clone(), legacy.settings.stall_timeout));
    let stream = LegacyStream::new(place, &url, endpoint.options.keep_alive, slot);
    let mut response = respond::as_events(Body::new(stream));
    response.extensions_mut().insert(OpenEnded);
    Ok(response)
}

/// Takes a message to the session of its stream.
pub(crate) async fn message(
    endpoint: &Inner,
    legacy: &Legacy,
    head: Parts,
    body: Body,
) -> Result<Response<Body>, HttpRefusal> {
    if head.method != Method::POST {
        return Err(HttpRefusal::LegacyMessageMethod);
    }
    check_media(&head.headers)?;
    let limit = endpoint.check_size(&head.headers)?;
    let principal = match authenticate::principal(endpoint.options.verifier.as_deref(), &head).await {
        Ok(principal) => principal,
        Err(response) => return Ok(*response),
    };
    let key = key(&head.uri).ok_or(HttpRefusal::LegacyStreamMissing)?;
    let accepts = head::accepts(&head.headers);
    let at = mount(Head { parts: &head, accepts }.path(), legacy.paths(endpoint).1).to_owned();
    let found = legacy.table.find(key, principal.as_deref(), &at);
    let session = found.ok_or(HttpRefusal::LegacyStreamUnknown)?;
    let body = body::read(body, limit, endpoint.options.body_timeout).await?;
    // The POST is over before the call is, whose answer has the same deadline.
    let deadline = head.extensions.get::<Cutoff>().map(|cutoff| cutoff.0.into_std());
    let peer = Peer {
        transport: Transport::LegacySse,
        principal,
        authorization: Authorization::Off,
        attachment: Some(Arc::new(head) as _),
    };
    match session.post(body, peer, deadline).await {
        Taken::Accepted => Ok(status_only(StatusCode::ACCEPTED)),
        Taken::Refused(reply) => Ok(respond::json(endpoint, reply)),
        Taken::Gone => Err(HttpRefusal::LegacyStreamUnknown),
    }
}

/// The key in a query that names one: of two, a proxy may have looked at the other.
fn key(uri: &Uri) -> Option<&str> {
    let mut keys = uri.query()?.split('&').filter_map(|member| member.strip_prefix(KEY)?.strip_prefix('='));
    keys.next().filter(|_| keys.next().is_none())
}

/// What stands before a path of the endpoint in the path of a request.
fn mount<'a>(whole: &'a str, path: &str) -> &'a str {
    whole.trim_end_matches('/').strip_suffix(path.trim_end_matches('/')).unwrap_or_default()
}
