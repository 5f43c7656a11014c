//! The stream that a client opens with GET, and its methods and media types.

use super::{NEWEST, REVISIONS, call, progress};
use mcp_tests::{
    fixture::Fixture,
    http_client::{EventStream, Request},
    session::Session,
};
use serde_json::json;
use std::time::Duration;
use tokio::time::timeout;

const CHANGED: &str = "notifications/tools/list_changed";

/// Long enough for anything that is going to come.
const MOMENT: Duration = Duration::from_millis(200);

async fn is_silent(stream: &mut EventStream) -> bool {
    timeout(MOMENT, stream.next()).await.is_err()
}

#[tokio::test]
async fn a_stream_that_broke_is_opened_again_at_once_and_hears_of_changes_once() {
    let fixture = Fixture::start_with(&["--probe", "--control", "0"]);
    for version in REVISIONS {
        let session = Session::begin(&fixture, version).await;
        session.get().await.reset();
        let mut half_open = session.get().await;
        let mut second = session.get().await;
        let mut third = session.get().await;
        fixture.control("POST", "/changed/tools").await;
        assert_eq!(third.next().await.unwrap()["method"], CHANGED, "{version}");
        assert!(
            is_silent(&mut third).await && is_silent(&mut second).await && is_silent(&mut half_open).await
        );
        third.reset();
        // The server may need a moment to see that it is gone.
        tokio::time::sleep(MOMENT).await;
        fixture.control("POST", "/changed/tools").await;
        assert_eq!(second.next().await.unwrap()["method"], CHANGED, "{version}");
        assert!(is_silent(&mut half_open).await);
    }
}

#[tokio::test]
async fn progress_goes_on_the_stream_of_its_call_whether_or_not_another_is_open() {
    let fixture = Fixture::start();
    for version in REVISIONS {
        let session = Session::begin(&fixture, version).await;
        let message = call(5, "progress", json!({ "n": 3, "gap_ms": 5 }));
        assert_eq!(progress(&session.stream(&message).await.rest().await), [1, 2, 3, 0]);
        let mut get = session.get().await;
        assert_eq!(progress(&session.stream(&message).await.rest().await), [1, 2, 3, 0], "{version}");
        assert!(is_silent(&mut get).await);
    }
}

#[tokio::test]
async fn a_stream_is_an_event_stream_and_head_is_no_get() {
    let fixture = Fixture::start();
    let session = Session::begin(&fixture, NEWEST).await;
    let json_only = session.getting().header("Accept", "application/json");
    assert_eq!(fixture.send(&json_only).await.status, 406);
    for method in ["HEAD", "PUT", "PATCH", "OPTIONS"] {
        let mut client = fixture.connect().await;
        client.write(&session.belonging(Request::new(method, "/mcp"))).await;
        let (status, headers) = client.read_head().await;
        let allow = headers.iter().find(|(name, _)| name == "allow").map(|(_, value)| value.as_str());
        assert_eq!(status, 405, "{method}");
        assert!(["GET", "POST", "DELETE"].iter().all(|one| allow.unwrap().contains(one)), "{allow:?}");
    }
    for accept in ["*/*", "text/*", "application/json, text/event-stream"] {
        drop(fixture.connect().await.listen(&session.getting().header("Accept", accept)).await);
    }
    let nameless = Request::new("GET", "/mcp").header("Accept", "text/event-stream");
    assert_eq!(fixture.send(&nameless).await.status, 405);
}

#[tokio::test]
async fn the_end_of_a_session_ends_its_streams_and_calls() {
    let fixture = Fixture::start();
    let session = Session::begin(&fixture, NEWEST).await;
    let mut get = session.get().await;
    let mut stream = session.stream(&call(1, "progress", json!({ "n": 9_000, "gap_ms": 50 }))).await;
    stream.next().await.unwrap();
    let waiting = session.clone();
    let waiting = tokio::spawn(async move {
        waiting.send(&call(2, "slow_echo", json!({ "ms": 60_000, "text": "x" }))).await
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(session.end().await.status, 204);
    get.rest().await;
    stream.rest().await;
    assert_eq!(waiting.await.unwrap().status, 404);
}

#[tokio::test]
async fn a_flood_of_sessions_that_nobody_ends_costs_no_answer() {
    let fixture = Fixture::start();
    let kept = Session::begin(&fixture, NEWEST).await;
    for round in 0..150 {
        let session = Session::begin(&fixture, NEWEST).await;
        match round % 3 {
            0 => assert_eq!(session.end().await.status, 204),
            1 => session.get().await.reset(),
            _ => session.stream(&call(1, "progress", json!({ "n": 3, "gap_ms": 1 }))).await.reset(),
        }
    }
    assert!(kept.ask(1, "tools/list", json!({})).await["result"].is_object());
}
