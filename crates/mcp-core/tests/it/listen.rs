//! Listen streams: acknowledged first, filtered, ended with a result.

use crate::wire::{
    Answered, HANDSHAKE, MODERN, SERVER_KEY, SUBSCRIPTION_KEY, agreeing, drive, heard, modern, post, ready,
    serving,
};
use mcp_core::{
    context::Transport,
    exchange::Exchange,
    registry::{McpRouter, prompt, resource, tool},
    server::{Limits, Peer, Server, ServerBuilder},
};
use serde_json::{Value, json};

fn builder() -> ServerBuilder {
    serving(
        McpRouter::new()
            .tool("add", tool(|| async { "sum" }).describe("Adds"))
            .resource("test://a", resource(|| async { "a" }))
            .resource("file:///d/caf%C3%A9.txt", resource(|| async { "menu" }))
            .prompt("p", prompt(|| async { "p" })),
    )
}

fn listening(server: &Server, id: impl Into<Value>, filter: Value) -> Exchange {
    let message = modern(id, "subscriptions/listen", json!({ "notifications": filter }));
    server.dispatch(MODERN, message.to_string(), Peer::anonymous(Transport::InProcess)).unwrap()
}

async fn refused(server: &Server, params: Value) -> Answered {
    let message = modern(1, "subscriptions/listen", params);
    post(server, &message, &agreeing(&message)).await
}

fn everything() -> Value {
    json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["test://a"],
    })
}

/// What is granted of everything.
fn granted(builder: ServerBuilder) -> Value {
    let mut stream = listening(&builder.build().unwrap(), 1, everything());
    heard(&mut stream)[0]["params"]["notifications"].clone()
}

