//! URLs of operations.

use crate::world::{call, fetch, world};
use axum::extract::Path;
use mcp_server::routes::{NoUrl, Routes, Urls, get};
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
