//! Bearer tokens.

use crate::request::{answer, call, endpoint, send};
use axum::body::Body;
use http::{Request, StatusCode};
use mcp_auth::{StaticTokens, Verifier};
use mcp_transport_http::{Endpoint, HttpOptions};
use std::sync::Arc;

pub(crate) fn tokens() -> Arc<dyn Verifier> {
    Arc::new(StaticTokens::parse("a-long-enough-token-1 alice read\nanother-long-token-22 bob\n").unwrap())
}

fn guarded() -> Endpoint {
    endpoint(HttpOptions { verifier: Some(tokens()), ..HttpOptions::default() })
}

fn with_token(tool: &str, credentials: &str) -> Request<Body> {
    let mut request = call(tool);
    request.headers_mut().insert("authorization", credentials.parse().unwrap());
    request
}

#[tokio::test]
async fn no_credentials_get_a_challenge_without_an_error_before_the_body_is_read() {
    let mut request = call("echo");
    *request.body_mut() = Body::from("{");
    let response = send(&guarded(), request).await;
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(response.headers()["www-authenticate"], "Bearer");
}

#[tokio::test]
async fn a_wrong_token_is_invalid_and_other_schemes_count_as_none() {
    let response = send(&guarded(), with_token("echo", "Bearer nonsense")).await;
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert!(response.headers()["www-authenticate"].to_str().unwrap().contains("error=\"invalid_token\""));
    let response = send(&guarded(), with_token("echo", "Basic YTpi")).await;
    assert_eq!(
        (response.status(), &response.headers()["www-authenticate"]),
        (StatusCode::UNAUTHORIZED, &"Bearer".parse().unwrap())
    );
    let mut in_query = call("echo");
    *in_query.uri_mut() = "/mcp?access_token=a-long-enough-token-1".parse().unwrap();
    assert_eq!(send(&guarded(), in_query).await.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_principal_reaches_the_handler_and_belongs_to_its_request() {
    let endpoint = guarded();
    for (credentials, subject) in
        [("Bearer a-long-enough-token-1", "alice"), ("bearer another-long-token-22", "bob")]
    {
        let (status, body) = answer(&endpoint, with_token("whoami", credentials)).await;
        assert_eq!(
            (status, &body["result"]["structuredContent"]),
            (StatusCode::OK, &serde_json::json!(subject))
        );
    }
}

#[tokio::test]
async fn lacking_scopes_become_a_challenge_only_where_there_is_authorization() {
    let response = send(&guarded(), with_token("forbidden", "Bearer a-long-enough-token-1")).await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    let challenge = response.headers()["www-authenticate"].to_str().unwrap();
    assert!(challenge.contains("error=\"insufficient_scope\"") && challenge.contains("scope=\"read write\""));
    let (status, body) = answer(&endpoint(HttpOptions::default()), call("forbidden")).await;
    assert_eq!((status, body["error"]["code"].as_i64()), (StatusCode::OK, Some(-32602)));
}
