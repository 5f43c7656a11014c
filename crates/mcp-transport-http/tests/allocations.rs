//! What a call costs in allocations: the gate that keeps the hot path as it is.
//!
//! Counts what the service allocates between taking a request and giving its whole answer, in this
//! process, without sockets. Run `cargo test -p mcp-transport-http --test allocations -- --nocapture`
//! to see the numbers.

#![expect(clippy::unwrap_used, reason = "a test that meets anything unexpected has failed")]

use axum::{Router, body::Body};
use bytes::Bytes;
use http::Request;
use http_body_util::BodyExt as _;
use mcp_server::{Log, McpRouter, Structured, server, tool, tool_args};
use mcp_transport_http::{Endpoint, HttpOptions};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::runtime::Runtime;
use tower::Service as _;

/// The most allocations one modern call may make. An axum route alone makes 13.
const MOST: u64 = 26;
/// The most for a call in a session, which is looked up, kept alive, and can be cancelled.
const MOST_IN_SESSION: u64 = 30;
/// The most for a call in a session that is answered as a stream, every message of which can be replayed.
const MOST_AS_STREAM: u64 = 54;

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

async fn says(log: Log) -> &'static str {
    log.info("soon");
    "now"
}

fn routes(tools: usize) -> Router {
    let mut router = McpRouter::new()
        .tool(
            "add",
            tool_args(["a", "b"], async |a: i64, b: i64| Structured(Sum { sum: a + b })).describe("Adds"),
        )
        .tool("echo", tool_args(["text"], async |text: String| text).describe("Echoes"))
        .tool("says", tool(says).describe("Says something before it answers"));
    for number in 0..tools {
        router = router.tool(format!("tool_{number}"), tool(async || "nothing").describe("Does nothing"));
    }
    let server = server(router).name("counted").version("1").build().unwrap();
    Endpoint::new(server, HttpOptions::default()).unwrap().routes()
}

fn call(name: &str, arguments: &str) -> Request<Body> {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"probe","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    Request::post("/mcp")
        .header("host", "127.0.0.1:8080")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", name)
        .body(Body::from(Bytes::from(body)))
        .unwrap()
}

fn in_session(id: &str, name: &str, arguments: &str) -> Request<Body> {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{arguments}}}}}"#
    );
    Request::post("/mcp")
        .header("host", "127.0.0.1:8080")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25")
        .header("mcp-session-id", id)
        .body(Body::from(Bytes::from(body)))
        .unwrap()
}

/// Begins a session and gives its id.
fn session(runtime: &Runtime, routes: &mut Router) -> String {
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"probe","version":"1"}}}"#;
    let request = Request::post("/mcp")
        .header("host", "127.0.0.1:8080")
        .header("content-type", "application/json")
        .body(Body::from(hello))
        .unwrap();
    let response = runtime.block_on(routes.as_service().call(request)).unwrap();
    response.headers()["mcp-session-id"].to_str().unwrap().to_owned()
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

/// Allocations from taking a request to the end of its answer.
fn allocations(runtime: &Runtime, routes: &mut Router, request: impl Fn() -> Request<Body>) -> u64 {
    let mut counted = 0;
    // The first calls fill what is made once.
    for _ in 0..5 {
        let request = request();
        let mut answer = Bytes::new();
        let info = allocation_counter::measure(|| {
            answer = runtime.block_on(async {
                let response = routes.as_service().call(request).await.unwrap();
                response.into_body().collect().await.unwrap().to_bytes()
            });
        });
        assert!(answer.windows(9).any(|part| part == b"\"content\""), "{answer:?}");
        counted = info.count_total;
    }
    counted
}

#[test]
fn a_call_makes_few_allocations_however_many_tools_there_are() {
    let calls = [("add", r#"{"a":2,"b":40}"#), ("echo", r#"{"text":"hello"}"#)];
    let runtime = runtime();
    let mut few = routes(1);
    let mut many = routes(1_000);
    for (name, arguments) in calls {
        let request = || call(name, arguments);
        let counted = allocations(&runtime, &mut few, request);
        println!("{name}: {counted} allocations");
        assert!(counted <= MOST, "{name}: {counted} allocations, more than {MOST}");
        assert_eq!(counted, allocations(&runtime, &mut many, request), "{name} with 1,000 tools");
    }
}

#[test]
fn a_call_in_a_session_makes_few_allocations_too() {
    let runtime = runtime();
    let mut routes = routes(1);
    let id = session(&runtime, &mut routes);
    for (name, arguments, most) in [
        ("add", r#"{"a":2,"b":40}"#, MOST_IN_SESSION),
        ("echo", r#"{"text":"hello"}"#, MOST_IN_SESSION),
        ("says", "{}", MOST_AS_STREAM),
    ] {
        let counted = allocations(&runtime, &mut routes, || in_session(&id, name, arguments));
        println!("{name} in a session: {counted} allocations");
        assert!(counted <= most, "{name}: {counted} allocations, more than {most}");
    }
}
