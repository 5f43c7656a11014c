//! Groups of routes as toolboxes.

use crate::world::{call, post as send};
use mcp_server::{
    Presentation, ToolSearch, Toolboxes,
    http::HttpOptions,
    routes::{Expose, Mounted, Routes, get, mount, post},
    server,
};
use serde_json::json;

async fn token() -> &'static str {
    "token"
}

async fn revoke() -> &'static str {
    "revoked"
}

fn keys() -> Routes {
    Routes::new()
        .name("keys")
        .describe("Gives and revokes keys")
        .route("/token", get(token).tool("Gives a token"))
        .route("/revoke", post(revoke).tool("Revokes a token"))
        .route("/status", get(token).tool(Expose::new("Tells how many there are").name("status").root()))
}

fn presented(routes: Routes, presentation: &Presentation) -> Mounted {
    let build = |tools| server(tools).name("keys").version("1.0.0").presentation(presentation.clone());
    mount(routes.with_state(()), build, &HttpOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test]
async fn a_group_is_a_toolbox_and_its_routes_are_called_through_the_proxies() {
    let world =
        presented(Routes::new().nest("/keys", keys()), &Presentation::toolboxes(Toolboxes::default()));
    let list = send(&world.router, "/mcp", "tools/list", json!({}), &[]).await;
    let names = list.names("tools");
    assert!(
        names.contains(&"keys_status".to_owned()) && !names.contains(&"keys_token".to_owned()),
        "{names:?}"
    );
    let boxes = call(&world, "list_toolboxes", json!({}), &[]).await;
    assert!(boxes.text().contains("Gives and revokes keys"), "{boxes:?}");
    let opened = call(&world, "open_toolbox", json!({ "name": "keys" }), &[]).await;
    assert!(opened.text().contains("keys_token") && opened.text().contains("call_read_only"), "{opened:?}");
    let reply = call(&world, "call_read_only", json!({ "name": "keys_token", "arguments": {} }), &[]).await;
    assert_eq!(reply.text(), "token");
    let reply = call(&world, "call_read_only", json!({ "name": "keys_revoke", "arguments": {} }), &[]).await;
    assert!(reply.is_error() && reply.text().contains("call_tool"), "{reply:?}");
    let reply = call(&world, "call_tool", json!({ "name": "keys_revoke", "arguments": {} }), &[]).await;
    assert_eq!(reply.text(), "revoked");
}

#[tokio::test]
async fn the_endpoint_of_a_group_has_no_toolboxes_and_lists_what_is_in_it() {
    let inner = Routes::new()
        .name("old")
        .route("/old", get(token).tool(Expose::new("Gives an old token").name("get")));
    let group = keys().nest("/inner", inner).endpoint().show();
    let world = presented(Routes::new().nest("/keys", group), &Presentation::toolboxes(Toolboxes::default()));
    let list = send(&world.router, "/keys/mcp", "tools/list", json!({}), &[]).await;
    assert_eq!(list.names("tools"), ["token", "revoke", "status", "old_get"]);
    let list = send(&world.router, "/mcp", "tools/list", json!({}), &[]).await;
    assert!(list.names("tools").contains(&"open_toolbox".to_owned()), "{list:?}");
}

#[tokio::test]
async fn a_group_with_an_empty_name_leaves_the_names_as_they_are_and_is_no_toolbox() {
    let routes = Routes::new().nest_as("", "/plain", keys());
    let world = presented(routes, &Presentation::toolboxes(Toolboxes::default()));
    let list = send(&world.router, "/mcp", "tools/list", json!({}), &[]).await;
    let names = list.names("tools");
    assert!(names.ends_with(&["token".to_owned(), "revoke".to_owned(), "status".to_owned()]), "{names:?}");
    assert_eq!(call(&world, "token", json!({}), &[]).await.text(), "token");
}

#[tokio::test]
async fn routes_are_found_by_search_and_run_in_plans() {
    let world = presented(Routes::new().nest("/keys", keys()), &Presentation::search(ToolSearch::default()));
    let found = call(&world, "search_tools", json!({ "query": "revoke a token" }), &[]).await;
    assert!(found.body.to_string().contains("keys_revoke"), "{found:?}");
    let steps = json!([{ "id": "first", "tool": "keys_token" }, { "tool": "keys_revoke" }]);
    let run = call(&world, "run_tools", json!({ "steps": steps }), &[]).await;
    let text = run.body.to_string();
    assert!(text.contains("revoked") && text.contains("first"), "{run:?}");
}
