//! What guards a route guards the call of an agent.

use crate::world::{call, faults, fetch, world, world_with};
use async_trait::async_trait;
use axum::{
    Json,
    extract::{FromRequestParts, Path, Query, Request},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
};
use http::{HeaderName, Method, StatusCode, header, request::Parts};
use mcp_server::{
    Principal,
    auth::{Verifier, VerifyError},
    http::HttpOptions,
    routes::{DescribeInput, Expose, Headers, Inputs, Parameter, RouteOptions, Routes, by_hand, delete, get},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::{collections::BTreeMap, sync::Arc};

/// An application's own way to tell who is there.
struct User(String);

impl<S: Send + Sync> FromRequestParts<S> for User {
    type Rejection = (StatusCode, &'static str);

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        match parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()) {
            Some("Bearer good") => Ok(Self("ada".into())),
            Some(_) => Err((StatusCode::FORBIDDEN, "not you")),
            None => Err((StatusCode::UNAUTHORIZED, "who are you?")),
        }
    }
}

impl DescribeInput for User {}

async fn secret(User(name): User) -> String {
    format!("hello {name}")
}

#[tokio::test]
async fn an_extractor_that_refuses_refuses_agents_too_and_credentials_are_forwarded() {
    let world = world(Routes::new().route("/secret", get(secret).tool("Tells a secret")));
    let reply = call(&world, "secret", json!({}), &[("authorization", "Bearer good")]).await;
    assert_eq!(reply.text(), "hello ada");
    let reply = call(&world, "secret", json!({}), &[("authorization", "Bearer bad")]).await;
    assert!(reply.is_error());
    assert_eq!(reply.text(), "not you");
    // Nobody asks for credentials here: the model reads that they are missing.
    let reply = call(&world, "secret", json!({}), &[]).await;
    assert_eq!((reply.status, reply.is_error(), reply.text()), (StatusCode::OK, true, "who are you?"));
    assert_eq!(fetch(&world.router, "/secret").await.status, StatusCode::UNAUTHORIZED);
}

#[derive(Debug)]
struct Anybody;

#[async_trait]
impl Verifier for Anybody {
    async fn verify(&self, token: &str) -> Result<Principal, VerifyError> {
        match token {
            "" => Err(VerifyError::Invalid),
            token => Ok(Principal::new(token)),
        }
    }
}

async fn expired() -> StatusCode {
    StatusCode::UNAUTHORIZED
}

async fn forbidden() -> (StatusCode, &'static str) {
    (StatusCode::FORBIDDEN, "not for you")
}

#[tokio::test]
async fn a_401_of_a_route_becomes_the_endpoints_challenge_where_clients_authenticate() {
    let routes = Routes::new()
        .route("/expired", get(expired).tool("Refuses").resource("app://expired", "Refuses"))
        .route("/forbidden", get(forbidden).tool("Forbids"));
    let options = HttpOptions { verifier: Some(Arc::new(Anybody)), ..HttpOptions::default() };
    let world = world_with(routes, options).unwrap();
    let token = [("authorization", "Bearer token")];
    let reply = call(&world, "expired", json!({}), &token).await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    let challenge = reply.headers[header::WWW_AUTHENTICATE].to_str().unwrap();
    assert!(challenge.starts_with("Bearer ") && challenge.contains("invalid_token"), "{challenge}");
    let read = json!({ "uri": "app://expired" });
    let reply = crate::world::post(&world.router, "/mcp", "resources/read", read, &token).await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    assert!(reply.headers.contains_key(header::WWW_AUTHENTICATE));
    // What is forbidden stays so with any other token.
    let reply = call(&world, "forbidden", json!({}), &token).await;
    assert_eq!((reply.status, reply.is_error(), reply.text()), (StatusCode::OK, true, "not for you"));
}

async fn only_with_key(request: Request, next: Next) -> Response {
    if request.headers().get("x-api-key").is_some_and(|key| key == "k") {
        return next.run(request).await;
    }
    (StatusCode::FORBIDDEN, "no key").into_response()
}

async fn erase(Path(id): Path<String>) -> String {
    format!("erased {id}")
}

