//! The endpoint: every check before the body, then the core.

use crate::{
    authenticate, body, cors,
    head::{self, Head},
    options::{HttpOptions, Policy},
    origin::Verdict,
    refuse::HttpRefusal,
    respond,
    streams::Streams,
};
use axum::{Router, body::Body};
use http::{HeaderValue, Method, Request, Response, StatusCode, header, request::Parts};
use mcp_core::{
    context::Transport,
    server::{Ended, Opened, Peer, Posted, Server},
    setting::SettingFaults,
};
use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tokio_util::sync::CancellationToken;
use tower_service::Service;

/// An MCP endpoint over Streamable HTTP; cloning is cheap.
///
/// Spec: 2026-07-28, basic/transports/streamable-http.
#[derive(Clone, Debug)]
pub struct Endpoint(Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) server: Server,
    pub(crate) options: HttpOptions,
    pub(crate) streams: Arc<Streams>,
    /// Cuts event streams off at the end of a shutdown's grace.
    pub(crate) cut: CancellationToken,
    policy: Policy,
}

impl Endpoint {
    /// An endpoint of a server.
    ///
    /// # Errors
    /// [`SettingFaults`] with every setting that cannot be used.
    pub fn new(server: Server, options: HttpOptions) -> Result<Self, SettingFaults> {
        let policy = options.check()?;
        let streams = Arc::new(Streams::new(options.max_streams));
        let cut = CancellationToken::new();
        Ok(Self(Arc::new(Inner { server, options, streams, cut, policy })))
    }

    /// The endpoint as a router, to be merged into or nested in an axum application.
    ///
    /// The path is served with and without a trailing slash, never by a redirect.
    pub fn routes<S: Clone + Send + Sync + 'static>(&self) -> Router<S> {
        let path = self.0.options.path.trim_end_matches('/');
        let service = EndpointService(Arc::clone(&self.0));
        let router = Router::new().route_service(&format!("{path}/"), service.clone());
        if path.is_empty() { router } else { router.route_service(path, service) }
    }

    /// The server behind the endpoint.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.0.server
    }

    /// The endpoint's settings.
    #[must_use]
    pub fn options(&self) -> &HttpOptions {
        &self.0.options
    }

    /// Ends every event stream with a `retry` field.
    ///
    /// [`serve`](crate::serve) does it at the end of its grace; an application with a server of its own
    /// calls it at the end of its own.
    pub fn cut_streams(&self) {
        self.0.cut.cancel();
    }
}

/// The endpoint as a service, without the layers of a handler.
#[derive(Clone, Debug)]
struct EndpointService(Arc<Inner>);

impl Service<Request<Body>> for EndpointService {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let endpoint = Arc::clone(&self.0);
        Box::pin(async move { Ok(endpoint.handle(request).await) })
    }
}

impl Inner {
    async fn handle(&self, request: Request<Body>) -> Response<Body> {
        let (head, body) = request.into_parts();
        if let Err(host) = self.policy.hosts.check(&head.uri, &head.headers) {
            return HttpRefusal::Host(clip(host.as_bytes())).into_response();
        }
        let origin: Option<HeaderValue> = match self.policy.origins.judge(&head.headers) {
            Verdict::None => None,
            Verdict::Allowed(origin) => Some(origin.clone()),
            Verdict::Refused(origin) => return HttpRefusal::Origin(clip(origin)).into_response(),
        };
        let mut response = if origin.is_some() && cors::is_preflight(&head.method, &head.headers) {
            cors::preflight(&head.headers)
        } else {
            match self.admit(head, body).await {
                Ok(response) => response,
                Err(refusal) => refusal.into_response(),
            }
        };
        if let Some(origin) = origin {
            cors::expose(&mut response, &origin);
        }
        response
    }

    /// Serves a request whose host and origin are allowed.
    async fn admit(&self, head: Parts, body: Body) -> Result<Response<Body>, HttpRefusal> {
        match head.method {
            Method::POST => self.post(head, body).await,
            Method::GET if self.server.has_sessions() => self.get(head).await,
            Method::DELETE if self.server.has_sessions() => self.delete(head).await,
            _ => Err(self.method_refusal()),
        }
    }

    fn method_refusal(&self) -> HttpRefusal {
        HttpRefusal::Method { sessions: self.server.has_sessions() }
    }

    /// Media types, size, principal, body: in this order, then the core.
    async fn post(&self, head: Parts, body: Body) -> Result<Response<Body>, HttpRefusal> {
        if !head::declares_json(&head.headers) {
            return Err(HttpRefusal::MediaType);
        }
        if head.headers.get(header::CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
            return Err(HttpRefusal::Encoded);
        }
        let accepts = head::accepts(&head.headers);
        if !accepts.json.is_accepted() && !accepts.event_stream.is_accepted() {
            return Err(HttpRefusal::NotAcceptable);
        }
        let declared =
            head.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        // A longer body could be read and not be decoded.
        let limit = self.options.body_bytes.min(self.server.limits().message.document_bytes);
        if declared.is_some_and(|length: u64| length > limit as u64) {
            return Err(HttpRefusal::TooLarge { limit });
        }
        let principal = match authenticate::principal(self.options.verifier.as_deref(), &head).await {
            Ok(principal) => principal,
            Err(response) => return Ok(*response),
        };
        let body = body::read(body, limit, self.options.body_timeout).await?;
        let head = Arc::new(head);
        let peer = Peer { transport: Transport::Http, principal, attachment: Some(Arc::clone(&head) as _) };
        Ok(match self.server.post(body, &Head { parts: &head, accepts }, peer).await {
            Posted::Accepted => status_only(StatusCode::ACCEPTED),
            Posted::Refused(reply) => respond::json(self, reply),
            Posted::Exchange(exchange) => respond::respond(self, exchange, accepts).await,
        })
    }

    /// The stream of a session, or one that is resumed.
    async fn get(&self, head: Parts) -> Result<Response<Body>, HttpRefusal> {
        let accepts = head::accepts(&head.headers);
        if !accepts.event_stream.is_accepted() {
            return Err(HttpRefusal::StreamNeedsEvents);
        }
        let peer = match self.peer(&head).await {
            Ok(peer) => peer,
            Err(response) => return Ok(*response),
        };
        match self.server.open_stream(&Head { parts: &head, accepts }, peer).await {
            Opened::Stream(events) => respond::stream(self, events).await.ok_or(HttpRefusal::Streams),
            Opened::Refused(reply) => Ok(respond::json(self, reply)),
            Opened::NotOffered => Err(self.method_refusal()),
        }
    }

    /// The end of a session.
    async fn delete(&self, head: Parts) -> Result<Response<Body>, HttpRefusal> {
        let accepts = head::accepts(&head.headers);
        let peer = match self.peer(&head).await {
            Ok(peer) => peer,
            Err(response) => return Ok(*response),
        };
        match self.server.end_session(&Head { parts: &head, accepts }, peer).await {
            Ended::Session => Ok(status_only(StatusCode::NO_CONTENT)),
            Ended::Refused(reply) => Ok(respond::json(self, reply)),
            Ended::NotOffered => Err(self.method_refusal()),
        }
    }

    /// Who sends a request without a body.
    async fn peer(&self, head: &Parts) -> Result<Peer, Box<Response<Body>>> {
        let principal = authenticate::principal(self.options.verifier.as_deref(), head).await?;
        Ok(Peer { transport: Transport::Http, principal, attachment: None })
    }
}

fn status_only(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// What a peer sent, cut to a length that may be repeated.
fn clip(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.get(..128).unwrap_or(bytes)).into_owned()
}
