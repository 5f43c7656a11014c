//! Who and what is let in, before anything of the protocol is looked at.

use crate::request::{answer, body, call, endpoint, modern, send};
use axum::body::Body;
use http::{Method, Request, StatusCode};
use mcp_transport_http::{HttpOptions, OriginPolicy};
use serde_json::json;
use std::time::Duration;

fn with(name: &'static str, value: &str) -> Request<Body> {
    let mut request = call("echo");
    request.headers_mut().insert(name, value.parse().unwrap());
    request
}

#[tokio::test]
async fn a_foreign_host_is_refused_and_the_answer_names_the_setting() {
    let endpoint = endpoint(HttpOptions::default());
    let (status, body) = answer(&endpoint, with("host", "evil.example")).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert!(body["error"]["message"].as_str().unwrap().contains("allowed_hosts"), "{body}");
    for host in ["127.0.0.1", "[::1]:8000", "localhost"] {
        assert_eq!(answer(&endpoint, with("host", host)).await.0, StatusCode::OK, "{host}");
    }
}

#[tokio::test]
async fn a_host_that_is_named_twice_is_refused_even_if_it_is_the_same() {
    let endpoint = endpoint(HttpOptions::default());
    let mut two = with("host", "localhost");
    two.headers_mut().append("host", "localhost".parse().unwrap());
    let (status, body) = answer(&endpoint, two).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(body["error"]["message"].as_str().unwrap().contains("`Host`"), "{body}");
}

