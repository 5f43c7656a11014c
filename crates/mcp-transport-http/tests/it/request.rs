//! Requests to an endpoint in this process, and servers to send them to.

use axum::body::Body;
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use mcp_server::{
    Cancelled, Context, McpRouter, Progress, ProtocolError, Server, Structured, resource, server, tool,
};
use mcp_transport_http::{Endpoint, HttpOptions};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::Notify;
use tower::ServiceExt as _;

/// What a test sees of the handlers it calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probe {
    pub(crate) started: Arc<Notify>,
    pub(crate) ended: Arc<AtomicUsize>,
    pub(crate) cancelled: Arc<Notify>,
}

impl Probe {
    pub(crate) fn ended(&self) -> usize {
        self.ended.load(Ordering::SeqCst)
    }
}

/// Counts a handler's end, however it ends.
struct Ending(Probe);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::SeqCst);
        self.0.cancelled.notify_one();
    }
}

/// A server with a tool for each thing a transport has to deal with.
pub(crate) fn sample(probe: &Probe) -> Server {
    let (hanging, reporting) = (probe.clone(), probe.clone());
    let router = McpRouter::new()
        .tool("echo", tool(async |context: Context| context.arguments_text().to_owned()).describe("Echoes"))
        .tool(
            "hang",
            tool(move |_cancelled: Cancelled| {
                let probe = hanging.clone();
                async move {
                    let _ending = Ending(probe.clone());
                    probe.started.notify_one();
                    std::future::pending::<()>().await;
                }
            })
            .describe("Never ends"),
        )
        .tool(
            "report_and_hang",
            tool(move |progress: Progress| {
                let probe = reporting.clone();
                async move {
                    let _ending = Ending(probe.clone());
                    progress.report(1.0, None);
                    std::future::pending::<()>().await;
                }
            })
            .describe("Reports once and never ends"),
        )
        .tool(
            "report",
            tool(async |progress: Progress| {
                progress.report(1.0, 2.0);
                progress.report(2.0, 2.0);
                "line one\nline two\u{2028}three"
            })
            .describe("Reports twice"),
        )
        .tool(
            "slow",
            tool(async || {
                tokio::time::sleep(Duration::from_millis(400)).await;
                "late"
            })
            .describe("Takes 400 ms"),
        )
        .tool("panic", tool(|| async { panic!("a secret") as String }).describe("Panics"))
        .tool(
            "forbidden",
            tool(async || Err::<(), _>(ProtocolError::forbidden(["read", "write"]))).describe("Refuses"),
        )
        .tool(
            "whoami",
            tool(async |context: Context| {
                Structured(context.principal().map(|principal| principal.subject().to_owned()))
            })
            .describe("Names the caller"),
        )
        .resource("test://one", resource(async || "one"));
    server(router).name("sample").version("1").dynamic().resource_updates().build().unwrap()
}

pub(crate) fn endpoint(options: HttpOptions) -> Endpoint {
    Endpoint::new(sample(&Probe::default()), options).unwrap()
}

/// The body of a modern request.
pub(crate) fn body(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "t",
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// A modern request with every header it needs.
pub(crate) fn modern(method: &str, params: Value) -> http::request::Builder {
    let name = params.get("name").or_else(|| params.get("uri")).and_then(Value::as_str).map(str::to_owned);
    let request = Request::post("/mcp")
        .header("host", "127.0.0.1:8080")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    match name {
        Some(name) => request.header("mcp-name", name),
        None => request,
    }
}

pub(crate) fn call(tool: &str) -> Request<Body> {
    let params = json!({ "name": tool });
    modern("tools/call", params.clone()).body(Body::from(body("tools/call", params).to_string())).unwrap()
}

pub(crate) async fn send(endpoint: &Endpoint, request: Request<Body>) -> Response<Body> {
    endpoint.routes().oneshot(request).await.unwrap()
}

/// Status and JSON body of the answer.
pub(crate) async fn answer(endpoint: &Endpoint, request: Request<Body>) -> (StatusCode, Value) {
    let response = send(endpoint, request).await;
    let status = response.status();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

/// The next piece of a body, as text; empty at its end.
pub(crate) async fn piece(body: &mut Body) -> String {
    match body.frame().await {
        Some(Ok(frame)) => String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap(),
        _ => String::new(),
    }
}
