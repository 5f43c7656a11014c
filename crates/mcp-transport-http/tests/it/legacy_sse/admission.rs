//! What is checked of a stream and of a POST before anything is served.

use super::client::{Old, call, get, initialize, legacy, post, request, sample_endpoint, with_token};
use crate::{authentication::tokens, request::send};
use axum::body::Body;
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use mcp_server::{ProtocolVersion, ServedVersions, Server, SettingFault, server};
use mcp_transport_http::{Endpoint, HttpOptions, LegacyPaths, LegacySse};
use serde_json::{Value, json};
use std::time::Duration;

const ALICE: Option<&str> = Some("a-long-enough-token-1");
const BOB: Option<&str> = Some("another-long-token-22");

fn guarded() -> Endpoint {
    sample_endpoint(HttpOptions { verifier: Some(tokens()), ..legacy() }).0
}

async fn refusal(endpoint: &Endpoint, request: Request<Body>) -> (StatusCode, String) {
    let response = send(endpoint, request).await;
    let status = response.status();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let body: Value = serde_json::from_slice(&body).unwrap();
    (status, body["error"]["message"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn both_paths_check_host_and_origin_like_the_endpoint() {
    let (endpoint, _) = sample_endpoint(legacy());
    for request in [get("/sse"), post("/messages?session_id=x", "{}")] {
        for (name, value) in [("host", "evil.example"), ("origin", "https://evil.example")] {
            let (mut head, body) = request_parts(&request);
            head.headers.insert(name, value.parse().unwrap());
            let (status, said) = refusal(&endpoint, Request::from_parts(head, body)).await;
            assert_eq!(status, StatusCode::FORBIDDEN, "{said}");
            assert!(said.contains("setting: allowed_") && !said.contains("evil.example"), "{said}");
        }
    }
    assert_eq!(endpoint.legacy_sessions(), 0);
}

fn request_parts(request: &Request<Body>) -> (http::request::Parts, Body) {
    let mut copy = Request::builder().method(request.method()).uri(request.uri());
    for (name, value) in request.headers() {
        copy = copy.header(name, value);
    }
    copy.body(Body::from("{}")).unwrap().into_parts()
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_reads_the_answers_of_both() {
    let (endpoint, _) = sample_endpoint(legacy());
    for mut request in [get("/sse"), post("/messages?session_id=x", "{}")] {
        request.headers_mut().insert("origin", "http://localhost:5173".parse().unwrap());
        let response = send(&endpoint, request).await;
        assert_eq!(response.headers()["access-control-allow-origin"], "http://localhost:5173");
    }
}

#[tokio::test]
async fn each_path_takes_one_method_and_says_which() {
    let (endpoint, _) = sample_endpoint(legacy());
    for (path, methods, allowed) in [
        ("/sse", [Method::POST, Method::DELETE, Method::HEAD], "GET, OPTIONS"),
        ("/messages", [Method::GET, Method::PUT, Method::HEAD], "POST, OPTIONS"),
    ] {
        for method in methods {
            let mut request = get(path);
            *request.method_mut() = method.clone();
            let response = send(&endpoint, request).await;
            assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
            assert_eq!(response.headers()["allow"], allowed);
        }
    }
    assert_eq!(endpoint.legacy_sessions(), 0);
}

#[tokio::test]
async fn the_stream_is_for_those_who_take_events() {
    let (endpoint, _) = sample_endpoint(legacy());
    let mut request = get("/sse");
    request.headers_mut().insert("accept", "application/json".parse().unwrap());
    assert_eq!(refusal(&endpoint, request).await.0, StatusCode::NOT_ACCEPTABLE);
}

#[tokio::test]
async fn a_post_is_json_of_bounded_size() {
    let (endpoint, _) = sample_endpoint(HttpOptions { body_bytes: 2_048, ..legacy() });
    let mut old = Old::open(&endpoint, "/sse").await;
    let mut text = post(old.url(), "{}");
    text.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(refusal(&endpoint, text).await.0, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let mut packed = post(old.url(), "{}");
    packed.headers_mut().insert("content-encoding", "gzip".parse().unwrap());
    assert_eq!(refusal(&endpoint, packed).await.0, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let (status, said) = refusal(&endpoint, post(old.url(), " ".repeat(2_049))).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(said.contains("body_bytes"), "{said}");
    assert_eq!(old.ask(&request(1, "ping", json!({}))).await["id"], 1, "the stream is none the worse");
}

#[tokio::test]
async fn what_cannot_be_read_is_told_to_the_post_and_what_has_an_id_on_the_stream() {
    let (endpoint, _) = sample_endpoint(legacy());
    let mut old = Old::shaken(&endpoint, "2024-11-05").await;
    let broken = old.poster.post("{\"jsonrpc\":").await;
    assert_eq!(broken.status(), StatusCode::BAD_REQUEST);
    let body: Value =
        serde_json::from_slice(&broken.into_body().collect().await.unwrap().to_bytes()).unwrap();
    assert_eq!(body["error"]["code"], -32700);
    let odd = old.ask(&json!({ "jsonrpc": "1.0", "id": 5, "method": "ping" })).await;
    assert_eq!((&odd["id"], &odd["error"]["code"]), (&json!(5), &json!(-32600)));
}

#[tokio::test]
async fn a_post_names_a_stream_that_is_open() {
    let (endpoint, _) = sample_endpoint(legacy());
    let (status, said) = refusal(&endpoint, post("/messages", "{}")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(said.contains("endpoint"), "{said}");
    let open = Old::open(&endpoint, "/sse").await;
    let key = open.url().split('=').nth(1).unwrap();
    for keys in [format!("{key}&session_id={key}"), format!("x&session_id={key}")] {
        let twice = post(&format!("/messages?session_id={keys}"), "{}");
        assert_eq!(refusal(&endpoint, twice).await.0, StatusCode::BAD_REQUEST, "{keys}");
    }
    for key in ["", "AAAA"] {
        let unknown = post(&format!("/messages?session_id={key}"), "{}");
        assert_eq!(refusal(&endpoint, unknown).await.0, StatusCode::NOT_FOUND, "{key}");
    }
}

#[tokio::test]
async fn keys_are_long_and_of_one_use() {
    let (endpoint, _) = sample_endpoint(legacy());
    let (one, other) = (Old::open(&endpoint, "/sse").await, Old::open(&endpoint, "/sse").await);
    assert_ne!(one.url(), other.url());
    let key = one.url().split('=').nth(1).unwrap();
    assert!(key.len() >= 43, "{key}");
}

#[tokio::test]
async fn both_paths_ask_for_credentials() {
    let endpoint = guarded();
    for request in [get("/sse"), post("/messages?session_id=x", "{}")] {
        let response = send(&endpoint, request).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
        assert_eq!(response.headers()["www-authenticate"], "Bearer");
    }
}

#[tokio::test]
async fn a_stream_belongs_to_who_opened_it_and_looks_unknown_to_others() {
    let endpoint = guarded();
    let mut alice = Old::open_as(endpoint.routes(), "/sse", ALICE).await;
    alice.shake("2024-11-05").await;
    let foreign = refusal(&endpoint, with_token(post(alice.url(), call(9, "echo").to_string()), BOB)).await;
    let unknown = refusal(&endpoint, with_token(post("/messages?session_id=AAAA", "{}"), BOB)).await;
    assert_eq!((foreign.0, &foreign), (StatusCode::NOT_FOUND, &unknown));
    let reply = alice.ask(&call(1, "whoami")).await;
    assert_eq!(reply["result"]["content"][0]["text"], "\"alice\"", "{reply}");
}

#[tokio::test]
async fn settings_that_cannot_be_used_are_named() {
    let faults = |server: Server, options: HttpOptions| {
        let faults = Endpoint::new(server, options).unwrap_err();
        faults.iter().map(SettingFault::setting).collect::<Vec<_>>()
    };
    let any = || crate::request::sample(&crate::request::Probe::default());
    let with = |legacy: LegacySse| HttpOptions { legacy_sse: Some(legacy), ..HttpOptions::default() };
    let paths = |stream: &str, messages: &str| LegacySse {
        paths: LegacyPaths::Separate { stream: stream.into(), messages: messages.into() },
        ..LegacySse::default()
    };
    for wrong in [paths("sse", "/m"), paths("/s", "/s/"), paths("/mcp/", "/m"), paths("/s", "/m?x")] {
        assert_eq!(faults(any(), with(wrong.clone())), ["legacy_sse.paths"], "{wrong:?}");
    }
    let bounds = LegacySse { queue: 0, stall_timeout: Duration::ZERO, ..LegacySse::default() };
    assert_eq!(faults(any(), with(bounds)), ["legacy_sse.queue", "legacy_sse.stall_timeout"]);
    let router = mcp_server::McpRouter::new();
    let stateless = server(router).name("n").version("1").dynamic().without_sessions().build().unwrap();
    let combined = LegacySse { paths: LegacyPaths::Combined, ..LegacySse::default() };
    assert_eq!(faults(stateless, with(combined)), ["legacy_sse.paths"]);
    let newest = ServedVersions::only([ProtocolVersion::LATEST]).unwrap();
    let modern = server(mcp_server::McpRouter::new()).name("n").version("1").dynamic().versions(newest);
    assert_eq!(faults(modern.build().unwrap(), with(LegacySse::default())), ["legacy_sse"]);
}

#[tokio::test]
async fn before_the_handshake_a_request_is_told_what_comes_first() {
    let (endpoint, _) = sample_endpoint(legacy());
    let mut old = Old::open(&endpoint, "/sse").await;
    let early = old.ask(&call(1, "echo")).await;
    assert_eq!(early["error"]["code"], -32602);
    assert!(early["error"]["message"].as_str().unwrap().contains("initialize"), "{early}");
    old.ask(&initialize("2024-11-05")).await;
    let again = old.ask(&initialize("2024-11-05")).await;
    assert_eq!(again["error"]["code"], -32600);
}
