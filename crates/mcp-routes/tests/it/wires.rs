//! Routed calls on every wire: sessions, batches, tasks, HTTP+SSE, event streams.

use crate::world::{Reply, post as post_modern, send, world, world_with};
use axum::{
    body::Body,
    extract::{ConnectInfo, Path, Query},
    middleware::{Next, from_fn},
};
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt;
use mcp_server::{
    Client, Principal, Progress, ProtocolVersion, TaskSupport,
    auth::{Verifier, VerifyError},
    http::{HttpOptions, LegacySse},
    routes::{AgentCall, Expose, Mounted, Routes, get},
    server,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{collections::BTreeMap, net::SocketAddr, sync::Arc};
use tower::ServiceExt;

#[derive(Debug)]
struct Anybody;

#[async_trait::async_trait]
impl Verifier for Anybody {
    async fn verify(&self, token: &str) -> Result<Principal, VerifyError> {
        Ok(Principal::new(token))
    }
}

async fn whoami(agent: AgentCall, headers: HeaderMap) -> String {
    let who = agent.context().and_then(|context| context.principal()).map(|who| who.subject().to_owned());
    format!("{who:?} {:?}", headers.get(header::AUTHORIZATION))
}

async fn expired() -> StatusCode {
    StatusCode::UNAUTHORIZED
}

const SEEN: &str = "Some(\"ada\") Some(\"Bearer ada\")";
const REFUSED: &str = "the credentials were refused; authenticate again";

fn app() -> Mounted {
    let tasks = |text: &str| Expose::new(text).with(|tool| tool.task_support(TaskSupport::Optional));
    let routes = Routes::new()
        .route("/me", get(whoami).tool(tasks("Names the caller")))
        .route("/expired", get(expired).tool(tasks("Refuses")))
        .prompt("refused", expired, "Refuses");
    let options = HttpOptions {
        verifier: Some(Arc::new(Anybody)),
        legacy_sse: Some(LegacySse::default()),
        ..HttpOptions::default()
    };
    world_with(routes, options).unwrap()
}

async fn post(world: &Mounted, path: &str, fields: &[(&str, &str)], message: Value) -> Reply {
    let mut request = Request::post(path)
        .header(header::HOST, "127.0.0.1")
        .header(header::AUTHORIZATION, "Bearer ada")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream");
    for (name, value) in fields {
        request = request.header(*name, *value);
    }
    send(&world.router, request.body(Body::from(message.to_string())).unwrap()).await
}

fn initialize(version: &str) -> Value {
    let capabilities = json!({ "tasks": { "requests": { "tools": { "call": {} } } } });
    let params = json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "clientInfo": { "name": "test", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
}

fn request(id: u32, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// Begins a session; gives the header fields of its messages.
async fn session(world: &Mounted, version: &'static str) -> [(&'static str, String); 2] {
    let reply = post(world, "/mcp", &[], initialize(version)).await;
    let id = reply.headers["mcp-session-id"].to_str().unwrap().to_owned();
    let fields = [("mcp-protocol-version", version.to_owned()), ("mcp-session-id", id)];
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    in_session(world, &fields, initialized).await;
    fields
}

async fn in_session(world: &Mounted, fields: &[(&'static str, String)], message: Value) -> Reply {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    post(world, "/mcp", &fields, message).await
}

#[tokio::test]
async fn a_401_challenges_in_a_session_and_for_a_prompt() {
    let world = app();
    let session = session(&world, "2025-11-25").await;
    let expired = request(2, "tools/call", json!({ "name": "expired", "arguments": {} }));
    let prompt = request(3, "prompts/get", json!({ "name": "refused" }));
    for message in [expired, prompt] {
        let reply = in_session(&world, &session, message).await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{reply:?}");
        assert!(reply.headers.contains_key(header::WWW_AUTHENTICATE));
    }
    let me = request(4, "tools/call", json!({ "name": "whoami", "arguments": {} }));
    assert_eq!(in_session(&world, &session, me).await.text(), SEEN);
}

#[tokio::test]
async fn a_401_in_a_batch_is_the_error_of_its_own_call() {
    let world = app();
    let session = session(&world, "2025-03-26").await;
    let batch = json!([
        request(2, "tools/call", json!({ "name": "expired", "arguments": {} })),
        request(3, "tools/call", json!({ "name": "whoami", "arguments": {} })),
    ]);
    let reply = in_session(&world, &session, batch).await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.body[0]["error"]["message"], REFUSED);
    assert_eq!(reply.body[1]["result"]["content"][0]["text"], SEEN);
}

#[tokio::test]
async fn a_task_runs_its_route_with_the_credentials_of_the_call_and_ends_with_its_401() {
    let world = app();
    let session = session(&world, "2025-11-25").await;
    let run = async |name: &str| {
        let params = json!({ "name": name, "arguments": {}, "task": { "ttl": 60_000 } });
        let reply = in_session(&world, &session, request(2, "tools/call", params)).await;
        let id = reply.result()["task"]["taskId"].clone();
        in_session(&world, &session, request(3, "tasks/result", json!({ "taskId": id }))).await
    };
    assert_eq!(run("whoami").await.text(), SEEN);
    let reply = run("expired").await;
    assert_eq!((reply.status, &reply.body["error"]["message"]), (StatusCode::OK, &json!(REFUSED)));
}

#[tokio::test]
async fn over_http_sse_a_route_meets_the_header_fields_of_the_message() {
    let world = app();
    let opening = Request::get("/sse")
        .header(header::HOST, "127.0.0.1")
        .header(header::ACCEPT, "text/event-stream")
        .header(header::AUTHORIZATION, "Bearer ada");
    let opened = world.router.clone().oneshot(opening.body(Body::empty()).unwrap()).await.unwrap();
    let mut stream = opened.into_body();
    let mut next = async || {
        let frame = stream.frame().await.unwrap().unwrap().into_data().unwrap();
        let text = String::from_utf8(frame.to_vec()).unwrap();
        text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap_or_default().to_owned()
    };
    let path = format!("/{}", next().await);
    post(&world, &path, &[], initialize("2024-11-05")).await;
    next().await;
    post(&world, &path, &[], json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    // Nothing can challenge on this wire, where each message is answered before it is handled: the model reads it.
    for (name, expected) in [("whoami", SEEN), ("expired", "401 Unauthorized")] {
        let message = request(2, "tools/call", json!({ "name": name, "arguments": {} }));
        post(&world, &path, &[], message).await;
        let reply: Value = serde_json::from_str(&next().await).unwrap();
        assert_eq!(reply["result"]["content"][0]["text"], expected, "{reply}");
    }
}

async fn address(ConnectInfo(address): ConnectInfo<SocketAddr>) -> String {
    address.to_string()
}

#[tokio::test]
async fn the_address_of_the_client_reaches_the_route() {
    let mut world = world(Routes::new().route("/address", get(address).tool("Tells the address")));
    world.router = world.router.layer(from_fn(async |mut request: axum::extract::Request, next: Next| {
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([192, 0, 2, 7], 443))));
        next.run(request).await
    }));
    assert_eq!(crate::world::call(&world, "address", json!({}), &[]).await.text(), "192.0.2.7:443");
}

async fn slow(agent: AgentCall) -> &'static str {
    if let Some(progress) = agent.context().map(Progress::from) {
        progress.report_with(1.0, 2.0, "half");
    }
    tokio::task::yield_now().await;
    "done"
}

