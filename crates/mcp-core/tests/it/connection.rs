//! A peer on a byte stream: both eras on one connection.

use crate::wire::{
    HANDSHAKE, LOG_KEY, SERVER_KEY, SUBSCRIPTION_KEY, ask, connect, drive, heard, modern, plain, read, ready,
    receive, server, serving, shaken, with_meta,
};
use bytes::Bytes;
use futures_util::{FutureExt as _, future::poll_fn};
use mcp_core::{
    connection::Connection,
    extract::{Client, Log},
    handler::ToolError,
    protocol::LogLevel,
    registry::{McpRouter, resource, tool},
    server::{Limits, Server},
    version::ProtocolVersion,
};
use serde_json::{Value, json};

async fn forever() -> &'static str {
    std::future::pending().await
}

async fn every_level(log: Log) -> String {
    LogLevel::ALL.into_iter().for_each(|level| log.send(level, level.as_str()));
    "logged".to_owned()
}

fn router() -> McpRouter<()> {
    McpRouter::new()
        .tool("add", tool(|| async { "sum" }).describe("Adds"))
        .tool("wait", tool(forever).describe("Waits"))
        .tool("log", tool(every_level).describe("Logs"))
        .resource("test://a", resource(|| async { "a" }))
        .resource("file:///d/caf%C3%A9%201.txt", resource(|| async { "menu" }))
        .resource("users://{id}", resource(|| async { "u" }))
}

fn offering() -> Server {
    server(router())
}

fn call(id: impl Into<Value>, name: &str) -> Value {
    plain(id, "tools/call", json!({ "name": name }))
}

fn cancel(id: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id.into(), "reason": "why not" } })
}

fn change(connection: &mut Connection) -> Option<Value> {
    poll_fn(|context| connection.poll_change(context)).now_or_never().map(|bytes| read(&bytes))
}

#[tokio::test]
async fn both_eras_take_turns_on_one_connection() {
    let server = offering();
    let mut connection = connect(&server);
    let discovered = ask(&mut connection, &modern(1, "server/discover", json!({}))).await;
    assert_eq!(discovered.result()["supportedVersions"][0], "2026-07-28");
    let hello = plain(2, "initialize", json!({ "protocolVersion": "2025-06-18" }));
    assert_eq!(ask(&mut connection, &hello).await.result()["protocolVersion"], "2025-06-18");
    let old = ask(&mut connection, &call(3, "add")).await;
    assert_eq!(old.result(), &json!({ "content": [{ "type": "text", "text": "sum" }] }));
    let new = ask(&mut connection, &modern(4, "tools/call", json!({ "name": "add" }))).await;
    assert_eq!(new.result()["resultType"], "complete");
    assert_eq!(new.result()["_meta"][SERVER_KEY], json!({ "name": "test", "version": "1" }));
    assert_eq!(ask(&mut connection, &modern(5, "ping", json!({}))).await.code(), -32601);
    assert_eq!(ask(&mut connection, &plain(6, "ping", json!({}))).await.reply["result"], json!({}));
    assert_eq!(ask(&mut connection, &plain(7, "server/discover", json!({}))).await.code(), -32601);
}

#[tokio::test]
async fn before_the_handshake_only_ping_is_served() {
    let server = offering();
    let mut connection = connect(&server);
    assert_eq!(ask(&mut connection, &plain(1, "ping", json!({}))).await.reply["result"], json!({}));
    for method in
        ["tools/list", "vendor/hello", "server/discover", "subscriptions/listen", "logging/setLevel"]
    {
        assert_eq!(ask(&mut connection, &plain(2, method, json!({}))).await.code(), -32602, "{method}");
    }
    let refused = ask(&mut connection, &plain(3, "vendor/hello", json!({}))).await;
    assert!(refused.message().contains("2025-11-25") && refused.message().contains("2026-07-28"));
    let hello = plain(4, "initialize", json!({ "protocolVersion": "2025-11-25" }));
    assert_eq!(ask(&mut connection, &hello).await.result()["protocolVersion"], "2025-11-25");
    assert_eq!(ask(&mut connection, &call(5, "add")).await.text(), "sum");
}

