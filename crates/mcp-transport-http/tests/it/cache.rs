//! What HTTP caches are told, and lists in pages over HTTP.

use crate::request::{answer, body, modern, send};
use axum::body::Body;
use http::{HeaderMap, Request, StatusCode};
use mcp_auth::StaticTokens;
use mcp_core::{context::Context, page::Lists, registry::McpRouter, server::ServerBuilder, view::Listed};
use mcp_server::{ProtocolError, resource, server, tool};
use mcp_transport_http::{Endpoint, HttpOptions};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

fn builder() -> ServerBuilder {
    let router = McpRouter::new()
        .tool("one", tool(async || "x").describe("T"))
        .tool("two", tool(async || "x").describe("T"))
        .resource("test://own", resource(async || "x"))
        .resource(
            "test://shared",
            resource(async || "x").fresh_for(Duration::from_secs(60)).same_for_everyone(),
        )
        .resource("test://fails", resource(async || Err::<&str, _>(ProtocolError::internal())));
    server(router).name("cached").version("1")
}

fn endpoint(builder: ServerBuilder, options: HttpOptions) -> Endpoint {
    Endpoint::new(builder.build().unwrap(), options).unwrap()
}

fn request(method: &str, params: Value) -> Request<Body> {
    let message = body(method, params.clone());
    modern(method, params).body(Body::from(message.to_string())).unwrap()
}

/// `Cache-Control`, and whether `Vary` names `Authorization`.
fn told(headers: &HeaderMap) -> (Option<&str>, bool) {
    let vary = headers.get_all("vary").iter().any(|value| value.to_str().unwrap().contains("Authorization"));
    (headers.get("cache-control").map(|value| value.to_str().unwrap()), vary)
}

#[tokio::test]
async fn no_cache_keeps_a_message_and_what_is_one_callers_says_so() {
    let open = endpoint(builder(), HttpOptions::default());
    let verifier = Arc::new(StaticTokens::parse("a-long-enough-token-1 alice read\n").unwrap());
    let guarded = endpoint(builder(), HttpOptions { verifier: Some(verifier), ..HttpOptions::default() });
    for (method, params, anyones) in [
        ("tools/list", json!({}), true),
        ("server/discover", json!({}), true),
        ("resources/read", json!({ "uri": "test://own" }), false),
        ("resources/read", json!({ "uri": "test://shared" }), true),
    ] {
        let response = send(&open, request(method, params.clone())).await;
        let expected = if anyones { (Some("no-store"), false) } else { (Some("private, no-store"), true) };
        assert_eq!(told(response.headers()), expected, "{method} {params}");
        let mut request = request(method, params.clone());
        request.headers_mut().insert("authorization", "Bearer a-long-enough-token-1".parse().unwrap());
        let response = send(&guarded, request).await;
        let shared = params["uri"] == "test://shared";
        let expected = if shared { (Some("no-store"), false) } else { (Some("private, no-store"), true) };
        assert_eq!(told(response.headers()), expected, "{method} {params}");
    }
    for (method, params) in [
        ("tools/call", json!({ "name": "one" })),
        ("resources/read", json!({ "uri": "test://fails" })),
        ("tools/list", json!({ "cursor": "bad" })),
    ] {
        let response = send(&open, request(method, params)).await;
        assert_eq!(told(response.headers()), (None, false), "{method} says nothing of reuse");
    }
}

#[tokio::test]
async fn a_failing_policy_is_an_internal_error_without_hints() {
    let lists = Lists::default()
        .tool_filter(|_: Context, _: Listed| async { Err::<bool, _>(std::io::Error::other("secret")) });
    let endpoint = endpoint(builder().lists(lists), HttpOptions::default());
    let response = send(&endpoint, request("tools/list", json!({}))).await;
    assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(told(response.headers()), (None, false));
    let (_, body) = answer(&endpoint, request("tools/list", json!({}))).await;
    assert_eq!(body["error"], json!({ "code": -32603, "message": "Internal error" }));
}

#[tokio::test]
async fn a_list_comes_in_pages_over_http() {
    let endpoint = endpoint(builder().lists(Lists::default().page_size(1)), HttpOptions::default());
    let (status, first) = answer(&endpoint, request("tools/list", json!({}))).await;
    assert_eq!((status, &first["result"]["tools"][0]["name"]), (StatusCode::OK, &json!("one")));
    let next = json!({ "cursor": first["result"]["nextCursor"] });
    let (_, second) = answer(&endpoint, request("tools/list", next)).await;
    assert_eq!(second["result"]["tools"][0]["name"], "two");
    assert!(second["result"].get("nextCursor").is_none(), "{second}");
    let (status, refused) = answer(&endpoint, request("tools/list", json!({ "cursor": "" }))).await;
    assert_eq!((status, &refused["error"]["code"]), (StatusCode::OK, &json!(-32602)));
}
