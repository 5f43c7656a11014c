//! The endpoint: every check before the body, then the core.

use crate::{
    authenticate, body, cors,
    deadline::{Cutoff, answer_by},
    head::{self, Head},
    legacy_sse::{self, Legacy, LegacySse},
    options::{HttpOptions, Policy},
    origin::Verdict,
    refuse::HttpRefusal,
    respond,
    streams::Streams,
};
use axum::{Router, body::Body};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header, request::Parts};
use mcp_core::{
    context::Transport,
    server::{Authorization, Ended, Opened, Peer, Posted, Server},
    setting::SettingFaults,
};
use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tower_service::Service;

/// An MCP endpoint over Streamable HTTP; cloning is cheap.
///
/// Spec: 2026-07-28, basic/transports/streamable-http.
#[derive(Clone, Debug)]
pub struct Endpoint(Arc<Inner>, Vec<Self>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) server: Server,
    pub(crate) options: HttpOptions,
    pub(crate) streams: Arc<Streams>,
    /// Cuts event streams off at the end of a shutdown's grace.
    pub(crate) cut: CancellationToken,
    /// The sessions of HTTP+SSE, where it is served.
    pub(crate) legacy: Option<Legacy>,
    policy: Policy,
}

/// Which of the endpoint's paths a request came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    /// The endpoint of Streamable HTTP.
    Main,
    /// The stream of HTTP+SSE.
    LegacyStream,
    /// The messages of HTTP+SSE.
    LegacyMessages,
}

impl Endpoint {
    /// An endpoint of a server.
    ///
    /// # Errors
    /// [`SettingFaults`] with every setting that cannot be used.
    pub fn new(server: Server, options: HttpOptions) -> Result<Self, SettingFaults> {
        let policy = options.check(&server)?;
        check_tasks(&server, &options)?;
        let streams = Arc::new(Streams::new(options.max_streams));
        let cut = CancellationToken::new();
        let legacy = options.legacy_sse.clone().map(|settings| Legacy::new(settings, &server));
        Ok(Self(Arc::new(Inner { server, options, streams, cut, legacy, policy }), Vec::new()))
    }

    /// Puts other endpoints of the application beside this one: [`routes`](Self::routes) serves them, too, and
    /// [`serve`](crate::serve) ends them with it.
    #[must_use]
    pub fn beside(mut self, others: impl IntoIterator<Item = Self>) -> Self {
        // What is beside one of them is beside this one: whatever is served is guarded, and ended, too.
        for Self(other, further) in others {
            self.1.push(Self(other, Vec::new()));
            self.1.extend(further);
        }
        self
    }

    /// This endpoint, and those beside it.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.1)
    }

    /// The endpoint as a router, to be merged into or nested in an axum application.
    ///
    /// The path is served with and without a trailing slash, never by a redirect; those of
    /// [`LegacySse`](crate::LegacySse) too, where it is switched on.
    pub fn routes<S: Clone + Send + Sync + 'static>(&self) -> Router<S> {
        let mut router = self.at(Router::new(), &self.0.options.path, Door::Main);
        if let Some((stream, messages)) = self.0.options.legacy_sse.as_ref().and_then(LegacySse::separate) {
            router = self.at(router, stream, Door::LegacyStream);
            router = self.at(router, messages, Door::LegacyMessages);
        }
        self.1.iter().fold(router, |router, other| router.merge(other.routes()))
    }

    fn at<S: Clone + Send + Sync + 'static>(&self, router: Router<S>, path: &str, door: Door) -> Router<S> {
        let path = path.trim_end_matches('/');
        let service = EndpointService { endpoint: Arc::clone(&self.0), door };
        let router = router.route_service(&format!("{path}/"), service.clone());
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

    /// How many event streams are open, those of HTTP+SSE included;
    /// [`HttpOptions::max_streams`](crate::HttpOptions::max_streams) bounds them.
    #[must_use]
    pub fn open_streams(&self) -> usize {
        self.0.streams.count()
    }

    /// How many sessions of HTTP+SSE are open; zero where it is not served.
    #[must_use]
    pub fn legacy_sessions(&self) -> usize {
        self.0.legacy.as_ref().map_or(0, Legacy::open)
    }

    /// Ends every event stream with a `retry` field, and those of HTTP+SSE at once.
    ///
    /// [`serve`](crate::serve) does it at the end of its grace; an application with a server of its own
    /// calls it at the end of its own.
    pub fn cut_streams(&self) {
        self.all().for_each(|endpoint| endpoint.0.cut.cancel());
    }
}

/// Refuses tasks that nobody in particular would own: on 2025-11-25 a client may list its tasks.
///
/// Spec: 2025-11-25, basic/utilities/tasks#task-isolation-and-access-control.
fn check_tasks(server: &Server, options: &HttpOptions) -> Result<(), SettingFaults> {
    let mut faults = SettingFaults::default();
    if server.needs_sessions_for_tasks() && options.verifier.is_none() {
        faults.add(
            "tasks",
            "tools run as tasks for clients of 2025-11-25, whom neither sessions nor a verifier tell apart; give the \
             server `.sessions(…)`, the endpoint a `verifier`, or serve later versions only",
        );
    }
    faults.finish()
}

