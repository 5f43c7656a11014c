//! Groups of routes: names, mounts, endpoints of their own.

use crate::world::{call, call_at, faults, fetch, listed, post as send, post_handshake, world, world_with};
use axum::{
    extract::{Path, Query, Request},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
};
use http::{StatusCode, header};
use mcp_server::{
    Icon, McpRouter, Principal,
    auth::{Verifier, VerifyError},
    http::HttpOptions,
    routes::{Expose, Mounted, Routes, get, mount, post},
    server,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

#[derive(Deserialize, JsonSchema)]
struct Room {
    room_id: String,
}

#[derive(Deserialize, JsonSchema)]
struct Switch {
    on: bool,
}

#[derive(Deserialize, JsonSchema)]
struct Topic {
    /// What it is about
    topic: String,
}

async fn state(Path(room): Path<Room>) -> String {
    format!("state of {}", room.room_id)
}

async fn lights(Path(room): Path<Room>, Query(switch): Query<Switch>) -> String {
    format!("lights of {} {}", room.room_id, switch.on)
}

async fn greet(Path(room): Path<Room>, Query(topic): Query<Topic>) -> String {
    format!("Talk about {} in {}", topic.topic, room.room_id)
}

async fn instructions(Path(room): Path<Room>) -> Result<String, (StatusCode, String)> {
    match room.room_id.as_str() {
        "closed" => Err((StatusCode::FORBIDDEN, "the room is closed".into())),
        "locked" => Err((StatusCode::UNAUTHORIZED, String::new())),
        "broken" => panic!("a secret"),
        room => Ok(format!("You control the {room}.")),
    }
}

async fn guard(Path(room): Path<Room>, request: Request, next: Next) -> Response {
    if room.room_id == "guarded" {
        return (StatusCode::FORBIDDEN, "guarded").into_response();
    }
    next.run(request).await
}

fn room() -> Routes {
    Routes::new()
        .name("room")
        .describe("Controls a room")
        .tag("rooms")
        .route("/state", get(state).tool("Tells the state"))
        .route("/lights", post(lights).tool("Switches the lights"))
        .prompt("greet", greet, "Greets")
        .instructions_from(instructions)
        .layer(from_fn(guard))
        .endpoint()
}

async fn names(world: &Mounted, path: &str, list: &str) -> Vec<String> {
    send(&world.router, path, &format!("{list}/list"), json!({}), &[]).await.names(list)
}

#[tokio::test]
async fn a_groups_endpoint_binds_the_parameters_of_its_url() {
    let world = world(Routes::new().nest("/rooms/{room_id}", room()));
    let path = "/rooms/boardroom/mcp";
    assert_eq!(names(&world, path, "tools").await, ["state", "lights"]);
    let list = send(&world.router, path, "tools/list", json!({}), &[]).await;
    assert_eq!(list.result()["tools"][0]["inputSchema"]["properties"], json!({}));
    let own: Vec<&String> =
        list.result()["tools"][1]["inputSchema"]["properties"].as_object().unwrap().keys().collect();
    assert_eq!(own, ["on"]);
    assert_eq!(call_at(&world.router, path, "state", json!({}), &[]).await.text(), "state of boardroom");
    let reply = call_at(&world.router, "/rooms/a%2Fb%20c/mcp", "lights", json!({ "on": true }), &[]).await;
    assert_eq!(reply.text(), "lights of a/b c true");
    // What the URL binds no argument changes.
    let reply = call_at(&world.router, path, "state", json!({ "room_id": "other" }), &[]).await;
    assert!(reply.is_error(), "{reply:?}");
    // The same guards.
    let reply = call_at(&world.router, "/rooms/guarded/mcp", "state", json!({}), &[]).await;
    assert_eq!((reply.is_error(), reply.text()), (true, "guarded"));
    // The main server does not have them.
    assert_eq!(names(&world, "/mcp", "tools").await, Vec::<String>::new());
    // People go on using the routes.
    assert_eq!(fetch(&world.router, "/rooms/hall/state").await.body, "state of hall");
}

#[tokio::test]
async fn in_the_main_server_a_group_is_shown_on_request_under_its_name_with_all_arguments() {
    let world = world(Routes::new().nest("/rooms/{room_id}", room().show()));
    assert_eq!(names(&world, "/mcp", "tools").await, ["room_state", "room_lights"]);
    assert_eq!(names(&world, "/mcp", "prompts").await, ["room_greet"]);
    let schema = &listed(&world, "room_lights").await["inputSchema"];
    assert_eq!(schema["required"], json!(["room_id", "on"]));
    let reply = call(&world, "room_lights", json!({ "room_id": "x/y", "on": false }), &[]).await;
    assert_eq!(reply.text(), "lights of x/y false");
}

#[tokio::test]
async fn a_resource_of_a_groups_endpoint_reads_no_other_url() {
    let room = Routes::new()
        .route("/state", get(state).tool("Tells").resource("room://{room_id}/state", "The state"))
        .endpoint();
    let world = world(Routes::new().nest("/rooms/{room_id}", room));
    let read = async |uri: &str| {
        send(&world.router, "/rooms/hall/mcp", "resources/read", json!({ "uri": uri }), &[]).await
    };
    assert_eq!(read("room://hall/state").await.result()["contents"][0]["text"], "state of hall");
    for uri in ["room://attic/state", "room://hall%2F/state", "room://HALL/state"] {
        assert_eq!(read(uri).await.body["error"]["data"]["uri"], uri);
    }
    for room in ["%ff", "%2e%2e", "..", "%00%ff"] {
        let reply = call_at(&world.router, &format!("/rooms/{room}/mcp"), "state", json!({}), &[]).await;
        assert!(reply.is_error() && reply.text().contains("`room_id`"), "{room}: {reply:?}");
    }
}

fn initialize() -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        },
    })
}

