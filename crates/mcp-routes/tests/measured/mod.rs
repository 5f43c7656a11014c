//! What is measured: routes that cost next to nothing, asked for over HTTP by people and as tools by agents.

#![expect(clippy::unwrap_used, reason = "a measurement that meets anything unexpected has failed")]

use axum::{
    Json, Router,
    body::Body,
    extract::{Path, Query},
};
use bytes::Bytes;
use http::Request;
use http_body_util::BodyExt;
use mcp_server::{
    Args, McpRouter, Structured,
    http::{Endpoint, HttpOptions},
    routes::{Routes, get, mount, post},
    server, tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;
use tower::Service;

#[derive(Deserialize, JsonSchema)]
struct Addend {
    b: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Pair {
    a: i64,
    b: i64,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

async fn add(Path(a): Path<i64>, Query(Addend { b }): Query<Addend>) -> Json<Sum> {
    Json(Sum { sum: a + b })
}

async fn keep(Json(sum): Json<Sum>) -> Json<Sum> {
    Json(sum)
}

/// The application with its endpoint, as it is served.
pub(crate) fn application() -> Router {
    let routes = Routes::new()
        .route("/sums/{a}", get(add).tool("Adds"))
        .route("/sums", post(keep).tool("Keeps a sum"));
    mount(routes.with_state(()), |tools| server(tools).name("measured").version("1"), &HttpOptions::default())
        .unwrap()
        .router
}

/// A server of which the same is a tool by itself, and no route.
pub(crate) fn without_route() -> Router {
    let add = async |Args(Pair { a, b }): Args<Pair>| Structured(Sum { sum: a + b });
    let tools = McpRouter::new().tool("add", tool(add).describe("Adds"));
    let server = server(tools).name("measured").version("1").build().unwrap();
    Endpoint::new(server, HttpOptions::default()).unwrap().routes()
}

/// A person's request for the sum, with what browsers send along.
pub(crate) fn get_sum() -> Request<Body> {
    Request::get("/sums/2?b=40")
        .header("host", "127.0.0.1:8080")
        .header("accept", "application/json")
        .header("authorization", "Bearer a-token")
        .body(Body::empty())
        .unwrap()
}

/// A person's request with a JSON body.
pub(crate) fn post_sum() -> Request<Body> {
    Request::post("/sums")
        .header("host", "127.0.0.1:8080")
        .header("content-type", "application/json")
        .header("accept", "application/json")
        .header("authorization", "Bearer a-token")
        .body(Body::from(Bytes::from_static(br#"{"sum":42}"#)))
        .unwrap()
}

/// An agent's call.
pub(crate) fn call(name: &str, arguments: &str) -> Request<Body> {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"probe","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    Request::post("/mcp")
        .header("host", "127.0.0.1:8080")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("authorization", "Bearer a-token")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", name)
        .body(Body::from(Bytes::from(body)))
        .unwrap()
}

/// Where requests are served: one thread, no sockets.
pub(crate) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

/// The whole answer to a request.
pub(crate) fn answer(runtime: &Runtime, router: &mut Router, request: Request<Body>) -> Bytes {
    runtime.block_on(async {
        let response = router.as_service().call(request).await.unwrap();
        response.into_body().collect().await.unwrap().to_bytes()
    })
}