/// The endpoint as a service, without the layers of a handler.
#[derive(Clone, Debug)]
struct EndpointService {
    endpoint: Arc<Inner>,
    door: Door,
}

impl Service<Request<Body>> for EndpointService {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let (endpoint, door) = (Arc::clone(&self.endpoint), self.door);
        let mut request = request;
        if let Some(deadline) = endpoint.options.request_deadline {
            request.extensions_mut().insert(Cutoff(Instant::now() + deadline));
        }
        Box::pin(async move { Ok(endpoint.handle(request, door).await) })
    }
}

impl Inner {
    async fn handle(&self, request: Request<Body>, door: Door) -> Response<Body> {
        let (head, body) = request.into_parts();
        // RFC 9112, section 3.2.
        if head.headers.get_all(header::HOST).iter().nth(1).is_some() {
            return HttpRefusal::HostTwice.into_response();
        }
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
            let answer = match head.extensions.get::<Cutoff>().copied() {
                None => self.admit(head, body, door).await,
                Some(cutoff) => answer_by(cutoff, self.admit(head, body, door)).await,
            };
            answer.unwrap_or_else(HttpRefusal::into_response)
        };
        if let Some(origin) = origin {
            cors::expose(&mut response, &origin);
        }
        response
    }

    /// Serves a request whose host and origin are allowed.
    async fn admit(&self, head: Parts, body: Body, door: Door) -> Result<Response<Body>, HttpRefusal> {
        if let Some(legacy) = &self.legacy {
            match door {
                Door::LegacyStream => return legacy_sse::open(self, legacy, head).await,
                Door::LegacyMessages => return legacy_sse::message(self, legacy, head, body).await,
                Door::Main if legacy.opens(&head) => return legacy_sse::open(self, legacy, head).await,
                Door::Main if legacy.takes(&head) => {
                    return legacy_sse::message(self, legacy, head, body).await;
                }
                Door::Main => {}
            }
        }
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
        check_media(&head.headers)?;
        let accepts = head::accepts(&head.headers);
        if !accepts.json.is_accepted() && !accepts.event_stream.is_accepted() {
            return Err(HttpRefusal::NotAcceptable);
        }
        let limit = self.check_size(&head.headers)?;
        let principal = match authenticate::principal(self.options.verifier.as_deref(), &head).await {
            Ok(principal) => principal,
            Err(response) => return Ok(*response),
        };
        let body = body::read(body, limit, self.options.body_timeout).await?;
        let head = Arc::new(head);
        let authorization = self.authorization();
        let attachment = Some(Arc::clone(&head) as _);
        let peer = Peer { transport: Transport::Http, principal, authorization, attachment };
        Ok(match self.server.post(body, &Head { parts: &head, accepts }, peer).await {
            Posted::Accepted => status_only(StatusCode::ACCEPTED),
            Posted::Refused(reply) => respond::json(self, reply),
            Posted::Exchange(mut exchange) => {
                if let Some(Cutoff(cutoff)) = head.extensions.get() {
                    exchange.end_by(cutoff.into_std());
                }
                respond::respond(self, exchange, accepts).await
            }
        })
    }

    /// Refuses a body that is declared to be too large, before anything of it is read; gives the bytes it may have.
    pub(crate) fn check_size(&self, headers: &HeaderMap) -> Result<usize, HttpRefusal> {
        let declared =
            headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        // A longer body could be read and not be decoded.
        let limit = self.options.body_bytes.min(self.server.limits().message.document_bytes);
        if declared.is_some_and(|length: u64| length > limit as u64) {
            return Err(HttpRefusal::TooLarge { limit });
        }
        Ok(limit)
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
        let authorization = self.authorization();
        Ok(Peer { transport: Transport::Http, principal, authorization, attachment: None })
    }

    /// Whether a client can be asked for other credentials.
    fn authorization(&self) -> Authorization {
        if self.options.verifier.is_some() { Authorization::On } else { Authorization::Off }
    }
}

/// Checks what a body is declared to be.
pub(crate) fn check_media(headers: &HeaderMap) -> Result<(), HttpRefusal> {
    if !head::declares_json(headers) {
        return Err(HttpRefusal::MediaType);
    }
    // A transfer coding but `chunked` is one that nobody took off on the way.
    for (name, plain) in [(header::CONTENT_ENCODING, "identity"), (header::TRANSFER_ENCODING, "chunked")] {
        if headers
            .get_all(name)
            .iter()
            .any(|coding| !coding.as_bytes().eq_ignore_ascii_case(plain.as_bytes()))
        {
            return Err(HttpRefusal::Encoded);
        }
    }
    Ok(())
}

pub(crate) fn status_only(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// What a peer sent, cut to a length that may be repeated.
fn clip(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.get(..128).unwrap_or(bytes)).into_owned()
}
