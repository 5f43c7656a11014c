//! Both wires on the endpoint's own path.

use super::client::{Old, call, get, initialize, post, request, sample_endpoint};
use crate::request::{call as modern_call, send};
use axum::body::Body;
use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use mcp_transport_http::{Endpoint, HttpOptions, LegacyPaths, LegacySse};
use serde_json::json;

fn combined() -> Endpoint {
    let legacy_sse = Some(LegacySse { paths: LegacyPaths::Combined, ..LegacySse::default() });
    sample_endpoint(HttpOptions { legacy_sse, ..HttpOptions::default() }).0
}

#[tokio::test]
async fn a_get_that_names_nothing_opens_a_stream_and_its_url_is_the_same_path() {
    let endpoint = combined();
    for path in ["/mcp", "/mcp/"] {
        let mut old = Old::open(&endpoint, path).await;
        assert!(old.url().starts_with(&format!("{path}?session_id=")), "{}", old.url());
        old.shake("2024-11-05").await;
        assert_eq!(old.ask(&request(1, "ping", json!({}))).await["id"], 1);
        assert_eq!(old.ask(&call(2, "echo")).await["id"], 2);
    }
    assert_eq!(send(&endpoint, get("/sse")).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_other_wire_works_on_the_same_path_as_before() {
    let endpoint = combined();
    assert_eq!(send(&endpoint, modern_call("echo")).await.status(), StatusCode::OK);
    let mut hello = post("/mcp", initialize("2025-03-26").to_string());
    hello.headers_mut().insert("accept", "application/json, text/event-stream".parse().unwrap());
    let welcome = send(&endpoint, hello).await;
    let session = welcome.headers()["mcp-session-id"].clone();
    let with = |name: &'static str, value: http::HeaderValue| {
        let mut request = get("/mcp");
        request.headers_mut().insert(name, value);
        request
    };
    let stream = send(&endpoint, with("mcp-session-id", session)).await;
    assert_eq!(stream.status(), StatusCode::OK);
    let first = stream.into_body().frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(!first.starts_with(b"event: endpoint"), "the stream of a session is none of HTTP+SSE");
    assert_eq!(
        send(&endpoint, with("mcp-session-id", "unknown".parse().unwrap())).await.status(),
        StatusCode::NOT_FOUND
    );
    let versioned = send(&endpoint, with("mcp-protocol-version", "2025-11-25".parse().unwrap())).await;
    assert_eq!(versioned.status(), StatusCode::METHOD_NOT_ALLOWED);
    let delete = Request::delete("/mcp").header("host", "localhost").body(Body::empty()).unwrap();
    assert_eq!(send(&endpoint, delete).await.status(), StatusCode::METHOD_NOT_ALLOWED);
}
