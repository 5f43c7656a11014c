//! How many sessions there may be, and what becomes of a reader that does not read.

use super::client::{Old, call, get, legacy, request, sample_endpoint};
use crate::{
    authentication::tokens,
    request::{Probe, sample, send},
};
use http::StatusCode;
use http_body_util::BodyExt as _;
use mcp_server::{McpRouter, Server, SessionLimits, server, tool};
use mcp_transport_http::{Endpoint, HttpOptions, LegacySse};
use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

fn bounded(limits: SessionLimits, options: HttpOptions) -> Endpoint {
    let router = McpRouter::new().tool("echo", tool(async || "echo").describe("Echoes"));
    let server: Server = server(router)
        .name("n")
        .version("1")
        .configure_sessions(|sessions| sessions.limits(limits))
        .build()
        .unwrap();
    Endpoint::new(server, options).unwrap()
}

async fn refused(endpoint: &Endpoint, token: Option<&str>) -> String {
    let response = send(endpoint, super::client::with_token(get("/sse"), token)).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(response.headers()["retry-after"], "5");
    String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

#[tokio::test]
async fn sessions_beyond_the_limit_are_refused_until_one_ends() {
    let endpoint = bounded(SessionLimits { total: 2, ..SessionLimits::default() }, legacy());
    let one = Old::open(&endpoint, "/sse").await;
    let _two = Old::open(&endpoint, "/sse").await;
    assert!(refused(&endpoint, None).await.contains("sessions.limits.total"));
    assert_eq!(endpoint.legacy_sessions(), 2);
    drop(one);
    assert_eq!(endpoint.legacy_sessions(), 1);
    Old::open(&endpoint, "/sse").await;
}

#[tokio::test]
async fn one_principal_has_a_share_of_its_own() {
    let limits = SessionLimits { per_principal: 1, ..SessionLimits::default() };
    let endpoint = bounded(limits, HttpOptions { verifier: Some(tokens()), ..legacy() });
    let (alice, bob) = ("a-long-enough-token-1", "another-long-token-22");
    let first = Old::open_as(endpoint.routes(), "/sse", Some(alice)).await;
    assert!(refused(&endpoint, Some(alice)).await.contains("sessions.limits.per_principal"));
    let _other = Old::open_as(endpoint.routes(), "/sse", Some(bob)).await;
    drop(first);
    Old::open_as(endpoint.routes(), "/sse", Some(alice)).await;
}

#[tokio::test]
async fn what_a_principal_hears_of_counts_among_all_it_hears_of() {
    let router = McpRouter::new().tool("echo", tool(async || "echo").describe("Echoes"));
    let limits = mcp_server::Limits { subscriptions_per_principal: 1, ..mcp_server::Limits::default() };
    let server = server(router).name("n").version("1").dynamic().limits(limits).build().unwrap();
    let endpoint = Endpoint::new(server, HttpOptions { verifier: Some(tokens()), ..legacy() }).unwrap();
    let (alice, bob) = (Some("a-long-enough-token-1"), Some("another-long-token-22"));
    let mut streams = Vec::new();
    for (token, told) in [(alice, true), (alice, false), (bob, true)] {
        let mut old = Old::open_as(endpoint.routes(), "/sse", token).await;
        let welcome = old.shake("2024-11-05").await;
        assert_eq!(
            welcome["result"]["capabilities"]["tools"]["listChanged"] == json!(true),
            told,
            "{welcome}"
        );
        streams.push(old);
    }
}

#[tokio::test]
async fn its_streams_count_among_all_streams() {
    let (endpoint, _) = sample_endpoint(HttpOptions { max_streams: 1, ..legacy() });
    let old = Old::open(&endpoint, "/sse").await;
    let response = send(&endpoint, get("/sse")).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    drop(old);
    Old::open(&endpoint, "/sse").await;
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_stops_reading_is_ended_and_its_calls_with_it() {
    let small = LegacySse { queue: 2, ..LegacySse::default() };
    let probe = Probe::default();
    let options = HttpOptions { legacy_sse: Some(small), ..HttpOptions::default() };
    let endpoint = Endpoint::new(sample(&probe), options).unwrap();
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    old.say(&call("waits", "hang")).await;
    probe.started.notified().await;
    for id in 0..10 {
        assert_eq!(old.say(&request(id, "ping", json!({}))).await, StatusCode::ACCEPTED);
    }
    assert_eq!(endpoint.legacy_sessions(), 1);
    let begin = tokio::time::Instant::now();
    probe.cancelled.notified().await;
    let waited = begin.elapsed();
    assert!((30..45).contains(&waited.as_secs()), "{waited:?}");
    assert_eq!(old.say(&request(11, "ping", json!({}))).await, StatusCode::NOT_FOUND);
    assert_eq!(endpoint.server().counts().subscriptions, 0, "it hears of no change any more");
    assert!(old.event().await.is_none(), "what waited is dropped");
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_is_not_ended_and_gets_everything_in_order() {
    let small = LegacySse { queue: 2, ..LegacySse::default() };
    let (endpoint, _) = sample_endpoint(HttpOptions { legacy_sse: Some(small), ..HttpOptions::default() });
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    assert_eq!(old.say(&call("r", "report")).await, StatusCode::ACCEPTED);
    assert_eq!(old.say(&call("s", "report")).await, StatusCode::ACCEPTED);
    let mut heard = String::new();
    while heard.matches("\"result\"").count() < 2 {
        tokio::time::sleep(Duration::from_secs(20)).await;
        heard.push_str(&old.piece().await.unwrap());
    }
    for id in ["r", "s"] {
        let at = |text: String| heard.find(&text).unwrap_or_else(|| panic!("no {text} in {heard}"));
        let said = |value: u8| at(format!("\"progressToken\":\"{id}\",\"progress\":{value}"));
        assert!(said(1) < said(2) && said(2) < at(format!("\"id\":\"{id}\"")), "{heard}");
    }
}

#[tokio::test(start_paused = true)]
async fn while_a_reader_is_slow_calls_are_not_driven_and_then_all_are_answered() {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let count = tool(move || {
        let counted = Arc::clone(&counted);
        async move {
            counted.fetch_add(1, Ordering::SeqCst);
            tokio::task::yield_now().await;
            "counted"
        }
    });
    let router = McpRouter::new().tool("count", count.describe("Counts how often it runs"));
    let server = server(router).name("n").version("1").build().unwrap();
    let small = LegacySse { queue: 2, ..LegacySse::default() };
    let options = HttpOptions { legacy_sse: Some(small), keep_alive: None, ..HttpOptions::default() };
    let endpoint = Endpoint::new(server, options).unwrap();
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    for id in 0..10 {
        assert_eq!(old.say(&request(format!("p{id}"), "ping", json!({}))).await, StatusCode::ACCEPTED);
        assert_eq!(old.say(&call(id, "count")).await, StatusCode::ACCEPTED);
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(runs.load(Ordering::SeqCst) <= 2, "{runs:?} ran without room for what they say");
    let mut answered = std::collections::BTreeSet::new();
    while answered.len() < 20 {
        answered.insert(old.next().await["id"].to_string());
    }
    assert_eq!(runs.load(Ordering::SeqCst), 10);
}

#[tokio::test(start_paused = true)]
async fn requests_in_flight_are_bounded_and_the_refusal_comes_on_the_stream() {
    let router =
        McpRouter::new().tool("hang", tool(async || std::future::pending::<()>().await).describe("Hangs"));
    let limits = mcp_server::Limits { requests_in_flight: 3, ..mcp_server::Limits::default() };
    let server = server(router).name("n").version("1").limits(limits).build().unwrap();
    let endpoint = super::client::endpoint_of(server);
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    for id in 0..3 {
        assert_eq!(old.say(&call(id, "hang")).await, StatusCode::ACCEPTED);
    }
    let refused = old.ask(&call(3, "hang")).await;
    assert_eq!(refused["id"], 3);
    assert!(refused["error"]["message"].as_str().unwrap().contains("limits.requests_in_flight"), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_without_a_handshake_ends_after_the_opening_time() {
    let (endpoint, _) = sample_endpoint(HttpOptions { keep_alive: None, ..legacy() });
    let mut silent = Old::open(&endpoint, "/sse").await;
    let shaken = Old::shaken(&endpoint, "2024-11-05").await;
    let begin = tokio::time::Instant::now();
    assert!(silent.event().await.is_none());
    assert!((119..130).contains(&begin.elapsed().as_secs()), "{:?}", begin.elapsed());
    assert_eq!(silent.say(&request(1, "ping", json!({}))).await, StatusCode::NOT_FOUND);
    assert_eq!(shaken.say(&request(1, "ping", json!({}))).await, StatusCode::ACCEPTED);
}

#[tokio::test(start_paused = true)]
async fn a_quiet_stream_is_kept_open_by_comments() {
    let (endpoint, _) = sample_endpoint(legacy());
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    for _ in 0..3 {
        let begin = tokio::time::Instant::now();
        assert_eq!(old.piece().await.unwrap(), ":\n\n");
        assert_eq!(begin.elapsed().as_secs(), 15);
    }
    let begin = tokio::time::Instant::now();
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(old.ask(&request(1, "ping", json!({}))).await["id"], 1);
    assert_eq!(old.piece().await.unwrap(), ":\n\n");
    assert_eq!(begin.elapsed().as_secs(), 25, "what is said counts from when it is said");
}

#[tokio::test(start_paused = true)]
async fn a_call_is_answered_by_the_deadline_and_the_stream_has_none() {
    let request_deadline = Some(Duration::from_secs(1));
    let (endpoint, probe) = sample_endpoint(HttpOptions { request_deadline, keep_alive: None, ..legacy() });
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    for id in [1, 2] {
        let begin = tokio::time::Instant::now();
        let late = old.ask(&call(id, "hang")).await;
        assert_eq!((&late["id"], &late["error"]["code"]), (&json!(id), &json!(-32603)), "{late}");
        assert_eq!(begin.elapsed().as_secs(), 1);
        probe.cancelled.notified().await;
    }
    assert_eq!(old.ask(&request(3, "ping", json!({}))).await["id"], 3, "the stream goes on");
}