#[tokio::test]
async fn a_body_in_a_coding_is_refused_wherever_the_coding_is_named() {
    let endpoint = endpoint(HttpOptions::default());
    for (name, first, second, status) in [
        ("content-encoding", "Identity", None, StatusCode::OK),
        ("content-encoding", "identity", Some("gzip"), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        ("content-encoding", "br", None, StatusCode::UNSUPPORTED_MEDIA_TYPE),
        ("transfer-encoding", "Chunked", None, StatusCode::OK),
        ("transfer-encoding", "gzip, chunked", None, StatusCode::UNSUPPORTED_MEDIA_TYPE),
        ("transfer-encoding", "gzip", Some("chunked"), StatusCode::UNSUPPORTED_MEDIA_TYPE),
    ] {
        let mut request = with(name, first);
        if let Some(second) = second {
            request.headers_mut().append(name, second.parse().unwrap());
        }
        assert_eq!(answer(&endpoint, request).await.0, status, "{name}: {first} {second:?}");
    }
}

#[tokio::test]
async fn a_public_url_allows_its_host_and_its_origin() {
    let options =
        HttpOptions { public_url: Some("https://mcp.example.com/x".into()), ..HttpOptions::default() };
    let endpoint = endpoint(options);
    assert_eq!(answer(&endpoint, with("host", "mcp.example.com")).await.0, StatusCode::OK);
    assert_eq!(answer(&endpoint, with("origin", "https://mcp.example.com")).await.0, StatusCode::OK);
    assert_eq!(answer(&endpoint, with("origin", "https://other.example.com")).await.0, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_foreign_page_is_refused_unless_every_page_may_call() {
    let checked = endpoint(HttpOptions::default());
    let (status, body) = answer(&checked, with("origin", "http://evil.example")).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert!(body["error"]["message"].as_str().unwrap().contains("allowed_origins"));
    assert!(!body.to_string().contains("evil"), "nothing of the request is repeated: {body}");
    let open = endpoint(HttpOptions { origin_policy: OriginPolicy::Any, ..HttpOptions::default() });
    assert_eq!(answer(&open, with("origin", "http://evil.example")).await.0, StatusCode::OK);
    for endpoint in [&checked, &open] {
        assert_eq!(answer(endpoint, with("origin", "null")).await.0, StatusCode::FORBIDDEN);
        let mut two = with("origin", "http://localhost");
        two.headers_mut().append("origin", "http://localhost".parse().unwrap());
        assert_eq!(answer(endpoint, two).await.0, StatusCode::FORBIDDEN);
    }
}

#[test]
fn an_entry_that_can_never_match_is_refused_at_the_start_with_what_to_write() {
    let server = crate::request::sample(&crate::request::Probe::default());
    let options = HttpOptions {
        allowed_origins: vec![
            "https://app.example.com/".into(),
            "null".into(),
            "https://*.example.com".into(),
        ],
        allowed_hosts: vec!["https://mcp.example.com".into(), "mcp.example.com:99999".into()],
        ..HttpOptions::default()
    };
    let faults = mcp_transport_http::Endpoint::new(server, options).unwrap_err().to_string();
    for told in [
        "allowed_origins: `https://app.example.com/` can never match",
        "write `https://app.example.com`",
        "allowed_origins: `null` can never match",
        "allowed_origins: `https://*.example.com` can never match",
        "OriginPolicy::Any",
        "allowed_hosts: `https://mcp.example.com` can never match",
        "write `mcp.example.com`",
        "allowed_hosts: `mcp.example.com:99999` can never match",
    ] {
        assert!(faults.contains(told), "{told} in {faults}");
    }
}

#[test]
fn a_public_url_may_name_its_default_port() {
    let server = crate::request::sample(&crate::request::Probe::default());
    let public_url = Some("https://MCP.example.com:443/team/mcp".into());
    let options = HttpOptions { public_url, ..HttpOptions::default() };
    assert!(mcp_transport_http::Endpoint::new(server, options).is_ok());
}

#[tokio::test]
async fn a_preflight_is_answered_without_credentials_and_errors_can_be_read() {
    let options = HttpOptions {
        allowed_origins: vec!["https://app.example.com".into()],
        verifier: Some(crate::authentication::tokens()),
        ..HttpOptions::default()
    };
    let endpoint = endpoint(options);
    let asked = "authorization,content-type,mcp-protocol-version,mcp-method,mcp-name,mcp-param-region";
    let preflight = Request::options("/mcp")
        .header("host", "localhost")
        .header("origin", "https://app.example.com")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", asked)
        .body(Body::empty())
        .unwrap();
    let response = send(&endpoint, preflight).await;
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    assert_eq!(response.headers()["access-control-allow-origin"], "https://app.example.com");
    assert_eq!(response.headers()["access-control-allow-headers"], asked);
    assert_eq!(response.headers()["vary"], "Origin");
    let refused = send(&endpoint, with("origin", "https://app.example.com")).await;
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(refused.headers()["access-control-allow-origin"], "https://app.example.com");
    let exposed = refused.headers()["access-control-expose-headers"].to_str().unwrap();
    assert!(exposed.contains("WWW-Authenticate") && exposed.contains("Mcp-Session-Id"));
}

#[tokio::test]
async fn other_methods_get_405_with_allow_at_once() {
    let endpoint = endpoint(HttpOptions::default());
    for method in [Method::GET, Method::HEAD, Method::PUT, Method::DELETE, Method::PATCH] {
        let mut request = call("echo");
        *request.method_mut() = method.clone();
        let response = send(&endpoint, request).await;
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{method}");
        assert!(response.headers()["allow"].to_str().unwrap().contains("POST"));
    }
}

#[tokio::test]
async fn only_a_body_declared_as_json_is_read() {
    let endpoint = endpoint(HttpOptions::default());
    for media in
        ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data"]
    {
        assert_eq!(
            answer(&endpoint, with("content-type", media)).await.0,
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "{media}"
        );
    }
    assert_eq!(
        answer(&endpoint, with("content-encoding", "gzip")).await.0,
        StatusCode::UNSUPPORTED_MEDIA_TYPE
    );
    assert_eq!(answer(&endpoint, with("content-encoding", "identity")).await.0, StatusCode::OK);
    let mut undeclared = call("echo");
    undeclared.headers_mut().remove("content-type");
    assert_eq!(answer(&endpoint, undeclared).await.0, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(
        answer(&endpoint, with("content-type", "Application/JSON; charset=utf-8")).await.0,
        StatusCode::OK
    );
}

#[tokio::test]
async fn accept_is_read_as_rfc_9110_says() {
    let endpoint = endpoint(HttpOptions::default());
    for accept in
        ["*/*", "application/*;q=0.9, text/*", "application/json", "text/event-stream, application/json", ""]
    {
        assert_eq!(answer(&endpoint, with("accept", accept)).await.0, StatusCode::OK, "{accept}");
    }
    let mut silent = call("echo");
    silent.headers_mut().remove("accept");
    assert_eq!(answer(&endpoint, silent).await.0, StatusCode::OK);
    let (status, body) = answer(&endpoint, with("accept", "text/plain")).await;
    assert_eq!(status, StatusCode::NOT_ACCEPTABLE);
    let message = body["error"]["message"].as_str().unwrap();
    assert!(message.contains("application/json") && message.contains("text/event-stream"));
}

#[tokio::test]
async fn a_body_over_the_limit_is_413_declared_or_not() {
    let endpoint = endpoint(HttpOptions { body_bytes: 1_024, ..HttpOptions::default() });
    let large =
        body("tools/call", json!({ "name": "echo", "arguments": { "text": "x".repeat(2_000) } })).to_string();
    let declared = modern("tools/call", json!({ "name": "echo" })).body(Body::from(large.clone())).unwrap();
    let (status, refusal) = answer(&endpoint, declared).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(refusal["error"]["message"].as_str().unwrap().contains("body_bytes"));
    let exact = |length: usize| modern("tools/list", json!({})).body(Body::from(" ".repeat(length))).unwrap();
    // White space is no message, but it is read before that is known.
    assert_eq!(answer(&endpoint, exact(1_024)).await.0, StatusCode::BAD_REQUEST);
    assert_eq!(answer(&endpoint, exact(1_025)).await.0, StatusCode::PAYLOAD_TOO_LARGE);
    let (left, right) = large.split_at(700);
    let parts = [left.to_owned(), right.to_owned()].map(Ok::<_, std::convert::Infallible>);
    let chunked = Body::from_stream(futures_util::stream::iter(parts));
    let request = modern("tools/call", json!({ "name": "echo" })).body(chunked).unwrap();
    assert_eq!(answer(&endpoint, request).await.0, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_arrive_in_its_time_is_408() {
    let body_timeout = Duration::from_secs(3);
    let endpoint = endpoint(HttpOptions { body_timeout, ..HttpOptions::default() });
    let never =
        Body::from_stream(futures_util::stream::pending::<Result<String, std::convert::Infallible>>());
    let request = modern("tools/list", json!({})).body(never).unwrap();
    let started = tokio::time::Instant::now();
    let (status, refusal) = answer(&endpoint, request).await;
    assert_eq!((status, started.elapsed()), (StatusCode::REQUEST_TIMEOUT, body_timeout));
    assert!(refusal["error"]["message"].as_str().unwrap().contains("body_timeout"));
}

#[tokio::test]
async fn a_trailing_slash_is_served_and_never_redirected() {
    let endpoint = endpoint(HttpOptions::default());
    let mut request = call("echo");
    *request.uri_mut() = "/mcp/".parse().unwrap();
    assert_eq!(answer(&endpoint, request).await.0, StatusCode::OK);
    let mut below = call("echo");
    *below.uri_mut() = "/mcp/x".parse().unwrap();
    assert_eq!(answer(&endpoint, below).await.0, StatusCode::NOT_FOUND);
}

#[test]
fn settings_are_checked_all_at_once() {
    let options = HttpOptions {
        path: "mcp".into(),
        allowed_hosts: vec!["http://x".into()],
        allowed_origins: vec!["app.example.com".into(), "*".into()],
        body_bytes: 1,
        max_streams: 0,
        public_url: Some("ftp://x".into()),
        ..HttpOptions::default()
    };
    let server = crate::request::sample(&crate::request::Probe::default());
    let faults = mcp_transport_http::Endpoint::new(server, options).unwrap_err();
    let settings: Vec<_> = faults.iter().map(mcp_transport_http::SettingFault::setting).collect();
    for setting in ["path", "allowed_hosts", "allowed_origins", "body_bytes", "max_streams", "public_url"] {
        assert!(settings.contains(&setting), "{setting} in {faults}");
    }
}