#[tokio::test]
async fn a_route_reports_progress_to_the_agent_that_waits_for_it() {
    let world = world(Routes::new().route("/slow", get(slow).tool("Takes its time")));
    let fields = [("mcp-protocol-version", "2025-11-25")];
    let reply = post(&world, "/mcp", &fields, initialize("2025-11-25")).await;
    let id = reply.headers["mcp-session-id"].to_str().unwrap().to_owned();
    let fields = [fields[0], ("mcp-session-id", &id)];
    let params = json!({ "name": "slow", "arguments": {}, "_meta": { "progressToken": "p" } });
    let reply = post(&world, "/mcp", &fields, request(2, "tools/call", params)).await;
    let stream = reply.body.as_str().unwrap();
    assert!(stream.contains("notifications/progress") && stream.contains("half"), "{stream}");
    assert!(stream.contains("done"), "{stream}");
    // Without a token there is nothing to report to.
    let params = json!({ "name": "slow", "arguments": {} });
    let reply = post_modern(&world.router, "/mcp", "tools/call", params, &[]).await;
    assert_eq!(reply.text(), "done");
}

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

async fn greet(agent: AgentCall) -> Result<String, String> {
    let client = agent.context().map(Client::from).ok_or("nobody calls")?;
    let asked = client.elicit::<Name>("name", "Who are you?").await.map_err(|error| error.to_string())?;
    Ok(asked.accepted().map_or("nobody".into(), |answer| format!("hello {}", answer.name)))
}

#[tokio::test]
async fn a_route_asks_the_user_in_both_eras() {
    let world = world(Routes::new().route("/greet", get(greet).tool("Greets")));
    for version in [ProtocolVersion::LATEST, ProtocolVersion::V2025_11_25] {
        let client = world
            .server()
            .client(version)
            .with_capabilities(json!({ "elicitation": { "form": {} } }))
            .answering(|_| json!({ "action": "accept", "content": { "name": "Ada" } }))
            .live();
        assert_eq!(client.call_tool("greet", json!({})).await.text(), "hello Ada", "{version}");
    }
}

#[derive(Deserialize, JsonSchema)]
struct Room {
    room_id: String,
}

async fn state(Path(room): Path<Room>, Query(_): Query<BTreeMap<String, String>>) -> String {
    format!("state of {}", room.room_id)
}

#[tokio::test]
async fn where_no_url_binds_a_parameter_no_argument_takes_its_place() {
    let room = Routes::new().route("/state", get(state).tool("Tells the state")).endpoint();
    let endpoint = Routes::new().nest("/rooms/{room_id}", room).with_state(()).endpoints.remove(0);
    let server = server(endpoint.tools).name("room").version("1.0.0").build().unwrap();
    // Neither stdio nor a call in process has a URL.
    let client = server.client(ProtocolVersion::LATEST);
    let answer = client.call_tool("state", json!({})).await;
    assert_eq!((answer.is_error(), answer.text()), (true, "`room_id` is missing"));
    // A route that takes any argument does not take this one.
    let answer = client.call_tool("state", json!({ "room_id": "hall" })).await;
    assert!(answer.is_error(), "{answer:?}");
    assert!(answer.text().contains("`room_id` is bound by the URL of the endpoint"), "{answer:?}");
}
