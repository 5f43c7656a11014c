//! Routes that utoipa documents.

#![expect(unused_qualifications, reason = "the macro writes them")]

use crate::world::{call, faults, fetch, listed, post as send, world};
use axum::{
    Form, Json,
    extract::{Path, Query},
};
use http::Method;
use mcp_server::routes::{DocumentedRoute, Expose, OpenApi, Routes};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{
    IntoParams, ToSchema,
    openapi::{
        Components, Info, Paths,
        security::{ApiKey, ApiKeyValue, SecurityScheme},
    },
};
use utoipa_axum::routes;

#[derive(Deserialize, Serialize, ToSchema)]
#[expect(clippy::use_self, reason = "the macro does not know `Self`")]
struct Pet {
    /// What it is called
    name: String,
    kind: Kind,
    #[schema(no_recursion)]
    friends: Vec<Pet>,
}

#[derive(Deserialize, Serialize, ToSchema)]
enum Kind {
    Cat,
    Dog,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Paging {
    /// Which page
    #[param(example = 3)]
    page: Option<u32>,
}

/// Looks up a pet
///
/// By the number on its collar.
#[utoipa::path(get, path = "/pets/{id}", tag = "pets",
    params(("id" = u32, Path, description = "The number"), Paging, ("session" = String, Cookie)),
    responses((status = OK, body = Pet), (status = 404)))]
async fn show(Path(id): Path<u32>, Query(paging): Query<Paging>) -> Json<Pet> {
    Json(Pet { name: format!("{id}/{:?}", paging.page), kind: Kind::Cat, friends: Vec::new() })
}

/// Changes a pet
#[utoipa::path(put, path = "/pets/{id}", operation_id = "replace_pet", params(("id" = u32, Path)), request_body = Pet, responses((status = OK, body = Pet)))]
async fn change(Path(_): Path<u32>, Json(pet): Json<Pet>) -> Json<Pet> {
    Json(pet)
}

#[derive(Deserialize, Serialize, ToSchema)]
struct Word {
    word: String,
}

#[utoipa::path(post, path = "/words", request_body(content = Word, content_type = "application/x-www-form-urlencoded"), responses((status = OK, body = Word)))]
async fn say(Form(word): Form<Word>) -> Json<Word> {
    Json(word)
}

#[utoipa::path(post, path = "/uploads", request_body(content = String, content_type = "multipart/form-data"), responses((status = OK)))]
async fn upload() {}

fn pets() -> Routes {
    Routes::new().name("pets").openapi(routes!(show, change), |route| route.tool(Expose::documented()))
}

fn readable_pets() -> Routes {
    let expose = |route: DocumentedRoute| match *route.method() {
        Method::GET => route.tool(Expose::documented()).resource("pets://{id}", Expose::documented()),
        _ => route.tool(Expose::documented()),
    };
    Routes::new().name("pets").openapi(routes!(show, change), expose)
}

#[tokio::test]
async fn what_the_document_says_is_what_agents_are_told() {
    let world = world(readable_pets());
    let tool = listed(&world, "pets_show").await;
    assert_eq!(tool["title"], "Looks up a pet");
    assert_eq!(tool["description"], "By the number on its collar.");
    let schema = &tool["inputSchema"];
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["id", "page"]);
    assert_eq!(schema["properties"]["id"]["description"], "The number");
    assert_eq!(schema["properties"]["page"]["examples"], json!([3]));
    assert_eq!(schema["required"], json!(["id"]));
    assert_eq!(tool["outputSchema"]["properties"]["name"]["description"], "What it is called");
    let reply = call(&world, "pets_show", json!({ "id": 7, "page": 2 }), &[]).await;
    assert_eq!(reply.result()["structuredContent"]["name"], "7/Some(2)");
    let schema = listed(&world, "pets_replace_pet").await["inputSchema"].clone();
    assert_eq!(schema["required"], json!(["id", "body"]));
    assert!(!schema.to_string().contains("#/components"), "{schema}");
    let pet =
        json!({ "name": "a", "kind": "Dog", "friends": [{ "name": "b", "kind": "Cat", "friends": [] }] });
    let reply = call(&world, "pets_replace_pet", json!({ "id": 1, "body": pet }), &[]).await;
    assert_eq!(reply.result()["structuredContent"], pet);
    let wrong = json!({ "name": "a", "kind": "Bird", "friends": [] });
    assert!(call(&world, "pets_replace_pet", json!({ "id": 1, "body": wrong }), &[]).await.is_error());
    let read = send(&world.router, "/mcp", "resources/read", json!({ "uri": "pets://9" }), &[]).await;
    assert!(read.result()["contents"][0]["text"].as_str().unwrap().contains("9/None"));
}

