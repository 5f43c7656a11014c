//! Batches on a byte stream: served in the one revision that has them, refused everywhere else.

use crate::wire::{
    Headers, agreeing, ask, connect, drive, heard, modern, plain, post_text, ready, receive, server, serving,
    shaken,
};
use mcp_core::{
    connection::Connection,
    exchange::Outgoing,
    extract::Progress,
    registry::{McpRouter, tool, tool_args},
    server::{Limits, Server},
    version::ProtocolVersion,
};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::Notify;

const WITH_BATCHES: ProtocolVersion = ProtocolVersion::V2025_03_26;

fn router() -> McpRouter<()> {
    McpRouter::new()
        .tool("add", tool(|| async { "sum" }).describe("Adds"))
        .tool("wait", tool(|| async { std::future::pending::<String>().await }).describe("Waits"))
        .tool("panic", tool(broken).describe("Panics"))
        .tool("blob", tool_args(["bytes"], |bytes: usize| async move { "x".repeat(bytes) }).describe("Large"))
        .tool("report", tool(reporting).describe("Reports"))
}

async fn broken() -> String {
    panic!("secret")
}

async fn reporting(progress: Progress) -> &'static str {
    progress.report(1.0, None);
    tokio::task::yield_now().await;
    progress.report(2.0, None);
    "reported"
}

fn call(id: impl Into<Value>, name: &str) -> Value {
    plain(id, "tools/call", json!({ "name": name }))
}

fn blob(id: i64, bytes: usize) -> Value {
    plain(id, "tools/call", json!({ "name": "blob", "arguments": { "bytes": bytes } }))
}

fn cancel(id: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id.into() } })
}

fn note() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/x" })
}

async fn session() -> Connection {
    shaken(&server(router()), WITH_BATCHES).await
}

async fn bounded(limits: Limits) -> Connection {
    shaken(&serving(router()).limits(limits).build().unwrap(), WITH_BATCHES).await
}

/// The entries of the one reply.
async fn entries(connection: &mut Connection, batch: &Value) -> Vec<Value> {
    let Value::Array(entries) = ask(connection, batch).await.reply else { panic!("not an array") };
    entries
}

/// Id and error code of each entry; 0 for a result.
fn codes(entries: &[Value]) -> Vec<(Value, i64)> {
    let code = |entry: &Value| entry["error"]["code"].as_i64().unwrap_or_default();
    entries.iter().map(|entry| (entry["id"].clone(), code(entry))).collect()
}

#[tokio::test]
async fn every_request_of_a_batch_has_one_entry_and_nothing_else_has() {
    let mut connection = session().await;
    let response = json!({ "jsonrpc": "2.0", "id": 9, "result": {} });
    let batch = json!([
        plain(1, "tools/list", json!({})),
        note(),
        response,
        plain("2", "nope", json!({})),
        call(3, "add")
    ]);
    let answered = ask(&mut connection, &batch).await;
    assert_eq!(answered.status, 200);
    let entries = answered.reply.as_array().unwrap();
    assert_eq!(codes(entries), [(json!(1), 0), (json!("2"), -32601), (json!(3), 0)]);
    assert_eq!(entries[2]["result"]["content"][0]["text"], "sum");
    assert_eq!(connection.in_flight(), 0);
}

#[tokio::test]
async fn notifications_and_responses_alone_are_not_answered() {
    let mut connection = session().await;
    let response = json!({ "jsonrpc": "2.0", "id": 1, "result": {} });
    let error = json!({ "jsonrpc": "2.0", "id": 2, "error": { "code": 1, "message": "no" } });
    for batch in [json!([note(), note()]), json!([response, error]), json!([note(), response])] {
        assert!(receive(&mut connection, &batch).is_none(), "{batch}");
    }
}

#[tokio::test]
async fn an_empty_batch_is_one_invalid_request() {
    for version in ProtocolVersion::ALL.into_iter().filter(|version| *version != ProtocolVersion::LATEST) {
        let mut connection = shaken(&server(router()), version).await;
        let answered = ask(&mut connection, &json!([])).await;
        assert_eq!(answered.code(), -32600, "{version}");
    }
}

