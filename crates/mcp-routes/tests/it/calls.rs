//! Calls of tools as requests through the application.

use crate::world::{call, fetch, world};
use axum::{
    Extension, Form, Json,
    extract::{MatchedPath, Path, Query, Request},
    middleware::{Next, from_fn},
    response::Response,
};
use http::{HeaderMap, Method, StatusCode};
use mcp_server::{
    Context, Meta, Principal, TaskSupport,
    routes::{AgentCall, Expose, Headers, Parameter, Routes, by_hand, delete, get, patch, post, put},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
struct Search {
    /// What to look for
    text: String,
    limit: Option<u8>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Order {
    item: String,
    count: u64,
    note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Locale {
    #[serde(rename = "accept-language")]
    language: Option<String>,
}

async fn echo_path(Path((room, seat)): Path<(String, u32)>) -> String {
    format!("{room}|{seat}")
}

async fn echo_query(Query(search): Query<Search>) -> String {
    format!("{}|{:?}", search.text, search.limit)
}

async fn echo_json(Json(order): Json<Order>) -> Json<Order> {
    Json(order)
}

async fn echo_form(Form(order): Form<Order>) -> Json<Order> {
    Json(order)
}

async fn echo_text(body: String) -> String {
    body
}

async fn echo_headers(Headers(locale): Headers<Locale>) -> String {
    locale.language.unwrap_or_default()
}

#[tokio::test]
async fn path_query_headers_and_body_arrive_where_they_belong() {
    let world = world(
        Routes::new()
            .route("/rooms/{room}/seats/{seat}", get(echo_path).tool("Echoes the path"))
            .route("/search", get(echo_query).tool("Echoes the query"))
            .route("/orders", post(echo_json).tool("Echoes the body"))
            .route("/forms", put(echo_form).tool("Echoes the form"))
            .route("/texts", post(echo_text).tool("Echoes the text"))
            .route("/headers", get(echo_headers).tool("Echoes a header field")),
    );
    let reply = call(&world, "echo_path", json!({ "room": "a b/c?d", "seat": 7 }), &[]).await;
    assert_eq!(reply.text(), "a b/c?d|7");
    let reply = call(&world, "echo_query", json!({ "text": "a&b=c+d e", "limit": 3 }), &[]).await;
    assert_eq!(reply.text(), "a&b=c+d e|Some(3)");
    let reply = call(&world, "echo_query", json!({ "text": "x" }), &[]).await;
    assert_eq!(reply.text(), "x|None");
    let order = json!({ "item": "tea", "count": 9_007_199_254_740_993_u64, "note": null });
    let reply = call(&world, "echo_json", json!({ "body": order }), &[]).await;
    assert_eq!(reply.result()["structuredContent"], order);
    let reply = call(&world, "echo_form", json!({ "body": { "item": "a&b", "count": 2 } }), &[]).await;
    assert_eq!(reply.result()["structuredContent"], json!({ "item": "a&b", "count": 2, "note": null }));
    let reply = call(&world, "echo_text", json!({ "body": "naïve text" }), &[]).await;
    assert_eq!(reply.text(), "naïve text");
    let reply = call(&world, "echo_headers", json!({ "accept-language": "de" }), &[]).await;
    assert_eq!(reply.text(), "de");
}

async fn seen(request: Request) -> Json<Value> {
    let headers: Vec<String> = request.headers().keys().map(|name| name.as_str().to_owned()).collect();
    Json(json!({
        "method": request.method().as_str(),
        "uri": request.uri().to_string(),
        "matched": request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned()),
        "agent": request.extensions().get::<AgentCall>().is_some(),
        "headers": headers,
        "host": request.headers().get("host").and_then(|host| host.to_str().ok()),
    }))
}

#[tokio::test]
async fn the_request_has_the_routes_own_method_url_and_pattern_and_says_it_is_an_agents() {
    let routes = Routes::new()
        .route("/things/{id}", by_hand(Method::PATCH, seen).returns::<Value>().tool("Tells what it sees"));
    let world = world(routes);
    let headers = [
        ("accept-encoding", "gzip"),
        ("range", "bytes=0-1"),
        ("if-none-match", "\"x\""),
        ("authorization", "Bearer abc"),
        ("x-other", "1"),
    ];
    let reply = call(&world, "seen", json!({ "id": "7 8" }), &headers).await;
    let seen = &reply.result()["structuredContent"];
    assert_eq!(seen["method"], "PATCH");
    assert_eq!(seen["uri"], "/things/7%208");
    assert_eq!(seen["matched"], "/things/{id}");
    assert_eq!(seen["agent"], true);
    assert_eq!(seen["host"], "127.0.0.1", "the one that the endpoint was asked at");
    let names: Vec<&str> =
        seen["headers"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert!(names.contains(&"authorization"));
    for name in ["accept-encoding", "range", "if-none-match", "x-other", "mcp-method", "upgrade"] {
        assert!(!names.contains(&name), "{name} went through: {names:?}");
    }
}

async fn whoami(agent: Option<AgentCall>, principal: Option<Extension<Arc<Principal>>>) -> String {
    format!("{} {}", agent.is_some(), principal.map_or("nobody".into(), |who| who.0.subject().to_owned()))
}

async fn sign_in(mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Principal::new("outer"));
    next.run(request).await
}

#[tokio::test]
async fn the_principal_of_the_endpoint_reaches_the_route_and_layers_around_the_application_do_not_run_again()
{
    let mut world = world(Routes::new().route("/me", get(whoami).tool("Names the caller")));
    let reply = call(&world, "whoami", json!({}), &[]).await;
    assert_eq!(reply.text(), "true nobody");
    world.router = world.router.layer(from_fn(sign_in));
    let reply = call(&world, "whoami", json!({}), &[]).await;
    assert_eq!(reply.text(), "true outer");
    // A person comes through the layer, which says another type.
    assert_eq!(fetch(&world.router, "/me").await.body, "false nobody");
}

#[derive(Clone)]
struct Stamp(&'static str);

async fn stamp(agent: Option<AgentCall>, request: Request, next: Next) -> Response {
    if let Some(context) = agent.as_ref().and_then(AgentCall::context) {
        context.put_scratch(Stamp("from the layer"));
    }
    let mut response = next.run(request).await;
    response.headers_mut().insert("x-layer", "ran".parse().unwrap());
    response
}

async fn stamped(agent: AgentCall) -> String {
    agent.context().and_then(Context::scratch::<Stamp>).map_or("nothing", |stamp| stamp.0).to_owned()
}

#[tokio::test]
async fn layers_of_the_routes_run_before_and_after_and_share_the_calls_state() {
    let world = world(
        Routes::new().route("/stamp", get(stamped).tool("Tells the stamp")).layer(from_fn(stamp)).envelope(),
    );
    let reply = call(&world, "stamped", json!({}), &[]).await;
    let envelope = &reply.result()["structuredContent"];
    assert_eq!(envelope["body"], "from the layer");
    assert_eq!(envelope["headers"]["x-layer"], "ran");
    // Agents only: everyone else finds nothing there.
    assert_eq!(fetch(&world.router, "/stamp").await.status, StatusCode::NOT_FOUND);
}

async fn tags(headers: HeaderMap, uri: http::Uri) -> String {
    format!("{}|{}", uri.query().unwrap_or_default(), headers.contains_key("content-type"))
}

#[tokio::test]
async fn arrays_repeat_in_the_query_and_what_is_fixed_stands_above_what_is_sent() {
    let route = by_hand(Method::GET, tags)
        .parameter(Parameter::query::<Vec<String>>("tag"))
        .parameter(Parameter::query::<u8>("page").optional())
        .parameter(Parameter::query::<String>("secret").optional())
        .tool(Expose::new("Tells tags").fixed("secret", "s3").default_value("page", 1));
    let world = world(Routes::new().route("/tags", route));
    let reply = call(&world, "tags", json!({ "tag": ["a b", "c"] }), &[]).await;
    assert_eq!(reply.text(), "tag=a+b&tag=c&page=1&secret=s3|false");
    let reply = call(&world, "tags", json!({ "tag": ["a"], "page": 2 }), &[]).await;
    assert_eq!(reply.text(), "tag=a&page=2&secret=s3|false");
    let refused = call(&world, "tags", json!({ "tag": ["a"], "secret": "mine" }), &[]).await;
    assert!(refused.is_error());
}

async fn nothing() -> StatusCode {
    StatusCode::NO_CONTENT
}

async fn panics() -> &'static str {
    panic!("a secret")
}

#[tokio::test]
async fn a_panic_costs_its_own_call_and_tells_nothing() {
    let world = world(
        Routes::new().route("/a", delete(nothing).tool("Removes")).route("/b", patch(panics).tool("Panics")),
    );
    let reply = call(&world, "panics", json!({}), &[]).await;
    assert!(!reply.body.to_string().contains("secret"), "{reply:?}");
    let reply = call(&world, "nothing", json!({}), &[]).await;
    assert!(!reply.is_error());
}

async fn refuse(_: Request, _: Next) -> StatusCode {
    StatusCode::FORBIDDEN
}

async fn note(request: Request, next: Next, name: &'static str) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().append("x-order", name.parse().unwrap());
    response
}

#[tokio::test]
async fn layers_run_from_the_outermost_group_to_the_route() {
    let layer = |name: &'static str| from_fn(move |request, next| note(request, next, name));
    let inner = Routes::new()
        .name("inner")
        .route("/it", get(nothing).layer(layer("route")).tool(Expose::new("Answers").envelope()))
        .layer(layer("inner"));
    let world = world(Routes::new().nest("/inner", inner).layer(layer("outer")));
    let reply = call(&world, "inner_nothing", json!({}), &[]).await;
    assert_eq!(reply.result()["structuredContent"]["headers"]["x-order"], "route, inner, outer");
}

#[tokio::test]
async fn an_endpoint_can_lie_outside_of_a_layer_around_the_application() {
    let mut world = world(Routes::new().route("/it", delete(nothing).tool("Removes")));
    world.router = world.application.clone().layer(from_fn(refuse)).merge(world.endpoint.routes());
    assert_eq!(fetch(&world.router, "/it").await.status, StatusCode::FORBIDDEN);
    assert!(!call(&world, "nothing", json!({}), &[]).await.is_error());
    // Around the finished router it is in the way of agents, too.
    world.router = world.router.layer(from_fn(refuse));
    assert_eq!(call(&world, "nothing", json!({}), &[]).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn title_meta_and_task_support_are_those_of_a_tool() {
    let meta: Meta = serde_json::from_value(json!({ "example.com/team": "a" })).unwrap();
    let expose = Expose::new("Removes")
        .title("Remove it")
        .meta(meta)
        .with(|tool| tool.task_support(TaskSupport::Required));
    let world = world(Routes::new().route("/it", delete(nothing).tool(expose)));
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" },
    } });
    let reply = crate::world::post_handshake(&world.router, "/mcp", message, None).await;
    let session = reply.headers["mcp-session-id"].to_str().unwrap().to_owned();
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let reply = crate::world::post_handshake(&world.router, "/mcp", list, Some(&session)).await;
    let tool = &reply.result()["tools"][0];
    assert_eq!((&tool["title"], &tool["_meta"]), (&json!("Remove it"), &json!({ "example.com/team": "a" })));
    assert_eq!(tool["execution"], json!({ "taskSupport": "required" }));
}
