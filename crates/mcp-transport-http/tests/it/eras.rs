//! What is the same for clients of both eras: media types, methods, sizes, and headers that are there twice.

use crate::request::{Probe, body, call, endpoint, modern, sample, send};
use axum::body::Body;
use http::{HeaderName, HeaderValue, Request, StatusCode};
use http_body_util::BodyExt as _;
use mcp_server::{Limits, McpRouter, server, tool};
use mcp_transport_http::{Endpoint, HttpOptions};
use serde_json::{Value, json};

/// The first request of a handshake client.
fn hello() -> Request<Body> {
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    plain(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))
}

/// A request without anything of an era.
fn plain(message: &Value) -> Request<Body> {
    Request::post("/mcp")
        .header("host", "127.0.0.1:8080")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(Body::from(message.to_string()))
        .unwrap()
}

/// A request of each era that is answered with a result.
fn of_both_eras() -> [Request<Body>; 2] {
    [hello(), call("echo")]
}

fn with(mut request: Request<Body>, name: &'static str, values: &[&str]) -> Request<Body> {
    request.headers_mut().remove(name);
    for value in values {
        request.headers_mut().append(name, HeaderValue::from_str(value).unwrap());
    }
    request
}

/// Status, media type and text of an answer.
async fn told(endpoint: &Endpoint, request: Request<Body>) -> (StatusCode, String, String) {
    let response = send(endpoint, request).await;
    let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
    let status = response.status();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, kind.unwrap_or_default(), String::from_utf8(bytes.to_vec()).unwrap())
}

#[tokio::test]
async fn an_answer_comes_in_a_type_that_the_client_takes() {
    let endpoint = endpoint(HttpOptions::default());
    for (accept, kind) in [
        (&[][..], "application/json"),
        (&["", " "], "application/json"),
        (&["application/json, text/event-stream"], "application/json"),
        (&["application/json"], "application/json"),
        (&["text/event-stream;q=0.1", "application/json;q=0.9"], "application/json"),
        (&["application/*"], "application/json"),
        (&["*/*"], "application/json"),
        (&["text/event-stream"], "text/event-stream"),
        (&["text/*;q=0.001"], "text/event-stream"),
        (&["application/json;q=0, */*"], "text/event-stream"),
        (&["application/json;q=nonsense, text/event-stream"], "text/event-stream"),
        (&["text/event-stream, application/json;profile=\"open"], "text/event-stream"),
    ] {
        for request in of_both_eras() {
            let (status, media, text) = told(&endpoint, with(request, "accept", accept)).await;
            assert_eq!((status, &*media), (StatusCode::OK, kind), "{accept:?}: {text}");
            assert!(text.contains("\"result\""), "{accept:?}: {text}");
        }
    }
}

#[tokio::test]
async fn only_a_client_that_takes_neither_type_is_refused() {
    let endpoint = endpoint(HttpOptions::default());
    let fifty = "text/html, ".repeat(50);
    for accept in [
        "text/html",
        "application/json;q=0, text/event-stream;q=0.000",
        "*/*;q=0",
        "*/*, application/json;q=0, text/*;q=0",
        "*/json, */event-stream",
        "application/json;q=1.5",
        "application/json;profile=\"open, text/event-stream",
        &format!("{fifty}application/json"),
    ] {
        for request in of_both_eras() {
            let response = send(&endpoint, with(request, "accept", &[accept])).await;
            assert!(!response.headers().contains_key("mcp-session-id"), "{accept}: no session is begun");
            assert_eq!(response.headers()["content-type"], "application/json", "{accept}");
            assert_eq!(response.status(), StatusCode::NOT_ACCEPTABLE, "{accept}");
            let text = response.into_body().collect().await.unwrap().to_bytes();
            let text = String::from_utf8_lossy(&text);
            assert!(text.contains("application/json") && text.contains("text/event-stream"), "{text}");
        }
    }
}

#[tokio::test]
async fn what_is_not_declared_as_json_once_is_415() {
    let endpoint = endpoint(HttpOptions::default());
    for kinds in [
        &[][..],
        &[""],
        &["text/plain"],
        &["application/json-seq"],
        &["application/json, application/json"],
        &["application/json", "application/json"],
    ] {
        for request in of_both_eras() {
            let (status, _, _) = told(&endpoint, with(request, "content-type", kinds)).await;
            assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{kinds:?}");
        }
    }
}