#[tokio::test]
async fn what_is_no_message_has_an_entry_of_its_own() {
    let mut connection = session().await;
    let invalid = || (Value::Null, -32600);
    let numbers = entries(&mut connection, &json!([1, 2])).await;
    assert_eq!(codes(&numbers), [invalid(), invalid()]);
    assert!(numbers.iter().all(|entry| entry.as_object().unwrap().contains_key("id")));
    let nested = entries(&mut connection, &json!([[], [call(1, "add")], call(2, "add")])).await;
    assert_eq!(codes(&nested), [invalid(), invalid(), (json!(2), 0)]);
    let unsound = json!([plain(Value::Null, "ping", json!({})), plain(3, "ping", json!([])), { "id": 4 }]);
    let unsound = entries(&mut connection, &unsound).await;
    assert_eq!(codes(&unsound), [invalid(), (json!(3), -32600), (json!(4), -32600)]);
}

#[tokio::test]
async fn the_handshake_and_modern_requests_may_not_stand_in_a_batch() {
    let mut connection = session().await;
    let hello = plain(1, "initialize", json!({ "protocolVersion": "2025-11-25" }));
    let batch = json!([hello, modern(2, "tools/call", json!({ "name": "add" })), call(3, "add")]);
    let entries = entries(&mut connection, &batch).await;
    assert_eq!(codes(&entries), [(json!(1), -32600), (json!(2), -32600), (json!(3), 0)]);
}

#[tokio::test]
async fn no_handshake_happens_inside_a_batch() {
    let mut connection = connect(&server(router()));
    let hello = plain(1, "initialize", json!({ "protocolVersion": WITH_BATCHES.as_str() }));
    assert_eq!(ask(&mut connection, &json!([hello])).await.code(), -32600);
    assert_eq!(ask(&mut connection, &call(2, "add")).await.code(), -32602, "still before the handshake");
    assert_eq!(ask(&mut connection, &hello).await.result()["protocolVersion"], WITH_BATCHES.as_str());
}