#[tokio::test]
async fn instructions_are_made_for_each_client_and_may_refuse_it_in_both_eras() {
    let world = world(Routes::new().nest("/rooms/{room_id}", room()));
    let reply = post_handshake(&world.router, "/rooms/hall/mcp", initialize(), None).await;
    assert_eq!(reply.result()["instructions"], "You control the hall.");
    assert_eq!(reply.result()["serverInfo"]["name"], "room");
    let reply = send(&world.router, "/rooms/attic/mcp", "server/discover", json!({}), &[]).await;
    assert_eq!(reply.result()["instructions"], "You control the attic.");
    assert_eq!(reply.result()["cacheScope"], "private");
    for (room, text) in [("closed", "the room is closed"), ("guarded", "guarded"), ("broken", "500")] {
        let path = format!("/rooms/{room}/mcp");
        let reply = post_handshake(&world.router, &path, initialize(), None).await;
        assert!(reply.body["error"]["message"].as_str().is_some(), "{room}: {reply:?}");
        assert!(reply.headers.get("mcp-session-id").is_none());
        assert!(room == "broken" || reply.body.to_string().contains(text), "{room}: {reply:?}");
        assert!(!reply.body.to_string().contains("secret"));
        let reply = send(&world.router, &path, "server/discover", json!({}), &[]).await;
        assert!(reply.body["error"].is_object(), "{room}: {reply:?}");
    }
}

#[derive(Debug)]
struct Anybody;

#[async_trait::async_trait]
impl Verifier for Anybody {
    async fn verify(&self, token: &str) -> Result<Principal, VerifyError> {
        Ok(Principal::new(token))
    }
}

#[tokio::test]
async fn instructions_that_answer_401_challenge_the_client() {
    let options = HttpOptions { verifier: Some(Arc::new(Anybody)), ..HttpOptions::default() };
    let world = world_with(Routes::new().nest("/rooms/{room_id}", room()), options).unwrap();
    let token = [("authorization", "Bearer t")];
    let reply = send(&world.router, "/rooms/locked/mcp", "server/discover", json!({}), &token).await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    assert!(reply.headers.contains_key(header::WWW_AUTHENTICATE));
    let reply = send(&world.router, "/rooms/hall/mcp", "server/discover", json!({}), &[]).await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
}

async fn locked() -> StatusCode {
    StatusCode::UNAUTHORIZED
}

#[tokio::test]
async fn a_prompt_that_answers_401_challenges_the_client() {
    let options = HttpOptions { verifier: Some(Arc::new(Anybody)), ..HttpOptions::default() };
    let world = world_with(Routes::new().prompt("greet", locked, "Greets"), options).unwrap();
    let token = [("authorization", "Bearer t")];
    let reply = send(&world.router, "/mcp", "prompts/get", json!({ "name": "greet" }), &token).await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    assert!(reply.headers.contains_key(header::WWW_AUTHENTICATE));
}

