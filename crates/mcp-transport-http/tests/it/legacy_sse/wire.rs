//! What goes over the wire: the URL, replies and what comes before them, questions, changes.

use super::client::{Old, call, endpoint_of, initialize, initialized, legacy, request, sample_endpoint};
use axum::{Router, body::Body};
use http::{Request, StatusCode};
use mcp_server::{Client, McpRouter, SamplingMessage, SamplingRequest, ToolError, server, tool};
use mcp_transport_http::{Endpoint, HttpOptions, LegacyPaths, LegacySse};
use serde_json::json;
use std::time::Duration;
use tower::ServiceExt as _;

#[tokio::test]
async fn the_stream_tells_a_relative_url_first_and_replies_come_on_it() {
    let (endpoint, _) = sample_endpoint(legacy());
    let mut old = Old::open(&endpoint, "/sse").await;
    assert!(old.url().starts_with("/messages?session_id="), "{}", old.url());
    let welcome = old.shake("2024-11-05").await;
    assert_eq!(welcome["result"]["protocolVersion"], "2024-11-05");
    let pong = old.ask(&request(7, "ping", json!({}))).await;
    assert_eq!(pong, json!({ "jsonrpc": "2.0", "id": 7, "result": {} }));
    let tools = old.ask(&request("t", "tools/list", json!({}))).await;
    assert_eq!((&tools["id"], &tools["result"]["tools"][0]["name"]), (&json!("t"), &json!("echo")));
}

#[tokio::test]
async fn the_url_holds_behind_prefixes_and_with_a_slash_at_the_end() {
    let (endpoint, _) = sample_endpoint(legacy());
    let nested = Router::new().nest("/rooms/{room}", endpoint.routes());
    for (path, messages) in [("/rooms/7/sse", "/rooms/7/messages?"), ("/rooms/7/sse/", "/rooms/7/messages?")]
    {
        let mut old = Old::open_as(nested.clone(), path, None).await;
        assert!(old.url().starts_with(messages), "{}", old.url());
        assert_eq!(old.ask(&request(1, "ping", json!({}))).await["result"], json!({}));
        let elsewhere = old.url().replace("/7/", "/8/");
        let other = old.poster.send(super::client::post(&elsewhere, "{}")).await;
        assert_eq!(other.status(), StatusCode::NOT_FOUND, "a stream belongs to its mount");
    }
    // A proxy that strips a prefix: the client resolves against a URL that the server never sees.
    let mut old = Old::open(&endpoint, "/sse").await;
    let reference = old.url().strip_prefix('/').unwrap().to_owned();
    assert!(reference.starts_with("messages?"), "relative, so that the prefix stays: {reference}");
    assert_eq!(old.ask(&request(1, "ping", json!({}))).await["result"], json!({}));
}

#[tokio::test]
async fn both_paths_can_be_chosen() {
    let paths = LegacyPaths::Separate { stream: "/agent/sse".into(), messages: "/agent/in/box".into() };
    let legacy_sse = Some(LegacySse { paths, ..LegacySse::default() });
    let (endpoint, _) = sample_endpoint(HttpOptions { legacy_sse, ..HttpOptions::default() });
    let mut old = Old::open(&endpoint, "/agent/sse").await;
    assert!(old.url().starts_with("/agent/in/box?"), "{}", old.url());
    assert_eq!(old.ask(&request(1, "ping", json!({}))).await["result"], json!({}));
}

