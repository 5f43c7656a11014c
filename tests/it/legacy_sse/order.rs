//! The order of the handshake where it is enforced, with POSTs that overtake each other on every wire.

use super::{OLDEST, call, initialize, initialized, request};
use mcp_tests::{
    fixture::Fixture, http_client::Response, legacy_client::LegacyClient, message::handshake,
    session::initialize as session, stdio_client::StdioClient,
};
use serde_json::{Value, json};

fn enforcing() -> Fixture {
    Fixture::start_with(&["--probe", "--legacy-sse", "--enforce-lifecycle"])
}

#[tokio::test]
async fn over_streamable_http_requests_may_overtake_initialized() {
    let fixture = enforcing();
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        for _ in 0..10 {
            let welcome = fixture.send(&session(version, &json!({}))).await;
            let id = welcome.header("mcp-session-id").unwrap().to_owned();
            let post = |message: Value| {
                let request = handshake(version, &message).header("Mcp-Session-Id", &*id);
                let fixture = &fixture;
                async move { fixture.send(&request).await }
            };
            let answered = |response: &Response| response.reply()["result"].is_object();
            let (tools, prompts, echo, told) = tokio::join!(
                post(request(1, "tools/list", json!({}))),
                post(request(2, "prompts/list", json!({}))),
                post(call(3, "echo", json!({ "text": "early" }))),
                async {
                    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                    post(initialized()).await
                },
            );
            assert!(answered(&tools) && answered(&prompts) && answered(&echo), "{version}: {tools:?}");
            assert_eq!(told.status, 202);
            assert_eq!(post(initialized()).await.status, 202, "twice is no harm");
        }
    }
}

#[tokio::test]
async fn over_http_sse_requests_may_overtake_initialized() {
    let fixture = enforcing();
    let mut client = LegacyClient::open(&fixture).await;
    client.write(&initialize(OLDEST)).await;
    assert!(client.next().await["result"].is_object());
    client.write(&call(1, "echo", json!({ "text": "early" }))).await;
    client.write(&request(2, "ping", json!({}))).await;
    assert_eq!(client.next().await["id"], 2, "a ping does not wait");
    client.write(&initialized()).await;
    assert_eq!(client.next().await["result"]["content"][0]["text"], "early");
}

#[tokio::test]
async fn over_stdio_requests_may_overtake_initialized_and_nothing_comes_before_initialize() {
    let mut client = StdioClient::start_with(&["--probe", "--enforce-lifecycle"]);
    client.write(&request(1, "tools/list", json!({}))).await;
    let refused = client.next().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(1), &json!(-32600)), "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("initialize"), "{refused}");
    client.write(&initialize(OLDEST)).await;
    assert!(client.next().await["result"].is_object());
    client.write(&call(2, "echo", json!({ "text": "early" }))).await;
    client.write(&initialized()).await;
    assert_eq!(client.next().await["result"]["content"][0]["text"], "early");
}

#[tokio::test]
async fn a_client_that_never_says_initialized_is_told_on_every_wire() {
    let fixture = enforcing();
    let list = request(1, "tools/list", json!({}));
    let welcome = fixture.send(&session("2025-11-25", &json!({}))).await;
    let id = welcome.header("mcp-session-id").unwrap().to_owned();
    let posted = handshake("2025-11-25", &list).header("Mcp-Session-Id", id);
    let mut legacy = LegacyClient::open(&fixture).await;
    let mut stdio = StdioClient::start_with(&["--enforce-lifecycle"]);
    legacy.write(&initialize(OLDEST)).await;
    stdio.write(&initialize(OLDEST)).await;
    assert!(legacy.next().await["result"].is_object() && stdio.next().await["result"].is_object());
    legacy.write(&list).await;
    stdio.write(&list).await;
    let (one, two, three) = tokio::join!(fixture.send(&posted), legacy.next(), stdio.next());
    assert_eq!(one.status, 200);
    for refused in [one.reply(), two, three] {
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(1), &json!(-32600)), "{refused}");
        assert!(
            refused["error"]["message"].as_str().unwrap().contains("notifications/initialized"),
            "{refused}"
        );
    }
}
