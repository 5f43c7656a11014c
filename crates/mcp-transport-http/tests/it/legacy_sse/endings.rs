//! What ends with a stream, and how streams end with the server.

use super::client::{Old, call, get, legacy, request, sample_endpoint};
use crate::request::send;
use http::StatusCode;
use serde_json::json;

#[tokio::test]
async fn closing_the_stream_ends_the_session_and_cancels_its_calls() {
    let (endpoint, probe) = sample_endpoint(legacy());
    let old = Old::shaken(&endpoint, "2024-11-05").await;
    old.say(&call(1, "hang")).await;
    probe.started.notified().await;
    assert!(endpoint.server().counts().subscriptions > 0, "it hears of changes");
    let poster = old.poster.clone();
    drop(old);
    probe.cancelled.notified().await;
    assert_eq!(poster.say(&request(2, "ping", json!({}))).await, StatusCode::NOT_FOUND);
    assert_eq!(endpoint.legacy_sessions(), 0);
    assert_eq!(endpoint.server().counts().subscriptions, 0);
}

#[tokio::test]
async fn a_client_that_comes_back_begins_anew() {
    let (endpoint, _) = sample_endpoint(legacy());
    let first = Old::shaken(&endpoint, "2024-11-05").await;
    let url = first.url().to_owned();
    drop(first);
    let mut second = Old::open(&endpoint, "/sse").await;
    assert_ne!(second.url(), url);
    assert_eq!(second.ask(&call(1, "echo")).await["error"]["code"], -32602, "nothing is remembered");
}

#[tokio::test]
async fn at_the_shutdown_calls_finish_and_then_the_stream_ends() {
    let (endpoint, _) = sample_endpoint(legacy());
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    old.say(&call(1, "slow")).await;
    endpoint.server().shut_down();
    assert_eq!(send(&endpoint, get("/sse")).await.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(old.next().await["id"], 1, "what was begun is answered");
    assert!(old.event().await.is_none());
}

#[tokio::test]
async fn an_idle_stream_ends_at_once_with_the_server() {
    let (endpoint, _) = sample_endpoint(legacy());
    let mut bare = Old::open(&endpoint, "/sse").await;
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    let (one, other, ()) = tokio::join!(bare.event(), old.event(), async { endpoint.server().shut_down() });
    assert!(one.is_none() && other.is_none());
}

#[tokio::test]
async fn a_post_while_the_server_ends_is_told_so() {
    let (endpoint, probe) = sample_endpoint(legacy());
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    old.say(&call(1, "hang")).await;
    probe.started.notified().await;
    endpoint.server().shut_down();
    // Whether it comes before the stream has noticed or after, the request is not served.
    let response = old.poster.post(call(2, "echo").to_string()).await;
    match response.status() {
        StatusCode::ACCEPTED => {
            assert!(old.next().await["error"]["message"].to_string().contains("shutting down"))
        }
        status => assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE),
    }
    endpoint.cut_streams();
    probe.cancelled.notified().await;
    assert!(old.event().await.is_none());
}

#[tokio::test]
async fn what_happens_to_one_session_does_not_touch_another() {
    let (endpoint, probe) = sample_endpoint(legacy());
    let mut one = Old::shaken(&endpoint, "2024-11-05").await;
    let other = Old::shaken(&endpoint, "2025-06-18").await;
    other.say(&call(1, "hang")).await;
    probe.started.notified().await;
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    one.say(&cancel).await;
    assert_eq!(one.ask(&call(1, "echo")).await["id"], 1, "the same id is free here");
    assert_eq!(probe.ended(), 0, "the other's call goes on");
    drop(other);
    probe.cancelled.notified().await;
    assert_eq!(one.ask(&call(2, "echo")).await["id"], 2);
}