#[tokio::test]
async fn a_layer_that_refuses_refuses_agents_and_the_handler_never_runs() {
    let world = world(
        Routes::new().route("/things/{id}", delete(erase).tool("Erases")).layer(from_fn(only_with_key)),
    );
    let reply = call(&world, "erase", json!({ "id": "1" }), &[]).await;
    assert_eq!((reply.is_error(), reply.text()), (true, "no key"));
    let reply = call(&world, "erase", json!({ "id": "1" }), &[("x-api-key", "k")]).await;
    assert_eq!(reply.text(), "erased 1");
}

#[tokio::test]
async fn arguments_never_become_credentials() {
    for name in [
        "authorization",
        "Cookie",
        "X-API-Key",
        "proxy-authorization",
        "host",
        "connection",
        "x-forwarded-for",
        "content-length",
        "accept-encoding",
        "range",
        "mcp-session-id",
        "Sec-Fetch-Site",
        "transfer-encoding",
    ] {
        let route = by_hand(Method::GET, expired)
            .parameter(Parameter::header::<String>(name).optional())
            .tool("Takes it");
        let told = faults(Routes::new().route("/x", route));
        assert!(told.contains(&format!("`{name}` cannot be an argument")), "{name}: {told}");
    }
    let forwarding = RouteOptions::default().forward([HeaderName::from_static("x-tenant")]);
    let route =
        || by_hand(Method::GET, expired).parameter(Parameter::header::<String>("x-tenant")).tool("Takes it");
    let told = faults(Routes::new().route("/x", route()).options(forwarding));
    assert!(
        told.contains("`x-tenant` cannot be an argument in its header fields: it is forwarded"),
        "{told}"
    );
    world(Routes::new().route("/x", route()));
    let keyed = RouteOptions::default().credential_query("api_key");
    let route =
        by_hand(Method::GET, expired).parameter(Parameter::query::<String>("api_key")).tool("Takes it");
    let told = faults(Routes::new().route("/x", route).options(keyed));
    assert!(told.contains("`api_key` cannot be an argument in its query: it carries credentials"), "{told}");
}

#[tokio::test]
async fn credentials_injected_as_arguments_reach_nothing() {
    let world = world(Routes::new().route("/secret", get(secret).tool("Tells a secret")));
    for arguments in [
        json!({ "authorization": "Bearer good" }),
        json!({ "headers": { "authorization": "Bearer good" } }),
        json!({ "Authorization": "Bearer good" }),
        json!({ "body": { "authorization": "Bearer good" } }),
    ] {
        let reply = call(&world, "secret", arguments, &[]).await;
        assert!(reply.is_error() && !reply.text().contains("hello"), "{reply:?}");
    }
}

async fn any_fields(Headers(fields): Headers<BTreeMap<String, String>>) -> Json<BTreeMap<String, String>> {
    Json(fields)
}

async fn any_keys(Query(keys): Query<BTreeMap<String, String>>) -> Json<BTreeMap<String, String>> {
    Json(keys)
}

#[tokio::test]
async fn parameters_of_any_name_are_no_way_in_for_credentials() {
    let options = RouteOptions::default().credential_query("api_key").credential_header("X-Secret");
    let world = world(
        Routes::new()
            .route("/fields", get(any_fields).tool("Takes any header field"))
            .route("/keys", get(any_keys).tool("Takes any key"))
            .options(options),
    );
    for name in [
        "authorization",
        "Authorization",
        "cookie",
        "x-api-key",
        "x-secret",
        "x-auth-token",
        "host",
        "content-length",
        "content-type",
        "transfer-encoding",
        "x-forwarded-for",
        "x-forwarded-user",
        "x-remote-user",
        "mcp-session-id",
        "sec-fetch-site",
        "two words",
    ] {
        let reply = call(&world, "any_fields", json!({ "x-fine": "1", name: "agent" }), &[]).await;
        assert!(reply.is_error() && reply.text().contains(&format!("`{name}` cannot be")), "{reply:?}");
    }
    let reply =
        call(&world, "any_fields", json!({ "x-fine": "1" }), &[("authorization", "Bearer own")]).await;
    let fields = &reply.result()["structuredContent"];
    assert_eq!((&fields["x-fine"], &fields["authorization"]), (&json!("1"), &json!("Bearer own")));
    let reply = call(&world, "any_keys", json!({ "api_key": "agent" }), &[]).await;
    assert!(reply.is_error() && reply.text().contains("`api_key` cannot be"), "{reply:?}");
    let reply = call(&world, "any_keys", json!({ "page": "2" }), &[]).await;
    assert_eq!(reply.result()["structuredContent"], json!({ "page": "2" }));
}