#[tokio::test]
async fn there_is_one_handshake() {
    let server = offering();
    let mut connection = connect(&server);
    let bad = plain(1, "initialize", json!({ "protocolVersion": 5 }));
    assert_eq!(ask(&mut connection, &bad).await.code(), -32602);
    let hello = plain(2, "initialize", json!({ "protocolVersion": "2024-11-05" }));
    assert_eq!(ask(&mut connection, &hello).await.result()["protocolVersion"], "2024-11-05");
    let again = plain(3, "initialize", json!({ "protocolVersion": "2025-11-25" }));
    assert_eq!(ask(&mut connection, &again).await.code(), -32600);
    let read = plain(4, "resources/read", json!({ "uri": "test://none" }));
    assert_eq!(ask(&mut connection, &read).await.code(), -32002, "the first handshake still holds");
}

#[tokio::test]
async fn an_id_is_in_use_until_its_reply() {
    let server = offering();
    let mut connection = shaken(&server, HANDSHAKE).await;
    let mut waiting = receive(&mut connection, &call(1, "wait")).unwrap();
    assert!(ready(&mut waiting).is_empty());
    assert_eq!(ask(&mut connection, &call(1, "add")).await.code(), -32600);
    assert_eq!(ask(&mut connection, &call(1.0, "add")).await.code(), -32600, "the same number");
    assert_eq!(ask(&mut connection, &modern(1, "tools/list", json!({}))).await.code(), -32600);
    let text = ask(&mut connection, &call("1", "add")).await;
    assert_eq!((text.text(), &text.reply["id"]), ("sum", &json!("1")));
    assert_eq!(connection.in_flight(), 1);
    drop(waiting);
    assert_eq!(connection.in_flight(), 0);
    assert_eq!(ask(&mut connection, &call(1, "add")).await.text(), "sum");
    assert_eq!(ask(&mut connection, &call(1, "add")).await.text(), "sum", "again after the answer");
}

#[tokio::test]
async fn an_id_written_as_a_decimal_comes_back_as_it_came() {
    let server = offering();
    let mut connection = shaken(&server, HANDSHAKE).await;
    for id in ["8.0", "1e2", "-0", "\"\\u0061\"", "123456789012345678901234567890"] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let mut exchange = connection.receive(Bytes::from(text)).unwrap();
        let [mcp_core::exchange::Outgoing::Reply(reply)] = &ready(&mut exchange)[..] else { panic!("{id}") };
        assert_eq!(reply.body, format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
    }
}

#[tokio::test]
async fn a_cancelled_request_has_no_reply() {
    let server = offering();
    let mut connection = shaken(&server, HANDSHAKE).await;
    for (id, other) in [(json!(1), json!("1")), (json!("a"), json!("b")), (json!(8.0), json!(9))] {
        let mut exchange = receive(&mut connection, &call(id.clone(), "wait")).unwrap();
        assert!(ready(&mut exchange).is_empty());
        assert!(receive(&mut connection, &cancel(other)).is_none());
        assert!(exchange.poll_message_once().is_none(), "still waiting");
        assert!(receive(&mut connection, &cancel(id.clone())).is_none());
        assert_eq!(drive(exchange).await.reply, Value::Null);
        assert_eq!(connection.in_flight(), 0);
        assert!(receive(&mut connection, &cancel(id)).is_none(), "once more, for nothing");
    }
    let mut modern = receive(&mut connection, &modern(5, "tools/call", json!({ "name": "wait" }))).unwrap();
    assert!(ready(&mut modern).is_empty());
    receive(&mut connection, &cancel(5));
    assert_eq!(drive(modern).await.reply, Value::Null);
}

/// Whether a message is there now.
trait PollOnce {
    fn poll_message_once(&mut self) -> Option<Option<mcp_core::exchange::Outgoing>>;
}

impl PollOnce for mcp_core::exchange::Exchange {
    fn poll_message_once(&mut self) -> Option<Option<mcp_core::exchange::Outgoing>> {
        poll_fn(|context| self.poll_message(context)).now_or_never()
    }
}