#[tokio::test]
async fn without_the_setting_neither_path_is_served() {
    let (endpoint, _) = sample_endpoint(HttpOptions::default());
    for path in ["/sse", "/messages"] {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = endpoint.routes::<()>().oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(endpoint.legacy_sessions(), 0);
}

#[tokio::test]
async fn what_a_call_says_comes_before_its_reply_in_order() {
    let (endpoint, _) = sample_endpoint(legacy());
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    let first = old.ask(&call(1, "report")).await;
    assert_eq!(
        (&first["method"], &first["params"]["progress"]),
        (&json!("notifications/progress"), &json!(1.0))
    );
    assert_eq!(old.next().await["params"]["progress"], 2.0);
    let reply = old.next().await;
    assert_eq!(
        (&reply["id"], &reply["result"]["content"][0]["text"]),
        (&json!(1), &json!("line one\nline two\u{2028}three"))
    );
}

#[tokio::test]
async fn a_call_that_hangs_holds_no_other_up_and_ends_when_it_is_cancelled() {
    let (endpoint, probe) = sample_endpoint(legacy());
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    assert_eq!(old.say(&call(1, "hang")).await, StatusCode::ACCEPTED);
    probe.started.notified().await;
    assert_eq!(old.ask(&call(2, "echo")).await["id"], 2);
    let duplicate = old.ask(&call(1, "echo")).await;
    assert_eq!((&duplicate["id"], &duplicate["error"]["code"]), (&json!(1), &json!(-32600)));
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert_eq!(old.say(&cancel).await, StatusCode::ACCEPTED);
    probe.cancelled.notified().await;
    assert_eq!(old.ask(&call(3, "echo")).await["id"], 3, "a cancelled call is not answered");
}

#[tokio::test]
async fn every_handshake_version_may_be_agreed_on_and_the_newest_is_refused_with_them() {
    let (endpoint, _) = sample_endpoint(legacy());
    for (asked, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut old = Old::open(&endpoint, "/sse").await;
        assert_eq!(old.shake(asked).await["result"]["protocolVersion"], agreed);
        assert_eq!(old.ask(&call(1, "echo")).await["id"], 1);
    }
    let mut old = Old::open(&endpoint, "/sse").await;
    let modern = old.ask(&crate::request::body("tools/list", json!({}))).await;
    assert_eq!(modern["error"]["code"], -32022);
    assert_eq!(
        modern["error"]["data"]["supported"],
        json!(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
    );
}

#[tokio::test]
async fn batches_are_served_in_the_version_that_has_them() {
    let (endpoint, _) = sample_endpoint(legacy());
    let mut old = Old::shaken(&endpoint, "2025-03-26").await;
    let batch = json!([request(1, "ping", json!({})), call(2, "slow")]);
    let replies = old.ask(&batch).await;
    let ids: Vec<_> = replies.as_array().unwrap().iter().map(|reply| reply["id"].clone()).collect();
    assert_eq!(ids, [1, 2]);
    let old = Old::shaken(&endpoint, "2024-11-05").await;
    let refused = old.poster.post(batch.to_string()).await;
    assert_eq!(refused.status(), StatusCode::ACCEPTED, "the refusal goes out on the stream");
}

async fn ask_everyone(client: Client) -> Result<String, ToolError> {
    let roots = client.roots("roots").await?.len();
    let request = SamplingRequest::new(10).message(SamplingMessage::user("hi"));
    let said = client.sample("say", request).await?;
    Ok(format!("{roots} roots, {:?}", said.text()))
}

fn asking() -> Endpoint {
    let router = McpRouter::new().tool("ask", tool(ask_everyone).describe("Asks"));
    endpoint_of(server(router).name("asking").version("1").build().unwrap())
}

#[tokio::test]
async fn the_client_is_asked_on_the_stream_and_answers_by_post() {
    let endpoint = asking();
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    let roots = old.ask(&call(1, "ask")).await;
    assert_eq!(roots["method"], "roots/list");
    let answer =
        json!({ "jsonrpc": "2.0", "id": roots["id"], "result": { "roots": [{ "uri": "file:///a" }] } });
    let question = old.ask(&answer).await;
    assert_eq!(question["method"], "sampling/createMessage");
    let said = json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "hello" } });
    let reply = old.ask(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": said })).await;
    let text = reply["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("1 roots") && text.contains("hello"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn changes_are_told_once_the_client_is_initialized() {
    let (endpoint, _) = sample_endpoint(HttpOptions { keep_alive: None, ..legacy() });
    let mut old = Old::open(&endpoint, "/sse").await;
    let welcome = old.ask(&initialize("2024-11-05")).await;
    assert_eq!(welcome["result"]["capabilities"]["tools"]["listChanged"], true);
    endpoint.server().notify_tools_changed();
    assert_eq!(old.ask(&request(1, "ping", json!({}))).await["id"], 1, "nothing is told before");
    // The stream is waited on before the client says so: what waits has to wake it.
    let poster = old.poster.clone();
    let waiting = tokio::spawn(async move { (old.next().await, old) });
    tokio::task::yield_now().await;
    assert_eq!(poster.say(&initialized()).await, StatusCode::ACCEPTED);
    let (told, mut old) = tokio::time::timeout(Duration::from_secs(60), waiting).await.unwrap().unwrap();
    assert_eq!(told["method"], "notifications/tools/list_changed");
    assert_eq!(
        old.ask(&request(2, "resources/subscribe", json!({ "uri": "test://one" }))).await["result"],
        json!({})
    );
    endpoint.server().notify_resource_updated("test://one");
    let updated = old.next().await;
    assert_eq!(
        (&updated["method"], &updated["params"]["uri"]),
        (&json!("notifications/resources/updated"), &json!("test://one"))
    );
}