async fn file(Path(path): Path<String>) -> String {
    format!("file {path}")
}

async fn public() -> &'static str {
    "public"
}

async fn admin() -> &'static str {
    "admin"
}

#[tokio::test]
async fn a_value_never_leaves_its_place_in_the_path() {
    let world = world(
        Routes::new()
            .route("/files/{name}", get(file).tool(Expose::new("Reads").name("file")))
            .route("/trees/{*path}", get(file).tool(Expose::new("Reads").name("tree")))
            .route("/admin", get(admin))
            .route("/files", get(public)),
    );
    for value in ["../admin", "..%2fadmin", "a/../../admin", "?x=1", "#x", "%2e%2e/admin", "\u{0}", "a\r\nb"]
    {
        let reply = call(&world, "file", json!({ "name": value }), &[]).await;
        assert_eq!(reply.text(), format!("file {value}"), "{value:?}");
    }
    for value in ["", ".", ".."] {
        let reply = call(&world, "file", json!({ "name": value }), &[]).await;
        assert!(reply.is_error() && reply.text().contains("`name`"), "{value:?}: {reply:?}");
    }
    for value in ["a/../b", "../admin", "a//b", "/etc", "a/./b", "a/.."] {
        let reply = call(&world, "tree", json!({ "path": value }), &[]).await;
        assert!(reply.is_error() && reply.text().contains("`path`"), "{value:?}: {reply:?}");
    }
    assert_eq!(
        call(&world, "tree", json!({ "path": "a/b c%2F..%2F/d" }), &[]).await.text(),
        "file a/b c%2F..%2F/d"
    );
}

#[derive(Deserialize, JsonSchema)]
struct Filter {
    #[serde(rename = "x-filter")]
    filter: String,
}

async fn filtered(Headers(filter): Headers<Filter>) -> Json<String> {
    Json(filter.filter)
}

#[tokio::test]
async fn a_header_field_cannot_be_split() {
    let world = world(Routes::new().route("/filtered", get(filtered).tool("Filters")));
    for value in ["a\r\nx-admin: 1", "a\nb", "a\u{0}b"] {
        let reply = call(&world, "filtered", json!({ "x-filter": value }), &[]).await;
        assert!(reply.is_error() && reply.text().contains("`x-filter`"), "{value:?}: {reply:?}");
    }
}

/// An extractor that publishes what it reads.
struct Paging(u32);

#[derive(Deserialize)]
struct RawPaging {
    page: Option<u32>,
}

impl<S: Send + Sync> FromRequestParts<S> for Paging {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let Query(raw) = Query::<RawPaging>::from_request_parts(parts, state)
            .await
            .map_err(IntoResponse::into_response)?;
        Ok(Self(raw.page.unwrap_or(1)))
    }
}

impl DescribeInput for Paging {
    fn describe(inputs: &mut Inputs) {
        inputs.add(Parameter::query::<u32>("page").describe("Which page, from 1").example(2).optional());
    }
}

async fn pages(Paging(page): Paging) -> String {
    page.to_string()
}

#[tokio::test]
async fn an_extractor_of_the_applications_own_publishes_its_parameters() {
    let world = world(Routes::new().route("/pages", get(pages).tool("Pages")));
    assert_eq!(call(&world, "pages", json!({ "page": 4 }), &[]).await.text(), "4");
    assert_eq!(call(&world, "pages", json!({}), &[]).await.text(), "1");
    let schema = &crate::world::listed(&world, "pages").await["inputSchema"];
    assert_eq!(schema["properties"]["page"]["description"], "Which page, from 1");
    assert_eq!(schema["properties"]["page"]["examples"], json!([2]));
    assert_eq!(schema["required"], serde_json::Value::Null);
}