#[tokio::test]
async fn cancellations_of_nothing_are_ignored() {
    let server = offering();
    let mut connection = connect(&server);
    assert!(receive(&mut connection, &cancel(1)).is_none(), "before anything");
    let mut connection = shaken(&server, HANDSHAKE).await;
    let method = "notifications/cancelled";
    for params in [
        json!({}),
        json!({ "requestId": null }),
        json!({ "requestId": [1] }),
        json!({ "requestId": 1.5 }),
        Value::Null,
    ] {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        assert!(receive(&mut connection, &message).is_none(), "{message}");
    }
    assert_eq!(ask(&mut connection, &call(1, "add")).await.text(), "sum");
}

#[tokio::test]
async fn the_handshake_cannot_be_cancelled() {
    let server = offering();
    let mut connection = connect(&server);
    let hello = plain(1, "initialize", json!({ "protocolVersion": "2025-11-25" }));
    let exchange = receive(&mut connection, &hello).unwrap();
    receive(&mut connection, &cancel(1));
    assert_eq!(drive(exchange).await.result()["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn the_session_hears_from_its_level_up() {
    let server = offering();
    let mut connection = shaken(&server, HANDSHAKE).await;
    let level = |id: i64, level: Value| plain(id, "logging/setLevel", json!({ "level": level }));
    assert_eq!(ask(&mut connection, &call(1, "log")).await.notifications.len(), 8, "everything at first");
    assert_eq!(ask(&mut connection, &level(2, json!("error"))).await.reply["result"], json!({}));
    for bad in [json!("loud"), json!("ERROR"), json!(3), Value::Null] {
        assert_eq!(ask(&mut connection, &level(3, bad.clone())).await.code(), -32602, "{bad}");
    }
    let heard = ask(&mut connection, &call(4, "log")).await.notifications;
    let levels: Vec<_> = heard.iter().map(|message| message["params"]["level"].as_str().unwrap()).collect();
    assert_eq!(levels, ["error", "critical", "alert", "emergency"]);
    let silent = ask(&mut connection, &modern(5, "tools/call", json!({ "name": "log" }))).await;
    assert!(silent.notifications.is_empty(), "a modern request takes nothing from the session");
    let asked = with_meta(call(6, "log"), json!({ LOG_KEY: "alert" }));
    assert_eq!(ask(&mut connection, &asked).await.notifications.len(), 2);
}

#[tokio::test]
async fn updates_reach_the_subscribed_session_under_the_uri_it_wrote() {
    let server = serving(router()).resource_updates().build().unwrap();
    let mut connection = shaken(&server, HANDSHAKE).await;
    let subscription = |id: i64, method: &str, uri: &str| plain(id, method, json!({ "uri": uri }));
    let raw = "file:///d/café 1.txt";
    for uri in ["test://a", raw, "users://7"] {
        let answered = ask(&mut connection, &subscription(1, "resources/subscribe", uri)).await;
        assert_eq!(answered.reply["result"], json!({}), "{uri}");
    }
    let unknown = ask(&mut connection, &subscription(2, "resources/subscribe", "test://none")).await;
    assert_eq!((unknown.code(), &unknown.reply["error"]["data"]["uri"]), (-32002, &json!("test://none")));
    assert_eq!(ask(&mut connection, &plain(2, "resources/subscribe", json!({}))).await.code(), -32602);
    assert_eq!(change(&mut connection), None);
    for uri in ["test://a", "test://a", "test://b", "file:///d/caf%c3%a9%201.txt", "users://7", "users://8"] {
        server.notify_resource_updated(uri);
    }
    let mut uris: Vec<_> = std::iter::from_fn(|| change(&mut connection))
        .map(|message| message["params"]["uri"].clone())
        .collect();
    uris.sort_by_key(ToString::to_string);
    assert_eq!(uris, [raw, "test://a", "users://7"]);
    let stop = subscription(3, "resources/unsubscribe", "file:///d/caf%C3%A9%201.txt");
    assert_eq!(ask(&mut connection, &stop).await.reply["result"], json!({}));
    server.notify_resource_updated(raw);
    assert_eq!(change(&mut connection), None);
}

#[tokio::test]
async fn a_pending_update_dies_with_its_subscription() {
    let server = serving(router()).resource_updates().build().unwrap();
    let mut connection = shaken(&server, HANDSHAKE).await;
    let subscription = |method: &str| plain(1, method, json!({ "uri": "test://a" }));
    ask(&mut connection, &subscription("resources/subscribe")).await;
    server.notify_resource_updated("test://a");
    ask(&mut connection, &subscription("resources/unsubscribe")).await;
    assert_eq!(change(&mut connection), None);
}

#[tokio::test]
async fn subscriptions_are_bounded_and_offered_only_where_they_work() {
    let limits = Limits { subscription_uris: 2, ..Limits::default() };
    let server = serving(router()).resource_updates().limits(limits).build().unwrap();
    let mut connection = shaken(&server, HANDSHAKE).await;
    for (uri, code) in [("users://1", 0), ("users://2", 0), ("users://2", 0), ("users://3", -32602)] {
        let answered = ask(&mut connection, &plain(1, "resources/subscribe", json!({ "uri": uri }))).await;
        assert_eq!(answered.code(), code, "{uri}");
        assert!(code == 0 || answered.message().contains("limits.subscription_uris"));
    }
    let mut fixed = shaken(&offering(), HANDSHAKE).await;
    assert_eq!(
        ask(&mut fixed, &plain(1, "resources/subscribe", json!({ "uri": "test://a" }))).await.code(),
        -32601
    );
}

#[tokio::test]
async fn what_a_connection_keeps_of_its_client_is_bounded_in_bytes() {
    let limits = Limits { uri_bytes: 600, client_text_bytes: 1_024, ..Limits::default() };
    let server = serving(router()).resource_updates().limits(limits).build().unwrap();
    let uri = |name: &str, bytes: usize| format!("users://{name}{}", "x".repeat(bytes - 8 - name.len()));
    let mut connection = shaken(&server, HANDSHAKE).await;
    for (uri, setting) in [
        (uri("a", 600), ""),
        (uri("b", 601), "limits.uri_bytes"),
        (uri("b", 425), "limits.client_text_bytes"),
        // What is there already takes no room twice.
        (uri("a", 600), ""),
        (uri("b", 424), ""),
        (uri("c", 64), "limits.client_text_bytes"),
    ] {
        let answered = ask(&mut connection, &plain(1, "resources/subscribe", json!({ "uri": uri }))).await;
        assert_eq!(answered.code(), if setting.is_empty() { 0 } else { -32602 }, "{}", uri.len());
        assert!(setting.is_empty() || answered.message().contains(setting), "{}", answered.message());
    }
    ask(&mut connection, &plain(1, "resources/unsubscribe", json!({ "uri": uri("b", 424) }))).await;
    let again = plain(1, "resources/subscribe", json!({ "uri": uri("c", 64) }));
    assert_eq!(ask(&mut connection, &again).await.code(), 0);
}

#[tokio::test]
async fn a_small_part_of_a_message_that_is_kept_keeps_no_message_in_memory() {
    let server = serving(router()).dynamic().build().unwrap();
    let mut connection = connect(&server);
    let padding = json!({ "padding": "x".repeat(100_000) });
    let shaking = json!({
        "protocolVersion": "2025-11-25", "capabilities": { "roots": {} }, "_meta": padding,
        "clientInfo": { "name": "c", "version": "1" },
    });
    let message = Bytes::from(plain(1, "initialize", shaking).to_string());
    drive(connection.receive(message.clone()).unwrap()).await;
    assert!(message.is_unique(), "what the client says of itself is kept");
    let mut listen = modern("l", "subscriptions/listen", json!({ "notifications": {} }));
    listen["params"]["_meta"]["padding"] = padding;
    let message = Bytes::from(listen.to_string());
    let mut stream = connection.receive(message.clone()).unwrap();
    assert_eq!(heard(&mut stream).len(), 1);
    assert!(message.is_unique(), "the id of the listen stream is kept");
    drop(stream);
}

#[tokio::test]
async fn a_handshake_that_says_too_much_of_its_client_is_refused_and_may_be_tried_again() {
    let limits = Limits { client_text_bytes: 1_024, ..Limits::default() };
    let server = serving(router()).limits(limits).build().unwrap();
    let mut connection = connect(&server);
    // Together with the member's name and the braces, and with no capabilities at all.
    let shaking = |bytes: usize| {
        let info = json!({ "name": "x".repeat(bytes - r#"{"name":""}"#.len()) });
        plain(1, "initialize", json!({ "protocolVersion": "2025-11-25", "clientInfo": info }))
    };
    let refused = ask(&mut connection, &shaking(1_025)).await;
    assert_eq!(refused.code(), -32602);
    assert!(refused.message().contains("limits.client_text_bytes"), "{}", refused.message());
    assert_eq!(ask(&mut connection, &plain(2, "tools/list", json!({}))).await.code(), -32602);
    assert_eq!(ask(&mut connection, &shaking(1_024)).await.code(), 0);
}

#[tokio::test]
async fn changes_wait_until_the_client_is_initialized() {
    let server = serving(router()).dynamic().build().unwrap();
    let mut connection = connect(&server);
    server.notify_tools_changed();
    ask(&mut connection, &plain(1, "initialize", json!({ "protocolVersion": "2025-11-25" }))).await;
    server.notify_prompts_changed();
    server.notify_prompts_changed();
    assert_eq!(change(&mut connection), None);
    receive(&mut connection, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let heard = json!({ "jsonrpc": "2.0", "method": "notifications/prompts/list_changed" });
    assert_eq!(change(&mut connection), Some(heard));
    assert_eq!(change(&mut connection), None);
}

#[tokio::test]
async fn unreadable_messages_have_a_null_id_where_the_revision_requires_one() {
    let server = offering();
    for (version, null) in [
        (ProtocolVersion::V2024_11_05, true),
        (ProtocolVersion::V2025_03_26, true),
        (ProtocolVersion::V2025_06_18, true),
        (ProtocolVersion::V2025_11_25, false),
    ] {
        let mut connection = shaken(&server, version).await;
        for (text, code) in
            [("{", -32700), ("\"x\"", -32600), (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600)]
        {
            let answered = drive(connection.receive(Bytes::from(text)).unwrap()).await;
            assert_eq!(answered.code(), code, "{version} {text}");
            assert_eq!(answered.reply.get("id"), null.then_some(&Value::Null), "{version} {text}");
        }
    }
    let mut early = connect(&server);
    let answered = drive(early.receive(Bytes::from_static(b"{")).unwrap()).await;
    assert_eq!((answered.code(), answered.reply.get("id")), (-32700, None));
}

#[tokio::test]
async fn responses_and_notifications_are_never_answered() {
    let server = offering();
    let mut connection = shaken(&server, HANDSHAKE).await;
    for message in [
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": null, "error": { "code": 1, "message": "x" } }),
        json!({ "jsonrpc": "2.0", "method": "vendor/anything", "params": { "a": 1 } }),
        json!({ "jsonrpc": "2.0", "method": "tools/call", "params": { "name": "add" } }),
        json!({ "jsonrpc": "2.0", "method": "initialize" }),
    ] {
        assert!(receive(&mut connection, &message).is_none(), "{message}");
    }
}

#[tokio::test]
async fn requests_in_flight_are_bounded_and_the_setting_is_named() {
    let limits = Limits { requests_in_flight: 2, ..Limits::default() };
    let server = serving(router()).limits(limits).build().unwrap();
    let mut connection = shaken(&server, HANDSHAKE).await;
    let held: Vec<_> = (0..2).map(|id| receive(&mut connection, &call(id, "wait")).unwrap()).collect();
    let refused = ask(&mut connection, &call(2, "add")).await;
    assert!(refused.message().contains("limits.requests_in_flight"), "{}", refused.reply);
    drop(held);
    assert_eq!(ask(&mut connection, &call(2, "add")).await.text(), "sum");
}

#[tokio::test]
async fn the_bytes_of_requests_in_flight_are_bounded_but_for_one_alone() {
    let limits = Limits { bytes_in_flight: 4_096, ..Limits::default() };
    let server = serving(router()).limits(limits).build().unwrap();
    let mut connection = shaken(&server, HANDSHAKE).await;
    let large = |id: u32, name: &str, bytes: usize| {
        let meta = json!({ "padding": "x".repeat(bytes) });
        plain(id, "tools/call", json!({ "name": name, "_meta": meta }))
    };
    let alone = receive(&mut connection, &large(1, "wait", 8_192)).unwrap();
    let refused = ask(&mut connection, &call(2, "add")).await;
    assert!(refused.message().contains("limits.bytes_in_flight"), "{}", refused.reply);
    drop(alone);
    let held: Vec<_> =
        (0..3).map(|id| receive(&mut connection, &large(id, "wait", 1_024)).unwrap()).collect();
    assert_eq!(ask(&mut connection, &call(5, "add")).await.text(), "sum");
    let refused = ask(&mut connection, &large(6, "add", 1_024)).await;
    assert!(refused.message().contains("limits.bytes_in_flight"), "{}", refused.reply);
    drop(held);
    assert_eq!(ask(&mut connection, &large(7, "add", 3_072)).await.text(), "sum");
}

#[tokio::test]
async fn requests_that_fill_the_bytes_in_flight_exactly_have_room() {
    let padded = |id: u32| {
        plain(id, "tools/call", json!({ "name": "wait", "_meta": { "padding": "x".repeat(1_024) } }))
    };
    let both = padded(1).to_string().len() + padded(2).to_string().len();
    for (bytes_in_flight, both_fit) in [(both, true), (both - 1, false)] {
        let limits = Limits { bytes_in_flight, ..Limits::default() };
        let server = serving(router()).limits(limits).build().unwrap();
        let mut connection = shaken(&server, HANDSHAKE).await;
        let _first = receive(&mut connection, &padded(1)).unwrap();
        let _second = receive(&mut connection, &padded(2));
        assert_eq!(server.counts().calls == 2, both_fit, "{bytes_in_flight}");
    }
}

#[tokio::test]
async fn a_listen_stream_runs_beside_calls_and_ends_when_it_is_cancelled() {
    let server = serving(router()).dynamic().build().unwrap();
    let mut connection = connect(&server);
    let listen = modern(7, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    let mut stream = receive(&mut connection, &listen).unwrap();
    assert!(stream.is_listen());
    assert_eq!(heard(&mut stream)[0]["params"]["_meta"][SUBSCRIPTION_KEY], 7);
    assert_eq!(ask(&mut connection, &modern(8, "tools/call", json!({ "name": "add" }))).await.text(), "sum");
    server.notify_tools_changed();
    assert_eq!(heard(&mut stream).len(), 1);
    server.notify_tools_changed();
    receive(&mut connection, &cancel(7));
    let after = drive(stream).await;
    assert_eq!((after.notifications, after.reply), (Vec::new(), Value::Null));
}

async fn folders(client: Client) -> Result<String, ToolError> {
    Ok(client.roots("folders").await?.len().to_string())
}

#[tokio::test]
async fn nothing_is_asked_before_the_client_is_initialized() {
    let server = server(McpRouter::new().tool("folders", tool(folders).describe("Asks for folders")));
    let mut connection = connect(&server);
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "roots": {} } });
    ask(&mut connection, &plain(0, "initialize", params)).await;
    let mut exchange = receive(&mut connection, &call(1, "folders")).unwrap();
    assert!(ready(&mut exchange).is_empty(), "the lifecycle forbids it");
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert!(receive(&mut connection, &initialized).is_none());
    let asked = heard(&mut exchange);
    assert_eq!(asked[0]["method"], "roots/list");
    let answer =
        json!({ "jsonrpc": "2.0", "id": asked[0]["id"], "result": { "roots": [{ "uri": "file:///a" }] } });
    assert!(receive(&mut connection, &answer).is_none());
    assert_eq!(drive(exchange).await.text(), "1");
}
