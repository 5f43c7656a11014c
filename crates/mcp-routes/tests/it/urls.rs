//! URLs of operations.

use crate::world::{call, fetch, post as send, world};
use axum::extract::Path;
use mcp_server::routes::{NoUrl, Routes, Urls, get, post};
use serde_json::json;

async fn show(Path(_): Path<(String, String)>) {}

async fn link(urls: Urls) -> String {
    let own = urls.to("show", &[("id", "a/b c")]).unwrap();
    let other = urls.to("show", &[("id", "1"), ("account", "else")]).unwrap();
    let missing = urls.to("show", &[]).unwrap_err();
    let unknown = urls.to("nothing", &[]).unwrap_err();
    format!("{own} {other} {missing} {unknown}")
}

fn group() -> Routes {
    Routes::new().name("things").route("/things/{id}", get(show)).route("/link", get(link).tool("Links"))
}

#[tokio::test]
async fn an_operation_finds_its_siblings_where_it_is_mounted() {
    let world = world(Routes::new().nest("/{account}/v1", group()).nest("/{account}/v2", group()));
    let expected = |version: &str| {
        format!(
            "/a%20b/{version}/things/a%2Fb%20c /else/{version}/things/1 the path parameter `id` has no value there is no operation `nothing` here"
        )
    };
    assert_eq!(fetch(&world.router, "/a%20b/v1/link").await.body, expected("v1"));
    assert_eq!(fetch(&world.router, "/a%20b/v2/link").await.body, expected("v2"));
    let reply = call(&world, "v2_things_link", json!({ "account": "a b" }), &[]).await;
    assert_eq!(reply.text(), expected("v2"));
}

#[tokio::test]
async fn outside_of_a_request_an_operation_is_found_by_mount() {
    let world = world(Routes::new().nest("/{account}/v1", group()));
    let url = world.urls.url(Some("things"), "show", &[("account", "x"), ("id", "7")]);
    assert_eq!(url.unwrap(), "/x/v1/things/7");
    let url = world.urls.url_at("/{account}/v1", "show", &[("account", "x"), ("id", "..")]);
    assert!(matches!(url, Err(NoUrl::Unfit { .. })));
    assert_eq!(world.urls.url(None, "show", &[]), Err(NoUrl::Unknown("show".into())));
}

async fn sibling(urls: Urls) -> Result<String, String> {
    urls.to("show", &[("id", "1")]).map_err(|error| error.to_string())
}

#[tokio::test]
async fn prompts_and_instructions_of_a_group_find_its_operations_too() {
    let group = group().prompt("hello", sibling, "Says hello").instructions_from(sibling).endpoint();
    let world = world(Routes::new().nest("/{account}/v1", group));
    let reply = send(&world.router, "/ada/v1/mcp", "server/discover", json!({}), &[]).await;
    assert_eq!(reply.result()["instructions"], "/ada/v1/things/1");
    let reply = send(&world.router, "/ada/v1/mcp", "prompts/get", json!({ "name": "hello" }), &[]).await;
    assert_eq!(reply.result()["messages"][0]["content"]["text"], "/ada/v1/things/1");
}

async fn there(urls: Urls) -> String {
    urls.to("there", &[]).unwrap_or_else(|error| error.to_string())
}

async fn elsewhere(urls: Urls) -> String {
    urls.to("elsewhere", &[]).unwrap_or_else(|error| error.to_string())
}

#[tokio::test]
async fn groups_that_share_a_path_by_method_are_told_apart() {
    let one = Routes::new().name("one").route("/it", get(there).tool("x"));
    let other = Routes::new().name("other").route("/it", post(elsewhere).tool("x"));
    let world = world(Routes::new().merge(one).merge(other));
    assert_eq!(call(&world, "one_there", json!({}), &[]).await.text(), "/it");
    assert_eq!(call(&world, "other_elsewhere", json!({}), &[]).await.text(), "/it");
}
