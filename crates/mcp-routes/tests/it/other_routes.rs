//! A tool is one route: no argument makes it another one.

use crate::world::{call, fetch, post as send, world};
use axum::{
    Router,
    extract::{Path, Request},
    middleware::{Next, from_fn},
    response::Response,
};
use mcp_server::routes::{Expose, Routes, get};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};

async fn user(Path(id): Path<String>) -> String {
    format!("user {id}")
}

async fn closed() -> &'static str {
    "not for agents"
}

async fn prompt() -> &'static str {
    "a prompt"
}

static LAYER_RAN: AtomicUsize = AtomicUsize::new(0);

async fn counted(request: Request, next: Next) -> Response {
    LAYER_RAN.fetch_add(1, Ordering::Relaxed);
    next.run(request).await
}

fn routes() -> Routes {
    Routes::new()
        .route("/users/{id}", get(user).tool("Shows a user").resource("user://{id}", "A user"))
        .route("/users/me", get(closed))
        .router(Router::new().route("/users/admin", axum::routing::get(closed)))
        .nest("/users/all", Routes::new().route("/", get(closed)))
        .route("/{*path}", get(user).tool(Expose::new("Shows a page").name("page")))
}

#[tokio::test]
async fn an_argument_that_spells_the_url_of_another_route_does_not_reach_it() {
    let world = world(routes());
    for id in ["me", "admin", "all"] {
        assert_eq!(fetch(&world.router, &format!("/users/{id}")).await.body, "not for agents");
        let reply = call(&world, "user", json!({ "id": id }), &[]).await;
        assert!(reply.is_error(), "{reply:?}");
        assert_eq!(reply.text(), "`id` cannot have this value: its URL belongs to another route");
        let reply = call(&world, "page", json!({ "path": format!("users/{id}") }), &[]).await;
        assert!(reply.is_error() && reply.text().contains("`path`"), "{reply:?}");
        let read = json!({ "uri": format!("user://{id}") });
        let reply = send(&world.router, "/mcp", "resources/read", read, &[]).await;
        assert_eq!(reply.body["error"]["data"]["uri"], format!("user://{id}"), "{reply:?}");
    }
    assert_eq!(call(&world, "user", json!({ "id": "ME" }), &[]).await.text(), "user ME");
    assert_eq!(call(&world, "user", json!({ "id": "m%65" }), &[]).await.text(), "user m%65");
}

#[tokio::test]
async fn no_layer_runs_for_a_url_of_another_route() {
    let world = world(routes().layer(from_fn(counted)));
    assert!(call(&world, "user", json!({ "id": "me" }), &[]).await.is_error());
    assert_eq!(LAYER_RAN.load(Ordering::Relaxed), 0);
    call(&world, "user", json!({ "id": "you" }), &[]).await;
    assert_eq!(LAYER_RAN.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn what_only_prompts_reach_no_tool_reaches() {
    let world = world(routes().prompt("hidden", prompt, "Is hidden"));
    for number in 0..40 {
        let reply = call(&world, "page", json!({ "path": format!(".mcp/{number}") }), &[]).await;
        assert_ne!(reply.text(), "a prompt", "{number}");
    }
}

#[tokio::test]
async fn the_route_of_the_root_is_a_tool_like_any_other() {
    let world = world(
        Routes::new()
            .route("/", get(prompt).tool("Shows the start").resource("app://start", "The start"))
            .nest("/group", Routes::new().route("/", get(closed).tool("Shows the group"))),
    );
    assert_eq!(call(&world, "prompt", json!({}), &[]).await.text(), "a prompt");
    assert_eq!(call(&world, "group_closed", json!({}), &[]).await.text(), "not for agents");
    let reply = send(&world.router, "/mcp", "resources/read", json!({ "uri": "app://start" }), &[]).await;
    assert_eq!(reply.result()["contents"][0]["text"], "a prompt");
    assert_eq!(world.urls.url(None, "prompt", &[]).unwrap(), "/");
}
