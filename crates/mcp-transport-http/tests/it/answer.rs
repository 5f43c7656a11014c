//! Plain JSON or an event stream, chosen by need.

use crate::request::{Probe, answer, call, endpoint, piece, sample, send};
use axum::body::Body;
use http::{Request, StatusCode};
use mcp_transport_http::{Endpoint, HttpOptions, QuietAnswers};
use serde_json::{Value, json};
use std::time::Duration;

fn without_progress(tool: &str) -> Request<Body> {
    let mut message = crate::request::body("tools/call", json!({ "name": tool }));
    message["params"]["_meta"].as_object_mut().unwrap().remove("progressToken");
    crate::request::modern("tools/call", json!({ "name": tool }))
        .body(Body::from(message.to_string()))
        .unwrap()
}

#[tokio::test]
async fn a_call_that_says_nothing_is_answered_as_json() {
    let endpoint = endpoint(HttpOptions::default());
    let response = send(&endpoint, without_progress("report")).await;
    assert_eq!(response.headers()["content-type"], "application/json");
}

#[tokio::test]
async fn a_server_may_answer_every_call_as_an_event_stream_where_the_client_takes_one() {
    let streaming = HttpOptions { quiet_answers: QuietAnswers::EventStream, ..HttpOptions::default() };
    let endpoint = endpoint(streaming);
    let response = send(&endpoint, without_progress("echo")).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    let event = piece(&mut body).await;
    assert!(event.starts_with("data: {") && event.contains("\"result\""), "{event}");
    assert_eq!(piece(&mut body).await, "");

    let mut request = without_progress("echo");
    request.headers_mut().insert("accept", "application/json".parse().unwrap());
    assert_eq!(send(&endpoint, request).await.headers()["content-type"], "application/json");

    let mut refused = without_progress("echo");
    refused.headers_mut().insert("mcp-method", "tools/list".parse().unwrap());
    let response = send(&endpoint, refused).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    assert_eq!(response.headers()["content-type"], "application/json");
}

#[tokio::test]
async fn progress_makes_an_event_stream_of_single_line_events_that_ends_with_the_reply() {
    let endpoint = endpoint(HttpOptions::default());
    let response = send(&endpoint, call("report")).await;
    assert_eq!(response.status(), StatusCode::OK);
    for (header, value) in [
        ("content-type", "text/event-stream"),
        ("x-accel-buffering", "no"),
        ("cache-control", "no-cache, no-transform"),
    ] {
        assert_eq!(response.headers()[header], value);
    }
    let mut body = response.into_body();
    let mut text = String::new();
    loop {
        let piece = piece(&mut body).await;
        if piece.is_empty() {
            break;
        }
        text.push_str(&piece);
    }
    let events: Vec<Value> = text
        .split("\n\n")
        .filter(|event| !event.is_empty())
        .map(|event| {
            assert_eq!(event.lines().count(), 1, "{event:?}");
            assert!(!event.contains(['\r', '\u{2028}']));
            serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap()
        })
        .collect();
    assert_eq!(events.len(), 3);
    assert_eq!(events[2]["result"]["content"][0]["text"], "line one\nline two\u{2028}three");
}

#[tokio::test]
async fn a_client_without_event_streams_gets_the_reply_alone() {
    let endpoint = endpoint(HttpOptions::default());
    let mut request = call("report");
    request.headers_mut().insert("accept", "application/json".parse().unwrap());
    let (status, body) = answer(&endpoint, request).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(body["id"], 1);
}

#[tokio::test]
async fn a_client_that_takes_only_event_streams_gets_one() {
    let endpoint = endpoint(HttpOptions::default());
    let mut request = call("echo");
    request.headers_mut().insert("accept", "text/event-stream".parse().unwrap());
    let response = send(&endpoint, request).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert!(piece(&mut response.into_body()).await.starts_with("data: {"));
    let mut mismatched = call("echo");
    mismatched.headers_mut().insert("accept", "text/event-stream".parse().unwrap());
    mismatched.headers_mut().insert("mcp-method", "tools/list".parse().unwrap());
    let (status, body) = answer(&endpoint, mismatched).await;
    assert_eq!((status, body["error"]["code"].as_i64()), (StatusCode::BAD_REQUEST, Some(-32020)));
}

#[tokio::test(start_paused = true)]
async fn silence_makes_an_event_stream_that_comments_keep_alive() {
    let options = HttpOptions { keep_alive: Some(Duration::from_millis(100)), ..HttpOptions::default() };
    let endpoint = endpoint(options);
    let started = tokio::time::Instant::now();
    let response = send(&endpoint, call("slow")).await;
    assert_eq!(started.elapsed(), Duration::from_millis(100));
    let mut body = response.into_body();
    let mut pieces = Vec::new();
    loop {
        match piece(&mut body).await {
            end if end.is_empty() => break,
            piece => pieces.push(piece),
        }
    }
    let (last, comments) = pieces.split_last().unwrap();
    assert!(comments.len() >= 3 && comments.iter().all(|piece| piece == ":\n\n"), "{pieces:?}");
    assert!(last.contains("late"));
}

#[tokio::test(start_paused = true)]
async fn without_a_keep_alive_interval_a_slow_call_stays_json() {
    let endpoint = endpoint(HttpOptions { keep_alive: None, ..HttpOptions::default() });
    let response = send(&endpoint, call("slow")).await;
    assert_eq!(response.headers()["content-type"], "application/json");
}

#[tokio::test]
async fn a_client_that_leaves_cancels_its_call_in_both_forms() {
    let probe = Probe::default();
    let endpoint = Endpoint::new(sample(&probe), HttpOptions::default()).unwrap();
    let running = tokio::spawn({
        let endpoint = endpoint.clone();
        async move { send(&endpoint, call("hang")).await }
    });
    probe.started.notified().await;
    running.abort();
    probe.cancelled.notified().await;
    assert_eq!(probe.ended(), 1);
    let streaming = send(&endpoint, call("report_and_hang")).await;
    let mut body = streaming.into_body();
    assert!(piece(&mut body).await.contains("notifications/progress"));
    drop(body);
    probe.cancelled.notified().await;
    assert_eq!(probe.ended(), 2);
}

#[tokio::test]
async fn a_panic_costs_its_call_and_says_nothing() {
    let endpoint = endpoint(HttpOptions::default());
    let (status, body) = answer(&endpoint, call("panic")).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(body["error"], json!({ "code": -32603, "message": "Internal error" }));
    assert_eq!(answer(&endpoint, call("echo")).await.0, StatusCode::OK);
}
