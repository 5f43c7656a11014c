//! Which session a request belongs to.

use super::world::{NEWEST, REVISIONS, World, call, settle};
use serde_json::json;

#[tokio::test(start_paused = true)]
async fn a_request_without_a_session_is_told_to_begin_one() {
    let world = World::new();
    for version in REVISIONS {
        let visitor = world.visitor(version);
        for method in ["tools/list", "ping", "logging/setLevel"] {
            let answer = visitor.ask(1, method, json!({})).await;
            assert_eq!((answer.status, answer.code()), (400, Some(-32600)), "{method} {answer:?}");
        }
        assert_eq!(visitor.notify("notifications/initialized", json!({})).await, 400);
        assert_eq!(visitor.send(&json!({ "jsonrpc": "2.0", "id": 1, "result": {} })).await.status, 400);
        assert_eq!((visitor.open().await.unwrap_err().status, visitor.end().await), (405, 405));
    }
    assert_eq!(world.server.counts(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn an_id_is_random_visible_ascii_and_never_the_same() {
    let world = World::new();
    let mut ids = std::collections::BTreeSet::new();
    for _ in 0..50 {
        let id = world.begin(NEWEST).await.id.unwrap();
        assert!(id.len() >= 32 && id.bytes().all(|byte| byte.is_ascii_graphic()), "{id}");
        assert!(ids.insert(id));
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_is_not_found_by_who_it_does_not_belong_to_and_not_harmed() {
    let world = World::new();
    let ada = world.begin_as(NEWEST, "ada").await;
    let stream = ada.get().await;
    let strangers = [
        ada.clone().of("bob"),
        ada.clone().anonymous(),
        ada.clone().at("/other/mcp"),
        ada.clone().naming(Some("no-such-session")),
        ada.clone().naming(Some("")),
        ada.clone().naming(Some("with space")),
        ada.clone().naming(Some(&"x".repeat(5_000))),
        ada.clone().naming(None).header("mcp-session-id", b"\xFF\xFE"),
        ada.clone().naming(None).header("mcp-session-id", "é"),
    ];
    for stranger in strangers {
        let answer = stranger.ask(1, "tools/list", json!({})).await;
        assert_eq!((answer.status, answer.code()), (404, Some(-32600)), "{answer:?}");
        assert_eq!(stranger.notify("notifications/initialized", json!({})).await, 404);
        assert_eq!(stranger.send(&json!([{ "jsonrpc": "2.0", "method": "x" }])).await.status, 404);
        assert_eq!((stranger.open().await.unwrap_err().status, stranger.end().await), (404, 404));
        assert_eq!(stranger.resume("get.0").await.unwrap_err().status, 404);
        let text = answer.reply.to_string();
        assert!(!text.contains(ada.id.as_deref().unwrap()), "{text}");
    }
    assert_eq!(ada.ask(2, "ping", json!({})).await.status, 200);
    assert_eq!(ada.clone().at("/mcp/").ask(2, "ping", json!({})).await.status, 200);
    drop(stream);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_named_twice_is_refused() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let id = client.id.clone().unwrap();
    let twice = client.clone().header("mcp-session-id", &id);
    assert_eq!(twice.ask(1, "ping", json!({})).await.status, 400);
    assert_eq!((twice.open().await.unwrap_err().status, twice.end().await), (400, 400));
    assert_eq!(client.ask(1, "ping", json!({})).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn initialize_with_the_id_of_a_session_that_is_gone_begins_another() {
    let world = World::new();
    let ended = world.begin(NEWEST).await;
    assert_eq!(ended.end().await, 204);
    for id in [ended.id.as_deref().unwrap(), "stale-id", "", "é"] {
        let welcome = world.visitor(NEWEST).naming(Some(id)).initialize().await;
        assert_eq!(welcome.status, 200, "{welcome:?}");
        assert_ne!(welcome.session.as_deref(), Some(id));
        assert!(welcome.session.is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn initialize_within_a_live_session_is_refused_and_tells_nothing_of_it() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let again = client.initialize().await;
    assert_eq!((again.status, again.code(), again.session.as_deref()), (400, Some(-32600), None));
    // A stranger with the id, too, gets a session of its own.
    let stranger = client.clone().of("bob").initialize().await;
    assert_eq!(stranger.status, 200);
    assert_ne!(stranger.session, client.id);
    assert_eq!(client.ask(1, "ping", json!({})).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn an_initialize_that_fails_begins_nothing() {
    let world = World::new();
    let visitor = world.visitor(NEWEST);
    for params in [json!({}), json!({ "protocolVersion": 7 }), json!([1])] {
        let answer = visitor.ask(1, "initialize", params).await;
        assert!(answer.session.is_none() && answer.reply["error"].is_object(), "{answer:?}");
    }
    assert_eq!(world.server.counts(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn the_version_header_is_checked_and_the_sessions_revision_decides() {
    let world = World::new();
    let client = world.begin("2025-06-18").await;
    for version in ["2099-01-01", "x", "1.0"] {
        let wrong = client.clone().speaking(version);
        assert_eq!(wrong.ask(1, "ping", json!({})).await.status, 400, "{version}");
        assert_eq!(wrong.notify("notifications/initialized", json!({})).await, 400, "{version}");
        assert_eq!(wrong.open().await.unwrap_err().status, 400, "{version}");
        assert_eq!(wrong.end().await, 400, "{version}");
        assert_eq!(wrong.send(&json!([])).await.status, 400, "{version}");
    }
    for version in ["", "2025-03-26", NEWEST] {
        let other = client.clone().speaking(version);
        let welcome = other.ask(1, "tools/list", json!({})).await;
        assert_eq!(welcome.status, 200, "{version}");
        // Batches exist in 2025-03-26 only, and this session is of another revision.
        assert_eq!(other.send(&json!([{ "jsonrpc": "2.0", "id": 1, "method": "ping" }])).await.status, 400);
    }
}

#[tokio::test(start_paused = true)]
async fn requests_right_after_the_welcome_are_served_whenever_initialized_comes() {
    let world = World::new();
    let mut client = world.visitor(NEWEST);
    client.id = client.initialize().await.session;
    for method in ["tools/list", "resources/list", "ping"] {
        assert_eq!(client.ask(1, method, json!({})).await.status, 200, "{method}");
    }
    assert_eq!(client.send(&call(2, "wait", json!({ "ms": 10, "text": "early" }))).await.text(), "early");
    for _ in 0..2 {
        assert_eq!(client.notify("notifications/initialized", json!({})).await, 202);
    }
    settle().await;
    world.assert_at_rest();
}

#[tokio::test(start_paused = true)]
async fn a_modern_request_that_names_a_session_has_none() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let modern = client.clone().speaking("2026-07-28");
    assert_eq!((modern.open().await.unwrap_err().status, modern.end().await), (405, 405));
    assert_eq!(client.ask(1, "ping", json!({})).await.status, 200);
}
