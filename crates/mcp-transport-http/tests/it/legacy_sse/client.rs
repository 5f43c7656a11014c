//! A client of HTTP+SSE in this process.

use crate::request::{Probe, sample};
use axum::{Router, body::Body};
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use mcp_server::Server;
use mcp_transport_http::{Endpoint, HttpOptions, LegacySse};
use serde_json::{Value, json};
use tower::ServiceExt as _;

/// Options that serve HTTP+SSE with its defaults.
pub(crate) fn legacy() -> HttpOptions {
    HttpOptions { legacy_sse: Some(LegacySse::default()), ..HttpOptions::default() }
}

/// The sample server over HTTP+SSE, and what its handlers do.
pub(crate) fn sample_endpoint(options: HttpOptions) -> (Endpoint, Probe) {
    let probe = Probe::default();
    (Endpoint::new(sample(&probe), options).unwrap(), probe)
}

pub(crate) fn endpoint_of(server: Server) -> Endpoint {
    Endpoint::new(server, legacy()).unwrap()
}

pub(crate) fn get(path: &str) -> Request<Body> {
    Request::get(path)
        .header("host", "127.0.0.1:8080")
        .header("accept", "text/event-stream")
        .body(Body::empty())
        .unwrap()
}

pub(crate) fn post(path: &str, body: impl Into<Body>) -> Request<Body> {
    Request::post(path)
        .header("host", "127.0.0.1:8080")
        .header("content-type", "application/json")
        .body(body.into())
        .unwrap()
}

pub(crate) fn with_token(mut request: Request<Body>, token: Option<&str>) -> Request<Body> {
    if let Some(token) = token {
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    }
    request
}

pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// A call of a tool, whose progress is told under its id.
pub(crate) fn call(id: impl Into<Value>, tool: &str) -> Value {
    let id = id.into();
    request(id.clone(), "tools/call", json!({ "name": tool, "_meta": { "progressToken": id } }))
}

pub(crate) fn initialize(version: &str) -> Value {
    let params = json!({
        "protocolVersion": version,
        "capabilities": { "sampling": {}, "roots": {}, "elicitation": {} },
        "clientInfo": { "name": "old", "version": "1" },
    });
    request("hello", "initialize", params)
}

pub(crate) fn initialized() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
}

/// Where the messages of a stream are posted.
#[derive(Clone)]
pub(crate) struct Poster {
    routes: Router,
    pub(crate) url: String,
    pub(crate) token: Option<&'static str>,
}

impl Poster {
    /// Posts a message; gives the status.
    pub(crate) async fn say(&self, message: &Value) -> StatusCode {
        self.post(message.to_string()).await.status()
    }

    pub(crate) async fn post(&self, body: impl Into<Body>) -> Response<Body> {
        self.send(post(&self.url, body)).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.routes.clone().oneshot(with_token(request, self.token)).await.unwrap()
    }
}

/// One open stream and where its messages are posted.
pub(crate) struct Old {
    pub(crate) poster: Poster,
    stream: Body,
    text: String,
}

impl Old {
    /// Opens a stream at a path.
    pub(crate) async fn open(endpoint: &Endpoint, path: &str) -> Self {
        Self::open_as(endpoint.routes(), path, None).await
    }

    pub(crate) async fn open_as(routes: Router, path: &str, token: Option<&'static str>) -> Self {
        let response = routes.clone().oneshot(with_token(get(path), token)).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        let poster = Poster { routes, url: String::new(), token };
        let mut old = Self { poster, stream: response.into_body(), text: String::new() };
        let (name, reference) = old.event().await.unwrap();
        assert_eq!(name, "endpoint");
        old.poster.url = resolve(path, &reference);
        old
    }

    /// Posts to a URL without a stream of its own.
    pub(crate) fn poster(endpoint: &Endpoint, url: String) -> Poster {
        Poster { routes: endpoint.routes(), url, token: None }
    }

    /// Opens a stream and shakes hands.
    pub(crate) async fn shaken(endpoint: &Endpoint, version: &str) -> Self {
        let mut old = Self::open(endpoint, "/sse").await;
        old.shake(version).await;
        old
    }

    pub(crate) async fn shake(&mut self, version: &str) -> Value {
        let welcome = self.ask(&initialize(version)).await;
        assert_eq!(self.say(&initialized()).await, StatusCode::ACCEPTED);
        welcome
    }

    pub(crate) fn url(&self) -> &str {
        &self.poster.url
    }

    pub(crate) async fn say(&self, message: &Value) -> StatusCode {
        self.poster.say(message).await
    }

    /// Posts a request and gives the next message.
    pub(crate) async fn ask(&mut self, message: &Value) -> Value {
        let response = self.poster.post(message.to_string()).await;
        assert_eq!(response.status(), StatusCode::ACCEPTED, "{message}");
        let answer = response.into_body().collect().await.unwrap().to_bytes();
        assert!(answer.is_empty(), "the answer goes out on the stream");
        self.next().await
    }

    /// The next message.
    pub(crate) async fn next(&mut self) -> Value {
        let (name, data) = self.event().await.unwrap();
        assert_eq!(name, "message");
        serde_json::from_str(&data).unwrap()
    }

    /// The next event's name and data; `None` at the end of the stream.
    pub(crate) async fn event(&mut self) -> Option<(String, String)> {
        loop {
            while let Some(end) = self.text.find("\n\n") {
                let event: String = self.text.drain(..end + 2).collect();
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                if let Some(data) = field("data: ") {
                    return Some((field("event: ").unwrap_or_default().to_owned(), data.to_owned()));
                }
            }
            let piece = self.piece().await?;
            self.text.push_str(&piece);
        }
    }

    /// The next piece as it is; `None` at the end of the stream.
    pub(crate) async fn piece(&mut self) -> Option<String> {
        let frame = self.stream.frame().await?.unwrap();
        Some(String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap())
    }
}

/// The path that a reference leads to from another, as clients find it.
fn resolve(from: &str, reference: &str) -> String {
    if reference.starts_with('?') {
        return format!("{from}{reference}");
    }
    let mut folders: Vec<_> = from.split('/').collect();
    folders.pop();
    for segment in reference.split('/') {
        match segment {
            ".." => drop(folders.pop()),
            segment => folders.push(segment),
        }
    }
    folders.join("/")
}
