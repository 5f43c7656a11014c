//! Routes as resources.

use crate::world::{Reply, faults, post as send, world};
use axum::{Json, extract::Path};
use http::StatusCode;
use mcp_server::routes::{Expose, Mounted, Routes, get, post};
use serde_json::{Value, json};

async fn settings() -> Json<Value> {
    Json(json!({ "debug": false }))
}

async fn user(Path(id): Path<u32>) -> Result<String, (StatusCode, &'static str)> {
    match id {
        7 => Ok("Ada".into()),
        8 => Err((StatusCode::INTERNAL_SERVER_ERROR, "a secret")),
        _ => Err((StatusCode::NOT_FOUND, "nobody")),
    }
}

async fn document(Path(path): Path<String>) -> ([(&'static str, &'static str); 1], Vec<u8>) {
    ([("content-type", "application/octet-stream")], path.into_bytes())
}

fn routes() -> Routes {
    Routes::new()
        .route("/settings", get(settings).resource("config://app/settings", "The settings"))
        .route("/users/{id}", get(user).resource("users://{id}", Expose::new("A user").title("User")))
        .route(
            "/docs/{*path}",
            get(document).resource("docs://{+path}", Expose::new("A file").mime_type("application/x-doc")),
        )
}

async fn read(world: &Mounted, uri: &str) -> Reply {
    send(&world.router, "/mcp", "resources/read", json!({ "uri": uri }), &[]).await
}

#[tokio::test]
async fn routes_are_read_by_uri_and_by_template() {
    let world = world(routes());
    let list = send(&world.router, "/mcp", "resources/list", json!({}), &[]).await;
    assert_eq!(list.result()["resources"][0]["uri"], "config://app/settings");
    let templates = send(&world.router, "/mcp", "resources/templates/list", json!({}), &[]).await;
    assert_eq!(templates.result()["resourceTemplates"][0]["uriTemplate"], "users://{id}");
    let contents = read(&world, "config://app/settings").await.result()["contents"][0].clone();
    let expected = json!({ "uri": "config://app/settings", "mimeType": "application/json", "text": "{\"debug\":false}" });
    assert_eq!(contents, expected);
    assert_eq!(read(&world, "users://7").await.result()["contents"][0]["text"], "Ada");
    let contents = read(&world, "docs://a/b%20c.md").await.result()["contents"][0].clone();
    assert_eq!(
        (&contents["blob"], &contents["mimeType"]),
        (&json!("YS9iIGMubWQ="), &json!("application/x-doc"))
    );
}

#[tokio::test]
async fn what_is_not_there_is_not_found_and_other_failures_are_errors_without_their_text() {
    let world = world(routes());
    let reply = read(&world, "users://9").await;
    assert_eq!(reply.body["error"]["code"], -32602);
    assert_eq!(reply.body["error"]["data"]["uri"], "users://9");
    let reply = read(&world, "users://8").await;
    assert_eq!(reply.body["error"]["code"], -32603);
    assert!(!reply.body.to_string().contains("secret"), "{reply:?}");
    // A value that cannot stand in the path.
    let reply = read(&world, "docs://a/../b").await;
    assert!(reply.body["error"].is_object(), "{reply:?}");
}

async fn change(Path(_): Path<u32>) {}

#[tokio::test]
async fn what_may_change_something_and_uris_that_name_other_things_are_faults() {
    let told = faults(
        Routes::new()
            .route("/a/{id}", post(change).resource("a://{id}", "Changes"))
            .route("/b/{id}", get(user).resource("b://x", "Lacks it"))
            .route("/c/{id}", get(user).resource("c://{id}/{more}", "Has more")),
    );
    assert!(told.contains("resource `a://{id}`: the route `POST /a/{id}` may change something"), "{told}");
    assert!(told.contains("resource `b://x`: it does not give the path parameter `id`"), "{told}");
    assert!(
        told.contains("resource `c://{id}/{more}`: its variable `more` is no parameter of the path"),
        "{told}"
    );
}
