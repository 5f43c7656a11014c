//! What agents are told of routes.

use crate::world::{faults, listed, world};
use axum::{
    Form, Json,
    extract::{Path, Query, State},
};
use http::Method;
use mcp_server::{
    ToolAnnotations,
    routes::{Expose, Routes, by_hand, delete, get, head, patch, post, put},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only their schema is looked at")]
struct Place {
    /// The room
    room: u32,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only their schema is looked at")]
struct Page {
    /// Which page
    #[serde(default)]
    #[schemars(extend("examples" = [3]))]
    page: Option<u32>,
    sort: Sort,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sort {
    Up,
    Down,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Light {
    on: bool,
    sort: Option<Sort>,
}

async fn lights(Path(_): Path<Place>, Query(_): Query<Page>, Json(light): Json<Light>) -> Json<Vec<Light>> {
    Json(vec![light])
}

#[tokio::test]
async fn path_query_and_body_make_one_closed_schema_of_their_own() {
    let world = world(Routes::new().route("/rooms/{room}/lights", post(lights).tool("Sets lights")));
    let tool = listed(&world, "lights").await;
    let schema = &tool["inputSchema"];
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["room", "page", "sort", "body"]);
    assert_eq!(schema["properties"]["room"]["description"], "The room");
    assert_eq!(schema["properties"]["page"]["examples"], json!([3]));
    assert_eq!(schema["required"], json!(["room", "sort", "body"]));
    assert_eq!(schema["additionalProperties"], false);
    // Every reference stays within the schema.
    let text = schema.to_string();
    for link in text.match_indices("\"$ref\":\"").map(|(at, found)| &text[at + found.len()..]) {
        let name = link.split('"').next().unwrap().strip_prefix("#/$defs/").unwrap();
        assert!(schema["$defs"].get(name).is_some(), "{name} is not defined: {schema}");
    }
    assert_eq!(tool["outputSchema"]["type"], "array");
}

async fn plain() -> &'static str {
    "plain"
}

#[tokio::test]
async fn hints_follow_the_method_and_a_declared_behaviour_replaces_them_whole() {
    let world =
        world(
            Routes::new()
                .route("/get", get(plain).tool(Expose::new("Does").name("get")))
                .route("/head", head(plain).tool(Expose::new("Does").name("head")))
                .route("/post", post(plain).tool(Expose::new("Does").name("post")))
                .route("/put", put(plain).tool(Expose::new("Does").name("put")))
                .route("/patch", patch(plain).tool(Expose::new("Does").name("patch")))
                .route("/delete", delete(plain).tool(Expose::new("Does").name("delete")))
                .route("/search", post(plain).tool(Expose::new("Searches").name("search").read_only()))
                .route(
                    "/wipe",
                    get(plain).tool(Expose::new("Wipes").name("wipe").annotations(ToolAnnotations {
                        destructive: Some(true),
                        ..ToolAnnotations::default()
                    })),
                ),
        );
    let reads = json!({ "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false });
    for (name, hints) in [
        ("get", reads.clone()),
        ("head", reads),
        ("post", Value::Null),
        ("put", json!({ "destructiveHint": true, "idempotentHint": true })),
        ("patch", json!({ "destructiveHint": true })),
        ("delete", json!({ "destructiveHint": true, "idempotentHint": true })),
        ("search", json!({ "readOnlyHint": true })),
        ("wipe", json!({ "destructiveHint": true })),
    ] {
        assert_eq!(listed(&world, name).await["annotations"], hints, "{name}");
    }
}

#[tokio::test]
async fn a_contradiction_and_a_missing_description_are_faults() {
    let both =
        ToolAnnotations { read_only: Some(true), destructive: Some(true), ..ToolAnnotations::default() };
    let told = faults(
        Routes::new()
            .route("/a", get(plain).tool(Expose::new("Does").name("both").annotations(both)))
            .route("/b", get(plain).tool(Expose::new("  ").name("blank")))
            .route("/c", get(plain).tool(Expose::documented().name("undocumented")))
            .route("/d", get(plain).resource("app://d", Expose::new(""))),
    );
    assert!(told.contains("tool `both`: a read-only tool cannot be destructive"), "{told}");
    assert!(told.contains("tool `blank`: an exposed route needs a description"), "{told}");
    assert!(
        told.contains("tool `undocumented`: its description is to be that of its documentation"),
        "{told}"
    );
    assert!(told.contains("resource `app://d`: an exposed route needs a description"), "{told}");
}

#[tokio::test]
async fn fixed_values_leave_the_schema_and_defaults_are_published() {
    let expose =
        Expose::new("Sets lights").fixed("room", 7).default_value("page", 1).argument("sort", "Which way");
    let world = world(Routes::new().route("/rooms/{room}/lights", post(lights).tool(expose)));
    let schema = &listed(&world, "lights").await["inputSchema"];
    assert!(schema["properties"].get("room").is_none());
    assert_eq!(schema["properties"]["page"]["default"], 1);
    assert_eq!(schema["properties"]["sort"]["description"], "Which way");
    assert_eq!(schema["required"], json!(["sort", "body"]));
    let told = faults(Routes::new().route(
        "/rooms/{room}/lights",
        post(lights).tool(
            Expose::new("x").fixed("rom", 7).default_value("page", 1).fixed("page", 2).argument("no", "x"),
        ),
    ));
    assert!(told.contains("there is no argument `rom`"), "{told}");
    assert!(told.contains("there is no argument `no`"), "{told}");
    assert!(told.contains("the argument `page` has a fixed value and a default"), "{told}");
}

#[test]
fn a_value_that_cannot_stand_in_its_place_is_a_fault() {
    for (argument, value) in [("room", json!({ "a": 1 })), ("sort", json!([[1]])), ("page", json!({}))] {
        let expose = Expose::new("Sets lights").fixed(argument, value);
        let told = faults(Routes::new().route("/rooms/{room}/lights", post(lights).tool(expose)));
        assert!(told.contains(&format!("`{argument}` must be a string, a number or a boolean")), "{told}");
    }
}

async fn clash(Path(_): Path<Place>, Query(_): Query<Place>) {}
async fn two_bodies(Form(_): Form<Light>) {}
async fn tuple(Path(_): Path<(String, String)>) {}
async fn one(Path(_): Path<String>) {}
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Deep {
    inner: Light,
}
async fn deep(Query(_): Query<Deep>) {}

#[tokio::test]
async fn arguments_that_clash_or_cannot_be_written_are_faults() {
    let told = faults(
        Routes::new()
            .route("/a/{room}", get(clash).tool("Clashes"))
            .route("/b/{id}", get(tuple).tool("Takes two"))
            .route("/c/{id}/{other}", get(one).tool("Takes one"))
            .route("/d/{id}", get(clash).tool(Expose::new("Lost").name("lost")))
            .route("/e", get(deep).tool("Deep"))
            .route("/f", post(two_bodies).tool("Fine"))
            .route("/g", get(async || "x").tool("Nameless")),
    );
    assert!(
        told.contains("tool `clash`: the argument `room` stands for its path and for its query"),
        "{told}"
    );
    assert!(
        told.contains("tool `tuple`: the handler takes 2 path parameters and the path `/b/{id}` has 1"),
        "{told}"
    );
    assert!(
        told.contains(
            "tool `one`: the handler takes one path parameter and the path `/c/{id}/{other}` has 2"
        ),
        "{told}"
    );
    assert!(
        told.contains(
            "tool `lost`: the handler takes the path parameter `room`, which the path `/d/{id}` does not have"
        ),
        "{told}"
    );
    assert!(
        told.contains("tool `deep`: `inner` is an object or a list, which its query cannot hold"),
        "{told}"
    );
    assert!(told.contains("has no name, because its handler is no function with one"), "{told}");
    assert!(!told.contains("two_bodies"), "{told}");
}

async fn stateful(
    State(()): State<()>,
    Query(map): Query<std::collections::BTreeMap<String, String>>,
) -> Json<Value> {
    Json(json!(map))
}

#[tokio::test]
async fn a_query_of_any_names_takes_any_argument() {
    let world = world(Routes::new().route("/any", get(stateful).tool("Takes any")));
    let reply = crate::world::call(&world, "stateful", json!({ "a": "1", "b c": "2&3" }), &[]).await;
    assert_eq!(reply.result()["structuredContent"], json!({ "a": "1", "b c": "2&3" }));
}

#[tokio::test]
async fn nothing_is_exposed_that_does_not_say_so() {
    let world = world(
        Routes::new()
            .route("/a", get(plain))
            .route("/b", axum::routing::post(plain))
            .route("/c", by_hand(Method::GET, plain))
            .route("/d", get(plain).tool(Expose::new("Shown").name("shown"))),
    );
    let list = crate::world::post(&world.router, "/mcp", "tools/list", json!({}), &[]).await;
    assert_eq!(list.names("tools"), ["shown"]);
    let told = faults(
        Routes::new().route("/b", mcp_server::routes::Route::from(axum::routing::post(plain)).tool("x")),
    );
    assert!(told.contains("nothing is known of an axum `MethodRouter`"), "{told}");
}