#[tokio::test]
async fn a_session_belongs_to_the_url_it_was_begun_at() {
    let world = world(Routes::new().nest("/rooms/{room_id}", room()));
    let reply = post_handshake(&world.router, "/rooms/hall/mcp", initialize(), None).await;
    let session = reply.headers["mcp-session-id"].to_str().unwrap().to_owned();
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let reply = post_handshake(&world.router, "/rooms/hall/mcp", list.clone(), Some(&session)).await;
    assert_eq!(reply.names("tools"), ["state", "lights"]);
    for other in ["/rooms/attic/mcp", "/mcp", "/rooms/hal/mcp", "/rooms/hall%2F/mcp"] {
        let reply = post_handshake(&world.router, other, list.clone(), Some(&session)).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{other}: {reply:?}");
    }
}

#[tokio::test]
async fn a_groups_prompts_run_under_its_guards_and_are_no_routes() {
    let world = world(Routes::new().nest("/rooms/{room_id}", room()));
    let path = "/rooms/hall/mcp";
    let list = send(&world.router, path, "prompts/list", json!({}), &[]).await;
    let expected = json!([{ "name": "topic", "description": "What it is about", "required": true }]);
    assert_eq!(list.result()["prompts"][0]["arguments"], expected);
    let params = json!({ "name": "greet", "arguments": { "topic": "a & b" } });
    let reply = send(&world.router, path, "prompts/get", params.clone(), &[]).await;
    let message = &reply.result()["messages"][0];
    assert_eq!(
        (&message["role"], &message["content"]["text"]),
        (&json!("user"), &json!("Talk about a & b in hall"))
    );
    let reply = send(&world.router, "/rooms/guarded/mcp", "prompts/get", params, &[]).await;
    assert!(reply.body["error"]["message"].as_str().unwrap().contains("guarded"), "{reply:?}");
    for number in 0..40 {
        let reply = fetch(&world.router, &format!("/rooms/hall/.mcp/{number}")).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND);
    }
}

async fn token() -> &'static str {
    "token"
}

fn oauth() -> Routes {
    Routes::new().name("oauth").route("/token", post(token).tool("Gives a token"))
}

#[tokio::test]
async fn a_group_can_be_mounted_again_and_again_under_names_of_its_own() {
    let world = world(
        Routes::new()
            .nest("/v1/oauth", oauth())
            .nest("/v2/auth", oauth())
            .nest_as("internal", "/internal", oauth())
            .nest(
                "/nested/{account}",
                Routes::new()
                    .name("account")
                    .nest("/deep", Routes::new().route("/x", get(token).tool(Expose::new("x").name("x")))),
            ),
    );
    let tools = names(&world, "/mcp", "tools").await;
    assert_eq!(tools, ["v1_oauth_token", "v2_auth_oauth_token", "internal_token", "deep_x"]);
    assert_eq!(call(&world, "v2_auth_oauth_token", json!({}), &[]).await.text(), "token");
    assert_eq!(call(&world, "deep_x", json!({ "account": "a" }), &[]).await.text(), "token");
}

#[tokio::test]
async fn an_item_stands_above_its_group_and_an_inner_group_above_the_outer() {
    let icon = |src: &str| Icon::new(src);
    let inner = Routes::new()
        .name("inner")
        .icon(icon("https://example.com/inner.png"))
        .body_only()
        .tag("inner")
        .route("/a", get(token).tool(Expose::new("a").name("a")))
        .route(
            "/b",
            get(token).tool(Expose::new("b").name("b").envelope().icon(icon("https://example.com/b.png"))),
        )
        .route("/c", get(token).tool(Expose::new("c").name("c").hide()));
    let outer = Routes::new()
        .name("outer")
        .icon(icon("https://example.com/outer.png"))
        .envelope()
        .hide()
        .route("/d", get(token).tool(Expose::new("d").name("d").show()))
        .route("/e", get(token).tool(Expose::new("e").name("e")))
        .nest("/inner", inner.show());
    let world = world(Routes::new().nest("/outer", outer));
    assert_eq!(names(&world, "/mcp", "tools").await, ["outer_d", "inner_a", "inner_b"]);
    assert_eq!(call(&world, "outer_d", json!({}), &[]).await.result()["structuredContent"]["status"], 200);
    assert_eq!(call(&world, "inner_a", json!({}), &[]).await.text(), "token");
    assert_eq!(call(&world, "inner_b", json!({}), &[]).await.result()["structuredContent"]["status"], 200);
    assert_eq!(listed(&world, "outer_d").await["icons"][0]["src"], "https://example.com/outer.png");
    assert_eq!(listed(&world, "inner_a").await["icons"][0]["src"], "https://example.com/inner.png");
    let own = listed(&world, "inner_b").await["icons"].clone();
    assert_eq!(own.as_array().unwrap().len(), 1);
    assert_eq!(own[0]["src"], "https://example.com/b.png");
}

