//! The order of the handshake on a byte stream, where it is enforced.

use crate::wire::{ask, connect, drive, heard, modern, plain, receive, serving};
use mcp_core::{
    connection::Connection,
    exchange::Exchange,
    registry::{McpRouter, tool},
    server::{Lifecycle, Server},
};
use serde_json::{Value, json};
use std::time::Duration;

fn router() -> McpRouter<()> {
    McpRouter::new().tool("add", tool(|| async { "sum" }).describe("Adds"))
}

fn enforcing(lifecycle: Lifecycle) -> Server {
    serving(router()).resource_updates().lifecycle(lifecycle).build().unwrap()
}

fn hello() -> Value {
    plain("hello", "initialize", json!({ "protocolVersion": "2025-11-25" }))
}

fn initialized() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
}

fn add(id: u32) -> Value {
    plain(id, "tools/call", json!({ "name": "add" }))
}

async fn shaken(server: &Server) -> Connection {
    let mut connection = connect(server);
    assert_eq!(ask(&mut connection, &hello()).await.result()["protocolVersion"], "2025-11-25");
    connection
}

fn held(connection: &mut Connection, message: &Value) -> Exchange {
    let mut exchange = receive(connection, message).unwrap();
    assert_eq!(heard(&mut exchange), [Value::Null; 0], "{message} waits");
    exchange
}

#[tokio::test(start_paused = true)]
async fn before_initialize_every_request_but_ping_is_told_what_to_send() {
    let server = enforcing(Lifecycle::enforced());
    let mut connection = connect(&server);
    assert_eq!(ask(&mut connection, &plain(1, "ping", json!({}))).await.result(), &json!({}));
    assert!(receive(&mut connection, &initialized()).is_none(), "a notification passes");
    for method in ["tools/list", "tools/call", "logging/setLevel", "vendor/nothing"] {
        let refused = ask(&mut connection, &plain(2, method, json!({}))).await;
        assert_eq!(refused.code(), -32600, "{method}");
        assert!(refused.message().contains("`initialize`"), "{}", refused.message());
    }
    let lenient = serving(router()).build().unwrap();
    assert_eq!(ask(&mut connect(&lenient), &add(3)).await.code(), -32602, "as it is without");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_overtook_initialized_waits_for_it_and_is_served() {
    let server = enforcing(Lifecycle::enforced());
    let mut connection = shaken(&server).await;
    let mut calls: Vec<_> = (1..4).map(|id| held(&mut connection, &add(id))).collect();
    let level = held(&mut connection, &plain("level", "logging/setLevel", json!({ "level": "error" })));
    assert_eq!(ask(&mut connection, &plain("p", "ping", json!({}))).await.result(), &json!({}));
    tokio::time::advance(Duration::from_millis(1_900)).await;
    assert!(receive(&mut connection, &initialized()).is_none());
    for call in calls.drain(..) {
        assert_eq!(drive(call).await.text(), "sum");
    }
    assert_eq!(drive(level).await.result(), &json!({}));
    assert_eq!(ask(&mut connection, &add(9)).await.text(), "sum");
    assert_eq!(connection.in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_says_initialized_is_refused_after_the_patience() {
    for (lifecycle, millis) in [
        (Lifecycle::enforced(), 2_000),
        (Lifecycle::enforced().patience(Duration::from_millis(300)), 300),
        (Lifecycle::enforced().patience(Duration::ZERO), 0),
    ] {
        let server = enforcing(lifecycle);
        let mut connection = shaken(&server).await;
        let begin = tokio::time::Instant::now();
        let refused = ask(&mut connection, &add(1)).await;
        assert_eq!((refused.code(), begin.elapsed().as_millis()), (-32600, millis));
        assert!(refused.message().contains("`notifications/initialized`"), "{}", refused.message());
        assert!(receive(&mut connection, &initialized()).is_none());
        assert_eq!(ask(&mut connection, &add(2)).await.text(), "sum", "it may still come");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_waits_can_be_cancelled_and_holds_its_id() {
    let server = enforcing(Lifecycle::enforced());
    let mut connection = shaken(&server).await;
    let waiting = held(&mut connection, &add(1));
    assert_eq!(ask(&mut connection, &add(1)).await.code(), -32600, "the id is taken");
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert!(receive(&mut connection, &cancel).is_none());
    let mut waiting = waiting;
    assert!(heard(&mut waiting).is_empty());
    receive(&mut connection, &initialized());
    assert!(heard(&mut waiting).is_empty(), "a cancelled request is not answered");
    assert_eq!(ask(&mut connection, &add(1)).await.text(), "sum");
}

#[tokio::test(start_paused = true)]
async fn modern_requests_are_never_held_back() {
    let server = enforcing(Lifecycle::enforced());
    let mut fresh = connect(&server);
    assert_eq!(ask(&mut fresh, &modern(1, "tools/call", json!({ "name": "add" }))).await.text(), "sum");
    let mut connection = shaken(&server).await;
    let begin = tokio::time::Instant::now();
    assert_eq!(ask(&mut connection, &modern(1, "tools/call", json!({ "name": "add" }))).await.text(), "sum");
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn without_the_setting_requests_are_served_as_soon_as_initialize_is_answered() {
    let server = enforcing(Lifecycle::lenient());
    let mut connection = shaken(&server).await;
    assert_eq!(ask(&mut connection, &add(1)).await.text(), "sum");
}

#[test]
fn a_patience_out_of_range_is_a_build_error() {
    let server = serving(router()).lifecycle(Lifecycle::enforced().patience(Duration::from_secs(61)));
    let faults = server.build().unwrap_err().to_string();
    assert!(faults.contains("lifecycle.patience") && faults.contains("60s"), "{faults}");
}