#[tokio::test]
async fn the_acknowledgement_comes_first_and_says_what_is_granted() {
    let server = builder().dynamic().resource_updates().build().unwrap();
    let mut stream = listening(&server, 1, everything());
    server.notify_tools_changed();
    let messages = heard(&mut stream);
    assert_eq!(messages[0]["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(messages[0]["params"]["notifications"], everything());
    assert_eq!(messages[1]["method"], "notifications/tools/list_changed");
    assert_eq!(granted(builder()), json!({}));
    assert_eq!(granted(builder().resource_updates()), json!({ "resourceSubscriptions": ["test://a"] }));
    let lists = json!({ "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true });
    assert_eq!(granted(builder().dynamic()), lists);
}

#[tokio::test]
async fn only_what_was_asked_for_is_heard_and_each_message_is_signed() {
    let server = builder().dynamic().resource_updates().build().unwrap();
    for id in [json!(7), json!("7")] {
        let mut stream = listening(
            &server,
            id.clone(),
            json!({ "promptsListChanged": true, "toolsListChanged": false, "resourcesListChanged": null, "unknown": 1 }),
        );
        server.notify_tools_changed();
        server.notify_resources_changed();
        server.notify_resource_updated("test://a");
        server.notify_prompts_changed();
        let messages = heard(&mut stream);
        let methods: Vec<_> = messages.iter().map(|message| message["method"].as_str().unwrap()).collect();
        assert_eq!(
            methods,
            ["notifications/subscriptions/acknowledged", "notifications/prompts/list_changed"]
        );
        for message in &messages {
            assert_eq!(message["params"]["_meta"][SUBSCRIPTION_KEY], id, "the type is kept");
        }
    }
}

#[tokio::test]
async fn resources_are_heard_of_under_the_uri_that_was_asked_for() {
    let server = builder().resource_updates().build().unwrap();
    let uris = json!(["file:///d/café.txt", "FILE:///other", "test://never"]);
    let mut stream = listening(&server, 1, json!({ "resourceSubscriptions": uris }));
    let first = heard(&mut stream);
    assert_eq!(first[0]["params"]["notifications"]["resourceSubscriptions"].as_array().unwrap().len(), 3);
    server.notify_resource_updated("file:///d/caf%C3%A9.txt");
    server.notify_resource_updated("file:///other");
    server.notify_resource_updated("test://a");
    let mut uris: Vec<_> =
        heard(&mut stream).iter().map(|message| message["params"]["uri"].to_string()).collect();
    uris.sort();
    assert_eq!(uris, ["\"FILE:///other\"", "\"file:///d/café.txt\""]);
}

#[tokio::test]
async fn changes_that_wait_are_announced_once() {
    let server = builder().dynamic().resource_updates().build().unwrap();
    let mut stream = listening(&server, 1, everything());
    heard(&mut stream);
    for _ in 0..1_000 {
        server.notify_tools_changed();
        server.notify_resource_updated("test://a");
    }
    assert_eq!(heard(&mut stream).len(), 2);
    server.notify_tools_changed();
    assert_eq!(heard(&mut stream).len(), 1);
}

#[tokio::test]
async fn streams_are_independent_and_a_new_one_has_no_backlog() {
    let server = builder().dynamic().build().unwrap();
    let mut streams: Vec<_> =
        (0..50).map(|id| listening(&server, id, json!({ "toolsListChanged": id % 2 == 0 }))).collect();
    streams.iter_mut().for_each(|stream| assert_eq!(heard(stream).len(), 1));
    server.notify_tools_changed();
    for (id, stream) in streams.iter_mut().enumerate() {
        let messages = heard(stream);
        assert_eq!(messages.len(), usize::from(id % 2 == 0), "{id}");
        assert!(messages.iter().all(|message| message["params"]["_meta"][SUBSCRIPTION_KEY] == id));
    }
    let mut late = listening(&server, 99, everything());
    assert_eq!(heard(&mut late).len(), 1);
}

#[tokio::test]
async fn a_shutdown_ends_the_stream_with_its_result() {
    let server = builder().dynamic().build().unwrap();
    let mut stream = listening(&server, "s", everything());
    heard(&mut stream);
    let waiting = tokio::spawn(drive(stream));
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    server.shut_down();
    let answered = waiting.await.unwrap();
    let meta = json!({ SUBSCRIPTION_KEY: "s", SERVER_KEY: { "name": "test", "version": "1" } });
    assert_eq!(
        answered.reply,
        json!({ "jsonrpc": "2.0", "id": "s", "result": { "resultType": "complete", "_meta": meta } })
    );
    let after = refused(&server, json!({ "notifications": {} })).await;
    assert_eq!((after.status, after.code()), (503, -32603));
}

#[tokio::test]
async fn a_change_wakes_the_stream() {
    let server = builder().dynamic().build().unwrap();
    let mut stream = listening(&server, 1, everything());
    heard(&mut stream);
    let waiting = tokio::spawn(async move { futures_util::StreamExt::next(&mut stream).await });
    tokio::task::yield_now().await;
    server.notify_prompts_changed();
    assert!(waiting.await.unwrap().is_some());
}

#[tokio::test]
async fn places_are_bounded_the_setting_is_named_and_dropping_frees_one() {
    let server = builder().limits(Limits { subscriptions: 2, ..Limits::default() }).build().unwrap();
    let first = listening(&server, 1, json!({}));
    let _second = listening(&server, 2, json!({}));
    let third = refused(&server, json!({ "notifications": {} })).await;
    assert_eq!((third.status, third.code()), (503, -32603));
    assert!(third.message().contains("limits.subscriptions"), "{}", third.message());
    drop(first);
    assert_eq!(heard(&mut listening(&server, 3, json!({}))).len(), 1);
}

#[tokio::test]
async fn filters_of_the_wrong_shape_are_refused() {
    let limits = Limits { subscription_uris: 2, ..Limits::default() };
    let server = builder().dynamic().resource_updates().limits(limits).build().unwrap();
    for params in [
        json!({}),
        json!({ "notifications": null }),
        json!({ "notifications": [] }),
        json!({ "notifications": { "toolsListChanged": "yes" } }),
        json!({ "notifications": { "resourceSubscriptions": "test://a" } }),
        json!({ "notifications": { "resourceSubscriptions": [1] } }),
        json!({ "notifications": { "resourceSubscriptions": ["a:1", "a:2", "a:3"] } }),
    ] {
        let answered = refused(&server, params.clone()).await;
        assert_eq!((answered.status, answered.code()), (200, -32602), "{params}");
    }
}

#[tokio::test]
async fn the_uris_of_a_listen_stream_are_bounded_in_bytes_each_and_together() {
    let limits = Limits { uri_bytes: 600, client_text_bytes: 1_024, ..Limits::default() };
    let server = builder().resource_updates().limits(limits).build().unwrap();
    let uri = |name: &str, bytes: usize| format!("{name}{}", "x".repeat(bytes - name.len()));
    let asking = |uris: &[String]| json!({ "notifications": { "resourceSubscriptions": uris } });
    let fits = [uri("a:", 600), uri("b:", 424)];
    assert_eq!(heard(&mut listening(&server, 1, asking(&fits)["notifications"].clone())).len(), 1);
    for (uris, setting) in [
        (vec![uri("a:", 601)], "limits.uri_bytes"),
        (vec![uri("a:", 600), uri("b:", 425)], "limits.client_text_bytes"),
    ] {
        let answered = refused(&server, asking(&uris)).await;
        assert_eq!((answered.status, answered.code()), (200, -32602));
        assert!(answered.message().contains(setting), "{}", answered.message());
        assert!(!answered.message().contains("xxx"), "{}", answered.message());
    }
}

#[tokio::test]
async fn handshake_revisions_do_not_listen() {
    let server = builder().dynamic().build().unwrap();
    let answer =
        server.client(HANDSHAKE).request("subscriptions/listen", json!({ "notifications": {} })).await;
    assert_eq!(answer.code(), Some(-32601));
}

#[tokio::test]
async fn a_server_that_announces_nothing_still_accepts_a_listener() {
    let server =
        serving(McpRouter::new().tool("add", tool(|| async { "sum" }).describe("Adds"))).build().unwrap();
    let mut stream = listening(&server, 1, everything());
    assert_eq!(heard(&mut stream)[0]["params"]["notifications"], json!({}));
    server.notify_tools_changed();
    server.notify_resource_updated("test://a");
    assert!(ready(&mut stream).is_empty());
}