#[tokio::test]
async fn other_methods_are_405_and_told_which_are_not() {
    let sessions = endpoint(HttpOptions::default());
    let router = McpRouter::new().tool("echo", tool(async || "x").describe("Echoes"));
    let alone = server(router).name("alone").version("1").without_sessions();
    let alone = Endpoint::new(alone.build().unwrap(), HttpOptions::default()).unwrap();
    for (endpoint, allowed, others) in [
        (&sessions, "GET, POST, DELETE, OPTIONS", &["PUT", "PATCH", "HEAD", "TRACE", "QUERY"][..]),
        (&alone, "POST, OPTIONS", &["GET", "DELETE", "PUT", "HEAD"]),
    ] {
        for method in others {
            for mut request in of_both_eras() {
                *request.method_mut() = method.parse().unwrap();
                let response = send(endpoint, request).await;
                assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{method}");
                assert_eq!(response.headers()["allow"], allowed, "{method}");
            }
        }
    }
}

#[tokio::test]
async fn a_routing_header_that_is_there_twice_is_refused_even_with_equal_values() {
    let endpoint = endpoint(HttpOptions::default());
    for (name, value) in
        [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "echo")]
    {
        let (status, _, text) = told(&endpoint, with(call("echo"), name, &[value, value])).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{name}");
        let reply: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&reply["error"]["code"], &reply["id"]), (&json!(-32020), &json!(1)), "{name}");
        assert_eq!(reply["error"]["data"], json!({ "header": name, "reason": "HEADER_MISMATCH" }));
    }
    let response = send(&endpoint, hello()).await;
    let session = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    let ping = || plain(&json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }));
    let once = with(ping(), "mcp-session-id", &[&session]);
    assert_eq!(told(&endpoint, once).await.0, StatusCode::OK);
    let twice = with(ping(), "mcp-session-id", &[&session, &session]);
    assert_eq!(told(&endpoint, twice).await.0, StatusCode::BAD_REQUEST);
    let versions = with(ping(), "mcp-session-id", &[&session]);
    let versions = with(versions, "mcp-protocol-version", &["2025-11-25", "2025-11-25"]);
    assert_eq!(told(&endpoint, versions).await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_body_that_could_not_be_decoded_for_its_size_is_413() {
    let mut limits = Limits::default();
    limits.message.document_bytes = 2_000;
    let router = McpRouter::new().tool("echo", tool(async || "x").describe("Echoes"));
    let server = server(router).name("small").version("1").limits(limits).build().unwrap();
    let endpoint = Endpoint::new(server, HttpOptions::default()).unwrap();
    let padded = |message: &Value, length: usize| {
        let text = message.to_string();
        format!("{text}{}", " ".repeat(length - text.len()))
    };
    let list = body("tools/list", json!({}));
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-11-25", "capabilities": {} } });
    for (length, status) in [(2_000, StatusCode::OK), (2_001, StatusCode::PAYLOAD_TOO_LARGE)] {
        let new = modern("tools/list", json!({})).body(Body::from(padded(&list, length))).unwrap();
        let mut old = plain(&json!({}));
        *old.body_mut() = Body::from(padded(&initialize, length));
        for request in [new, old] {
            let (told, _, text) = told(&endpoint, request).await;
            assert_eq!(told, status, "{length}: {text}");
            let named = text.contains("body_bytes") && text.contains("limits.message.document_bytes");
            assert_eq!(named, status != StatusCode::OK, "{text}");
        }
    }
}

/// A broken body, and what breaks it.
fn undecodable() -> Vec<(&'static str, Vec<u8>)> {
    let call = |rest: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list"{rest}}}"#).into_bytes();
    let mut not_utf8 = call(r#","x":"caf"#);
    let at = not_utf8.len() - 1;
    not_utf8.splice(at.., *b"\xE9\"}");
    vec![
        ("a member twice", call(r#","id":2"#)),
        ("a member twice by an escape", call(r#","\u0069d":2"#)),
        ("a member twice, deep down", call(r#","params":{"a":[{"b":1,"b":1}]}"#)),
        ("more after the end", [call(""), call("")].concat()),
        ("a bracket too many", [call(""), b"}".to_vec()].concat()),
        ("octets that are no UTF-8", not_utf8),
        ("half of a surrogate pair", call(r#","x":"\ud83d""#)),
        ("the halves the wrong way round", call(r#","x":"\ude00\ud83d""#)),
        ("a control character", call(",\"x\":\"\u{1}\"")),
        ("an escape that does not exist", call(r#","x":"\q""#)),
        ("a number with a leading zero", call(r#","x":01"#)),
        ("no number", call(r#","x":NaN"#)),
        ("an end too soon", call("")[..20].to_vec()),
        ("nothing", Vec::new()),
    ]
}

#[tokio::test]
async fn what_is_no_json_text_is_a_parse_error_of_one_form() {
    let probe = Probe::default();
    let endpoint = Endpoint::new(sample(&probe), HttpOptions::default()).unwrap();
    for (what, text) in undecodable() {
        let mut old = plain(&json!({}));
        *old.body_mut() = Body::from(text.clone());
        let new = modern("tools/list", json!({})).body(Body::from(text)).unwrap();
        for request in [old, new] {
            let (status, media, text) = told(&endpoint, request).await;
            assert_eq!((status, &*media), (StatusCode::BAD_REQUEST, "application/json"), "{what}");
            assert_eq!(
                text, r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#,
                "{what}"
            );
        }
    }
}

#[tokio::test]
async fn the_order_of_the_checks_is_host_origin_method_type_accept_size() {
    let endpoint = endpoint(HttpOptions { body_bytes: 1_024, ..HttpOptions::default() });
    type Spoil = fn(&mut Request<Body>);
    let spoil: [(&str, Spoil, u16); 6] = [
        ("host", |request| drop(set(request, "host", "evil.example")), 403),
        ("origin", |request| drop(set(request, "origin", "http://evil.example")), 403),
        ("method", |request| *request.method_mut() = http::Method::PUT, 405),
        ("type", |request| drop(set(request, "content-type", "text/plain")), 415),
        ("accept", |request| drop(set(request, "accept", "text/html")), 406),
        ("size", |request| drop(set(request, "content-length", "9999")), 413),
    ];
    for first in 0..spoil.len() {
        for request in of_both_eras() {
            let mut request = request;
            for (_, apply, _) in &spoil[first..] {
                apply(&mut request);
            }
            let (status, _, text) = told(&endpoint, request).await;
            assert_eq!(status.as_u16(), spoil[first].2, "{}: {text}", spoil[first].0);
            assert!(spoil[first].0 != "host" || text.contains("allowed_hosts"), "{text}");
        }
    }
}

fn set(request: &mut Request<Body>, name: &'static str, value: &'static str) -> Option<HeaderValue> {
    request.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value))
}

#[tokio::test]
async fn notifications_that_nobody_knows_are_accepted_without_a_word() {
    let endpoint = endpoint(HttpOptions::default());
    let response = send(&endpoint, hello()).await;
    let session = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    for (method, params) in [
        ("notifications/stderr", json!({ "content": "x" })),
        ("$/setTrace", json!({ "value": "off" })),
        ("notifications/initialized", Value::Null),
        ("notifications/cancelled", json!({ "requestId": "of nothing" })),
    ] {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        let old = with(plain(&message), "mcp-session-id", &[&session]);
        let new = with(plain(&message), "mcp-protocol-version", &["2026-07-28"]);
        for request in [old, new] {
            let (status, _, text) = told(&endpoint, request).await;
            assert_eq!((status, &*text), (StatusCode::ACCEPTED, ""), "{method}");
        }
    }
    let list = plain(&json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/list" }));
    let (status, _, text) = told(&endpoint, with(list, "mcp-session-id", &[&session])).await;
    assert_eq!(status, StatusCode::OK);
    assert!(text.contains("\"tools\""), "{text}");
}

#[tokio::test]
async fn an_allowed_page_can_read_whatever_is_answered() {
    let endpoint = endpoint(HttpOptions::default());
    let page = "http://localhost:6274";
    let mut broken = hello();
    *broken.body_mut() = Body::from("{");
    let mut delete = hello();
    *delete.method_mut() = http::Method::DELETE;
    let unnamed = plain(&json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/list" }));
    let unacceptable = with(hello(), "accept", &["text/html"]);
    for (request, status) in [
        (hello(), 200),
        (call("echo"), 200),
        (broken, 400),
        (delete, 405),
        (unnamed, 400),
        (unacceptable, 406),
    ] {
        let response = send(&endpoint, with(request, "origin", &[page])).await;
        let headers = response.headers();
        assert_eq!(response.status().as_u16(), status);
        assert_eq!(headers["access-control-allow-origin"], page, "{status}");
        assert_eq!(headers["vary"], "Origin", "{status}");
        let exposed = headers["access-control-expose-headers"].to_str().unwrap();
        for name in ["Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate"] {
            assert!(exposed.contains(name), "{status}: {name}");
        }
    }
}