#[tokio::test]
async fn messages_of_a_batch_are_counted_before_any_is_served() {
    let calls = Arc::new(AtomicUsize::new(0));
    let limits = Limits { batch_messages: 2, ..Limits::default() };
    let server = serving(counting(&calls)).limits(limits).build().unwrap();
    let mut connection = shaken(&server, WITH_BATCHES).await;
    let answered = ask(&mut connection, &json!([call(1, "count"), call(2, "count"), note()])).await;
    assert_eq!(answered.code(), -32600);
    assert!(answered.message().contains("limits.batch_messages"), "{}", answered.reply);
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    assert_eq!(entries(&mut connection, &json!([call(1, "count"), call(2, "count")])).await.len(), 2);
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

fn counting(calls: &Arc<AtomicUsize>) -> McpRouter<()> {
    let calls = Arc::clone(calls);
    let count = move || {
        let calls = Arc::clone(&calls);
        async move {
            calls.fetch_add(1, Ordering::Relaxed);
            "counted"
        }
    };
    McpRouter::new().tool("count", tool(count).describe("Counts"))
}

#[test]
fn the_number_of_messages_has_a_range() {
    for (batch_messages, sound) in [(0, false), (1, true), (10_000, true), (10_001, false)] {
        let limits = Limits { batch_messages, ..Limits::default() };
        let built = serving(router()).limits(limits).build();
        assert_eq!(built.is_ok(), sound, "{batch_messages}");
        if let Err(faults) = built {
            assert!(faults.to_string().contains("limits.batch_messages"));
        }
    }
}

#[tokio::test]
async fn the_second_use_of_an_id_in_a_batch_is_refused() {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut connection = shaken(&server(counting(&calls)), WITH_BATCHES).await;
    let batch = json!([call(1, "count"), call(1, "count"), call("1", "count"), call(1.0, "count")]);
    let entries = entries(&mut connection, &batch).await;
    assert_eq!(codes(&entries), [(json!(1), 0), (json!(1), -32600), (json!("1"), 0), (json!(1.0), -32600)]);
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn the_requests_of_a_batch_count_as_requests_in_flight() {
    let mut connection = bounded(Limits { requests_in_flight: 2, ..Limits::default() }).await;
    let batch = json!([call(1, "wait"), call(2, "wait"), call(3, "add")]);
    let mut exchange = receive(&mut connection, &batch).unwrap();
    assert!(ready(&mut exchange).is_empty());
    assert_eq!(connection.in_flight(), 2);
    assert_eq!(ask(&mut connection, &call(1, "add")).await.code(), -32603, "a request beside the batch");
    receive(&mut connection, &cancel(1));
    receive(&mut connection, &cancel(2));
    let answered = drive(exchange).await;
    assert_eq!(answered.reply.as_array().unwrap().len(), 1);
    assert_eq!(answered.reply[0]["id"], 3);
    assert!(answered.reply[0]["error"]["message"].as_str().unwrap().contains("limits.requests_in_flight"));
    assert_eq!(connection.in_flight(), 0);
}

#[tokio::test]
async fn a_cancelled_request_has_no_entry() {
    let mut connection = session().await;
    let mut exchange =
        receive(&mut connection, &json!([call(1, "add"), call(2, "wait"), call(3, "add")])).unwrap();
    assert!(ready(&mut exchange).is_empty(), "the batch waits for its last reply");
    assert_eq!(ask(&mut connection, &call(2, "add")).await.code(), -32600, "the id is in use");
    // The first was answered already, but nobody has seen that yet.
    receive(&mut connection, &cancel(1));
    receive(&mut connection, &cancel(2));
    let answered = drive(exchange).await;
    assert_eq!(codes(answered.reply.as_array().unwrap()), [(json!(3), 0)]);
}

#[tokio::test]
async fn a_batch_of_cancelled_requests_has_no_reply() {
    let mut connection = session().await;
    let exchange =
        receive(&mut connection, &json!([call(1, "wait"), cancel(1), call(2, "add"), cancel(2)])).unwrap();
    assert_eq!(drive(exchange).await.reply, Value::Null);
    assert_eq!(connection.in_flight(), 0);
}

#[tokio::test]
async fn a_cancellation_wakes_the_batch() {
    let mut connection = session().await;
    let exchange = receive(&mut connection, &json!([call(1, "wait"), call(2, "add")])).unwrap();
    let driven = tokio::spawn(drive(exchange));
    tokio::task::yield_now().await;
    receive(&mut connection, &cancel(1));
    let answered = tokio::time::timeout(Duration::from_secs(60), driven).await.unwrap().unwrap();
    assert_eq!(codes(answered.reply.as_array().unwrap()), [(json!(2), 0)]);
}

#[tokio::test]
async fn a_dropped_batch_drops_its_requests() {
    let mut connection = session().await;
    let mut exchange = receive(&mut connection, &json!([call(1, "wait"), call(2, "add")])).unwrap();
    assert!(ready(&mut exchange).is_empty());
    drop(exchange);
    assert_eq!(connection.in_flight(), 0);
}

#[tokio::test]
async fn progress_passes_before_the_batch_is_done() {
    let mut connection = session().await;
    let reported = |id: i64, token: &str| {
        plain(id, "tools/call", json!({ "name": "report", "_meta": { "progressToken": token } }))
    };
    let batch = json!([call(1, "wait"), reported(2, "a"), reported(3, "b")]);
    let mut exchange = receive(&mut connection, &batch).unwrap();
    let seen = heard(&mut exchange);
    for token in ["a", "b"] {
        let steps: Vec<_> = seen
            .iter()
            .filter(|message| message["params"]["progressToken"] == token)
            .map(|message| message["params"]["progress"].as_f64().unwrap())
            .collect();
        assert_eq!(steps, [1.0, 2.0], "{token}");
    }
    receive(&mut connection, &cancel(1));
    let answered = drive(exchange).await;
    assert!(answered.notifications.is_empty());
    assert_eq!(codes(answered.reply.as_array().unwrap()), [(json!(2), 0), (json!(3), 0)]);
}

#[tokio::test]
async fn entries_come_in_the_order_of_the_batch_whichever_was_done_first() {
    let gate = Arc::new(Notify::new());
    let opened = Arc::clone(&gate);
    let behind = move || {
        let gate = Arc::clone(&gate);
        async move {
            gate.notified().await;
            "late"
        }
    };
    let router = router().tool("behind", tool(behind).describe("Waits for the gate"));
    let mut connection = shaken(&server(router), WITH_BATCHES).await;
    let mut exchange = receive(&mut connection, &json!([call(1, "behind"), call(2, "add")])).unwrap();
    assert!(ready(&mut exchange).is_empty());
    opened.notify_one();
    let answered = drive(exchange).await;
    assert_eq!(codes(answered.reply.as_array().unwrap()), [(json!(1), 0), (json!(2), 0)]);
    assert_eq!(answered.reply[0]["result"]["content"][0]["text"], "late");
}

#[tokio::test]
async fn a_panic_costs_its_own_entry() {
    let mut connection = session().await;
    let batch = json!([call(1, "add"), call(2, "panic"), call(3, "add")]);
    let entries = entries(&mut connection, &batch).await;
    assert_eq!(codes(&entries), [(json!(1), 0), (json!(2), -32603), (json!(3), 0)]);
    assert!(!entries[1].to_string().contains("secret"));
}

#[tokio::test]
async fn a_reply_that_makes_the_array_too_large_becomes_an_error() {
    let limit = 4_096;
    let mut connection = bounded(Limits::default().with_output_bytes(limit)).await;
    let batch = json!([blob(1, 1_500), blob(2, 1_500), blob(3, 1_500), blob(4, 10), blob(5, 100_000)]);
    let answered = ask(&mut connection, &batch).await;
    let entries = answered.reply.as_array().unwrap();
    let expected = [(json!(1), 0), (json!(2), 0), (json!(3), -32603), (json!(4), 0), (json!(5), -32603)];
    assert_eq!(codes(entries), expected);
    for refused in [&entries[2], &entries[4]] {
        let text = refused["error"]["message"].as_str().unwrap();
        assert!(text.contains("limits.output_bytes"), "{text}");
    }
    assert!(answered.reply.to_string().len() <= limit);
}

#[tokio::test]
async fn every_request_is_answered_however_small_the_limit_is() {
    let mut connection = bounded(Limits::default().with_output_bytes(1_024)).await;
    let batch: Vec<_> = (0..100).map(|id| blob(id, 300)).collect();
    let entries = entries(&mut connection, &json!(batch)).await;
    assert_eq!(entries.len(), 100);
    let bytes: usize = entries[3..].iter().map(|entry| entry.to_string().len()).sum();
    assert!(bytes < 97 * 256, "{bytes} bytes");
}

#[tokio::test]
async fn a_large_batch_is_served_whole() {
    let limits = Limits { batch_messages: 10_000, requests_in_flight: 10_000, ..Limits::default() };
    let mut connection = bounded(limits).await;
    let batch: Vec<_> =
        (0..4_000).map(|id| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })).collect();
    let entries = entries(&mut connection, &json!(batch)).await;
    assert!(entries.iter().enumerate().all(|(at, entry)| entry["id"] == at && entry["result"] == json!({})));
    assert_eq!(entries.len(), 4_000);
}

