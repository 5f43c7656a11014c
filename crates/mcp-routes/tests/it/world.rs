//! An application with its endpoints, as a client over HTTP meets it.

use axum::{Router, body::Body};
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt;
use mcp_server::{
    ProtocolVersion,
    http::HttpOptions,
    routes::{MountError, Mounted, Routes, mount},
    server,
};
use serde_json::{Value, json};
use tower::ServiceExt;

pub(crate) const MODERN: ProtocolVersion = ProtocolVersion::LATEST;

/// The application with default settings.
pub(crate) fn world(routes: Routes<()>) -> Mounted {
    try_world(routes).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn try_world(routes: Routes<()>) -> Result<Mounted, MountError> {
    world_with(routes, HttpOptions::default())
}

pub(crate) fn world_with(routes: Routes<()>, options: HttpOptions) -> Result<Mounted, MountError> {
    mount(routes.with_state(()), |tools| server(tools).name("world").version("1.0.0"), &options)
}

/// Everything that is wrong with the application, as lines.
pub(crate) fn faults(routes: Routes<()>) -> String {
    try_world(routes).map(|_| ()).unwrap_err().to_string()
}

/// What an HTTP request is answered with.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Reply {
    pub(crate) fn result(&self) -> &Value {
        self.body.get("result").unwrap_or_else(|| panic!("no result: {self:?}"))
    }

    pub(crate) fn text(&self) -> &str {
        self.result()["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {self:?}"))
    }

    pub(crate) fn is_error(&self) -> bool {
        self.result()["isError"] == true
    }

    pub(crate) fn names(&self, list: &str) -> Vec<String> {
        let entries = self.result()[list].as_array().unwrap();
        entries.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    }
}

/// Posts a modern request to an endpoint of the application.
pub(crate) async fn post(
    router: &Router,
    path: &str,
    method: &str,
    params: Value,
    headers: &[(&str, &str)],
) -> Reply {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN.as_str(),
        "io.modelcontextprotocol/clientInfo": { "name": "world", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let name = params.get("name").or(params.get("uri")).and_then(Value::as_str).map(str::to_owned);
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut request = Request::post(path)
        .header(header::HOST, "127.0.0.1")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .header("mcp-protocol-version", MODERN.as_str())
        .header("mcp-method", method);
    if let Some(name) = name {
        request = request.header("mcp-name", name);
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(router, request.body(Body::from(message.to_string())).unwrap()).await
}

/// Posts a handshake request, of a session where one is named.
pub(crate) async fn post_handshake(
    router: &Router,
    path: &str,
    message: Value,
    session: Option<&str>,
) -> Reply {
    let mut request = Request::post(path)
        .header(header::HOST, "127.0.0.1")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25");
    if let Some(session) = session {
        request = request.header("mcp-session-id", session);
    }
    send(router, request.body(Body::from(message.to_string())).unwrap()).await
}

/// Sends any request to the application.
pub(crate) async fn send(router: &Router, request: Request<Body>) -> Reply {
    let response = router.clone().oneshot(request).await.unwrap();
    let (head, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::String(text));
    Reply { status: head.status, headers: head.headers, body }
}

/// Gets a page of the application, as people do.
pub(crate) async fn fetch(router: &Router, path: &str) -> Reply {
    send(router, Request::get(path).body(Body::empty()).unwrap()).await
}

/// Calls a tool at the main endpoint.
pub(crate) async fn call(world: &Mounted, name: &str, arguments: Value, headers: &[(&str, &str)]) -> Reply {
    call_at(&world.router, "/mcp", name, arguments, headers).await
}

/// Calls a tool at an endpoint.
pub(crate) async fn call_at(
    router: &Router,
    path: &str,
    name: &str,
    arguments: Value,
    headers: &[(&str, &str)],
) -> Reply {
    let params = json!({ "name": name, "arguments": arguments });
    post(router, path, "tools/call", params, headers).await
}

/// A tool as it is listed at the main endpoint.
pub(crate) async fn listed(world: &Mounted, name: &str) -> Value {
    let list = post(&world.router, "/mcp", "tools/list", json!({}), &[]).await;
    let tools = list.result()["tools"].as_array().unwrap().clone();
    tools.into_iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("no tool {name}: {list:?}"))
}