#[tokio::test]
async fn tags_of_a_route_and_of_its_groups_are_those_of_its_tool() {
    let expose = |name: &str| Expose::new("Gives a token").name(name);
    let inner = Routes::new().name("inner").tag("inner").route("/a", get(token).tool(expose("a").tag("own")));
    let outer = Routes::new().name("outer").tag("outer").route("/b", get(token).tool(expose("b")));
    let told = Mutex::new(Vec::new());
    let build = |tools: McpRouter| {
        let tags = tools.entries().map(|entry| {
            let mut tags: Vec<_> = entry.tags().map(str::to_owned).collect();
            tags.sort();
            (entry.name().to_owned(), tags)
        });
        told.lock().unwrap().extend(tags);
        server(tools).name("world").version("1.0.0")
    };
    let routes = Routes::new().nest("/outer", outer.nest("/inner", inner)).with_state(());
    mount(routes, build, &HttpOptions::default()).unwrap();
    let tags =
        |name: &str, tags: &[&str]| (name.to_owned(), tags.iter().map(|tag| (*tag).to_owned()).collect());
    let expected = [tags("outer_b", &["outer"]), tags("inner_a", &["inner", "outer", "own"])];
    assert_eq!(*told.lock().unwrap(), expected);
}

async fn seat(Path((account, room)): Path<(String, String)>) -> String {
    format!("{account}/{room}")
}

#[tokio::test]
async fn each_endpoint_of_nested_groups_binds_what_its_own_url_has() {
    let inner = Routes::new().name("room").route("/seat", get(seat).tool("Tells the seat")).endpoint();
    let outer = Routes::new().name("account").nest("/rooms/{room}", inner).endpoint();
    let world = world(Routes::new().nest("/accounts/{account}", outer));
    let path = "/accounts/a/rooms/r/mcp";
    assert_eq!(names(&world, path, "tools").await, ["seat"]);
    assert_eq!(call_at(&world.router, path, "seat", json!({}), &[]).await.text(), "a/r");
    let path = "/accounts/a/mcp";
    assert_eq!(names(&world, path, "tools").await, ["room_seat"]);
    assert_eq!(
        call_at(&world.router, path, "room_seat", json!({ "room": "s/t" }), &[]).await.text(),
        "a/s/t"
    );
    let other = json!({ "room": "s", "account": "b" });
    assert!(call_at(&world.router, path, "room_seat", other, &[]).await.is_error());
    assert_eq!(names(&world, "/mcp", "tools").await, Vec::<String>::new());
}

#[tokio::test]
async fn what_is_hidden_is_hidden_in_both_servers() {
    let group = || {
        Routes::new()
            .name("g")
            .route("/a", get(token).tool(Expose::new("a").name("a")))
            .route("/b", get(token).tool(Expose::new("b").name("b").hide()))
            .endpoint_at("/assistant")
    };
    let world = world(Routes::new().nest("/g", group().show()));
    assert_eq!(names(&world, "/mcp", "tools").await, ["g_a"]);
    assert_eq!(names(&world, "/g/assistant", "tools").await, ["a"]);
}

#[test]
fn doubled_names_and_occupied_paths_are_faults() {
    let told = faults(Routes::new().route("/a", get(token).tool("x")).route("/b", get(token).tool("y")));
    let fault =
        "tool `token`: registered twice, from `GET /a` without a version and from `GET /b` without a version";
    assert!(told.contains(fault), "{told}");
    let told = faults(Routes::new().route("/mcp", get(token)));
    assert!(told.contains("the path `/mcp` is taken by the route `/mcp`"), "{told}");
    let told = faults(Routes::new().nest("/g", Routes::new().route("/mcp", get(token)).endpoint()));
    assert!(told.contains("the endpoint of the group at `/g`: its path is taken by `/g/mcp`"), "{told}");
}

#[tokio::test]
async fn a_group_that_hides_itself_is_served_at_its_own_endpoint_alone() {
    let group = Routes::new().route("/token", get(token).tool("Makes a token")).hide().endpoint();
    let world = world(Routes::new().nest("/keys", group));
    for (path, names) in [("/mcp", vec![]), ("/keys/mcp", vec!["token"])] {
        let list = send(&world.router, path, "tools/list", json!({}), &[]).await;
        assert_eq!(list.names("tools"), names, "{path}");
    }
}