#[tokio::test]
async fn other_versions_refuse_a_batch_once_and_serve_nothing_of_it() {
    let calls = Arc::new(AtomicUsize::new(0));
    let server = server(counting(&calls));
    for version in ProtocolVersion::ALL {
        if version == WITH_BATCHES {
            continue;
        }
        let modern_too = modern(2, "tools/call", json!({ "name": "count" }));
        let batch = json!([call(1, "count"), note(), modern_too]);
        let mut connection = match version {
            ProtocolVersion::LATEST => connect(&server),
            version => shaken(&server, version).await,
        };
        for batch in [batch, json!([]), json!([1, 2]), json!([[]])] {
            let answered = ask(&mut connection, &batch).await;
            assert_eq!(answered.code(), -32600, "{version} {batch}");
            assert_eq!(answered.message(), "Invalid Request", "{version} {batch}");
            assert!(answered.reply["error"].get("data").is_none(), "{version} {batch}");
        }
        let after = match version {
            ProtocolVersion::LATEST => modern(3, "tools/list", json!({})),
            _ => plain(3, "tools/list", json!({})),
        };
        assert_eq!(ask(&mut connection, &after).await.reply["id"], 3, "{version}");
    }
    assert_eq!(calls.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_modern_batch_over_http_is_refused() {
    let calls = Arc::new(AtomicUsize::new(0));
    let server: Server = server(counting(&calls));
    let one = modern(1, "tools/call", json!({ "name": "count" }));
    for headers in [agreeing(&one), Headers::default().with("mcp-protocol-version", "2025-06-18")] {
        let answered = post_text(&server, json!([one]).to_string(), &headers).await;
        assert_eq!((answered.code(), answered.status), (-32600, 400));
    }
    assert_eq!(calls.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn nothing_follows_the_reply_to_a_batch() {
    let mut connection = session().await;
    let mut exchange = receive(&mut connection, &json!([call(1, "add"), call(2, "add")])).unwrap();
    assert!(exchange.cancel_flag().is_none() && !exchange.is_listen());
    assert!(matches!(&ready(&mut exchange)[..], [Outgoing::Reply(_)]));
    assert!(ready(&mut exchange).is_empty());
    assert_eq!(connection.in_flight(), 0, "the ids are free");
}