#[tokio::test]
async fn forms_are_written_as_forms_and_envelopes_describe_the_body() {
    let world =
        world(Routes::new().openapi(routes!(say), |route| route.tool(Expose::new("Says").envelope())));
    let reply = call(&world, "say", json!({ "body": { "word": "a&b" } }), &[]).await;
    assert_eq!(reply.result()["structuredContent"]["body"], json!({ "word": "a&b" }));
    let schema = listed(&world, "say").await["outputSchema"].clone();
    assert_eq!(schema["properties"]["body"]["properties"]["word"]["type"], "string", "{schema}");
}

#[tokio::test]
async fn router_document_and_catalogue_agree_wherever_a_group_is_mounted() {
    let world = world(Routes::new().nest("/v1/{shop}", pets()).nest("/v2", pets()));
    let document = serde_json::to_value(&world.openapi).unwrap();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.push((
                path.clone(),
                method.clone(),
                operation["operationId"].as_str().unwrap().to_owned(),
            ));
            // The router serves it.
            let concrete = path.replace("{shop}", "s").replace("{id}", "1");
            let request = http::Request::builder().method(&*method.to_uppercase()).uri(concrete);
            let request = request.body(axum::body::Body::empty()).unwrap();
            let status = crate::world::send(&world.router, request).await.status;
            assert!(status != 404 && status != 405, "{method} {path}: {status}");
            // Every parameter of the path is documented.
            for name in ["shop", "id"].iter().filter(|name| path.contains(&format!("{{{name}}}"))) {
                let known = operation["parameters"].as_array().unwrap().iter().any(|it| it["name"] == **name);
                assert!(known, "{name} of {path}");
            }
        }
    }
    let mut ids: Vec<String> = operations.iter().map(|(_, _, id)| id.clone()).collect();
    ids.sort();
    assert_eq!(ids, ["v1_pets_replace_pet", "v1_pets_show", "v2_pets_replace_pet", "v2_pets_show"]);
    // The catalogue has a tool for each.
    let list = send(&world.router, "/mcp", "tools/list", json!({}), &[]).await;
    let mut names = list.names("tools");
    names.sort();
    assert_eq!(names, ids);
    assert!(document["components"]["schemas"]["Pet"].is_object());
    assert_eq!(fetch(&world.router, "/v2/pets/4").await.body["name"], "4/None");
}

#[utoipa::path(get, path = "/keyed", params(("key" = String, Query), ("x-secret" = String, Header)), responses((status = OK, body = Value)))]
async fn keyed() -> Json<Value> {
    Json(json!({}))
}

#[tokio::test]
async fn what_agents_cannot_or_may_not_give_is_a_fault() {
    let told = faults(Routes::new().openapi(routes!(upload), |route| route.tool(Expose::new("Uploads"))));
    assert!(told.contains("tool `upload`: agents cannot write its body (`multipart/form-data`)"), "{told}");
    let mut document = OpenApi::new(Info::new("pets", "1"), Paths::new());
    let mut components = Components::new();
    let scheme = |key| SecurityScheme::ApiKey(key);
    components.add_security_scheme("query", scheme(ApiKey::Query(ApiKeyValue::new("key"))));
    components.add_security_scheme("header", scheme(ApiKey::Header(ApiKeyValue::new("X-Secret"))));
    document.components = Some(components);
    let routes =
        Routes::new().document(document).openapi(routes!(keyed), |route| route.tool(Expose::new("Keyed")));
    let told = faults(routes);
    assert!(told.contains("`key` cannot be an argument in its query"), "{told}");
    assert!(told.contains("`x-secret` cannot be an argument in its header fields"), "{told}");
    let told = faults(Routes::new().openapi(routes!(say), |route| route.tool(Expose::documented())));
    assert!(told.contains("its description is to be that of its documentation, and there is none"), "{told}");
    // A route that is not exposed may be anything.
    world(Routes::new().openapi(routes!(upload), |route| route));
}
