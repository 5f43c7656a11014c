//! `initialize` over HTTP without sessions: the choice of a version and what is told.

use crate::wire::{HANDSHAKE, Headers, plain, post, server, serving};
use mcp_core::{
    registry::{McpRouter, prompt, resource, tool},
    server::Server,
    version::ProtocolVersion,
};
use serde_json::{Value, json};

fn offering() -> Server {
    server(McpRouter::new().tool("add", tool(|| async { "sum" }).describe("Adds")))
}

fn hello(version: Value) -> Value {
    let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    plain(1, "initialize", params)
}

fn header(version: &str) -> Headers {
    Headers::default().with("mcp-protocol-version", version)
}

#[tokio::test]
async fn the_version_asked_for_in_the_body_decides_whatever_the_header_says() {
    let server = offering();
    for headers in [Headers::default(), header("2024-11-05"), header("2025-11-25"), header("v9"), header("")]
    {
        for (asked, answered) in [
            ("2024-11-05", "2024-11-05"),
            ("2025-03-26", "2025-03-26"),
            ("2025-06-18", "2025-06-18"),
            ("2025-11-25", "2025-11-25"),
            ("2026-07-28", HANDSHAKE.as_str()),
            ("1900-01-01", HANDSHAKE.as_str()),
            ("", HANDSHAKE.as_str()),
        ] {
            let reply = post(&server, &hello(json!(asked)), &headers).await;
            assert_eq!(reply.result()["protocolVersion"], answered, "{headers:?} {asked}");
            assert_eq!(reply.status, 200);
        }
    }
}

#[tokio::test]
async fn a_handshake_without_a_version_is_refused() {
    let server = offering();
    for version in [Value::Null, json!(5), json!(["2025-11-25"])] {
        let reply = post(&server, &hello(version.clone()), &Headers::default()).await;
        assert_eq!(reply.code(), -32602, "{version}");
    }
    assert_eq!(post(&server, &plain(1, "initialize", json!({})), &Headers::default()).await.code(), -32602);
    let no_params = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize" });
    assert_eq!(post(&server, &no_params, &Headers::default()).await.code(), -32602);
    let mut odd = hello(json!("2025-11-25"));
    odd["params"]["capabilities"] = json!([]);
    assert_eq!(post(&server, &odd, &Headers::default()).await.code(), -32602);
}

#[tokio::test]
async fn without_a_session_nothing_is_promised_that_needs_one() {
    let router = McpRouter::new()
        .tool("add", tool(|| async { "sum" }).describe("Adds"))
        .resource("test://a", resource(|| async { "a" }))
        .prompt("hello", prompt(|| async { "hi" }).describe("Greets"));
    let server = serving(router).dynamic().resource_updates().build().unwrap();
    let reply = post(&server, &hello(json!("2025-11-25")), &Headers::default()).await;
    let capabilities = &reply.result()["capabilities"];
    assert_eq!(capabilities["tools"], json!({ "listChanged": false }));
    assert_eq!(capabilities["resources"], json!({ "subscribe": false, "listChanged": false }));
    assert_eq!(capabilities.get("logging"), None);
    for method in ["resources/subscribe", "resources/unsubscribe", "logging/setLevel"] {
        let params = json!({ "uri": "test://a", "level": "info" });
        let reply = post(&server, &plain(1, method, params), &header("2025-11-25")).await;
        assert_eq!((reply.status, reply.code()), (200, -32601), "{method}");
    }
    let pong = post(&server, &plain(1, "ping", json!({})), &header("2025-11-25")).await;
    assert_eq!(pong.reply, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
}

#[tokio::test]
async fn headers_without_a_version_mean_the_assumed_one() {
    let server = server(
        McpRouter::new().tool(
            "version",
            tool(|context: mcp_core::context::Context| async move { context.version().as_str() })
                .describe("Tells"),
        ),
    );
    let call = plain(1, "tools/call", json!({ "name": "version" }));
    let reply = post(&server, &call, &Headers::default()).await;
    assert_eq!(reply.text(), ProtocolVersion::ASSUMED_WITHOUT_HEADER.as_str());
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        assert_eq!(post(&server, &call, &header(version)).await.text(), version);
    }
}

#[tokio::test]
async fn a_server_that_is_shutting_down_shakes_no_hands() {
    let server = offering();
    server.shut_down();
    let reply = post(&server, &hello(json!("2025-11-25")), &Headers::default()).await;
    assert_eq!((reply.status, reply.code()), (503, -32603), "{}", reply.reply);
}
