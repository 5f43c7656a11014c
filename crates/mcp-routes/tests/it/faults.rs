//! What cannot be served is told when the application is built, all at once, and panics nowhere.

use crate::world::faults;
use axum::{
    Json, Router,
    extract::{Path, Query},
};
use http::Method;
use mcp_server::{
    ToolVisibility,
    routes::{Expose, OpenApi, RouteOptions, Routes, by_hand, get, head, post},
};
use std::collections::BTreeMap;
use utoipa::openapi::{Info, Paths};

async fn one() -> &'static str {
    "one"
}

async fn two() -> &'static str {
    "two"
}

async fn item(Path((_, _)): Path<(String, String)>) {}

#[test]
fn routes_that_cannot_stand_side_by_side_are_told_all_at_once() {
    let told = faults(
        Routes::new()
            .route("/a/{x}", get(one))
            .route("/a/{y}", post(two))
            .route("/b", get(one))
            .route("/b", get(two))
            .route("/c", get(one))
            .route("/c", head(two))
            .route("/d/{id}/e/{id}", get(item))
            .route("no-slash", get(one))
            .route("/f/{*rest}/g", get(one))
            .route("/g/{", get(one))
            .route("/h", by_hand(Method::from_bytes(b"BREW").unwrap(), one)),
    );
    for text in [
        "route `POST /a/{y}`: it matches the same as `/a/{x}`",
        "route `GET /b`: GET is served there already",
        "route `HEAD /c`: GET is served there already, and answers HEAD",
        "the path parameter `id` stands twice",
        "route `GET no-slash`: a path begins with `/`",
        "route `GET /f/{*rest}/g`: `{*…}` stands at the end",
        "route `GET /g/{`",
        "route `BREW /h`: its method is none that axum routes",
    ] {
        assert!(told.contains(text), "{text} is missing in {told}");
    }
}

#[test]
fn mounts_that_clash_are_told() {
    let group = || Routes::new().route("/{id}", get(one)).route("/", get(two));
    let told = faults(
        Routes::new()
            .route("/users/{name}", get(one))
            .nest("/users", group())
            .nest("/x/{id}", group())
            .nest("/y/{*rest}", group())
            .nest("z", group()),
    );
    assert!(told.contains("route `GET /users/{id}`: it matches the same as `/users/{name}`"), "{told}");
    assert!(told.contains("route `GET /x/{id}/{id}`: the path parameter `id` stands twice"), "{told}");
    assert!(told.contains("nothing can be mounted below `{*…}`"), "{told}");
    assert!(told.contains("the routes mounted at `z`: a path begins with `/`"), "{told}");
}

#[test]
fn what_only_axum_knows_is_a_fault_and_no_panic() {
    let plain: Router = Router::new().route("/a", axum::routing::get(one));
    let told = faults(Routes::new().route("/a", get(two)).router(plain));
    assert!(told.contains("a merged router"), "{told}");
    let told = faults(Routes::new().route("/a", get(two)).route("/a", axum::routing::get(one)));
    assert!(told.contains("route `/a`"), "{told}");
}

#[test]
fn an_endpoint_finds_its_path_taken_by_routes_that_only_axum_knows() {
    let plain = |path: &str| Router::new().route(path, axum::routing::get(one));
    let group = || Routes::new().route("/x", get(one)).endpoint();
    for (routes, text) in [
        (Routes::new().router(plain("/mcp")), "endpoint: the path `/mcp` is taken"),
        (Routes::new().router(plain("/mcp/")), "endpoint: the path `/mcp` is taken"),
        (Routes::new().route("/mcp/", get(one)), "endpoint: the path `/mcp` is taken"),
        (Routes::new().router(plain("/g/mcp")).nest("/g", group()), "the path `/g/mcp` is taken"),
        (group(), "the path `/mcp` is taken"),
    ] {
        let told = faults(routes);
        assert!(told.contains(text), "{text} is missing in {told}");
    }
}

#[test]
fn endpoints_that_match_the_same_urls_are_told() {
    let group = || Routes::new().prompt("hello", one, "Says hello").endpoint();
    let told = faults(Routes::new().nest("/a/{x}", group()).nest("/a/{y}", group()));
    assert!(
        told.contains("the endpoint of the group at `/a/{y}`: its path is taken by `/a/{x}/mcp`"),
        "{told}"
    );
    let told = faults(Routes::new().nest("/a", Routes::new().route("/x", get(one)).endpoint_at("mcp")));
    assert!(told.contains("its path `mcp` begins with no `/`; write `/mcp`"), "{told}");
}

#[test]
fn braces_that_are_text_are_no_parameter() {
    crate::world::world(Routes::new().route("/a/{{}}", get(one)).route("/a/{x}", get(two)));
}

async fn takes_body(_: Json<String>) {}
async fn takes_any(_: Query<BTreeMap<String, String>>) {}

#[test]
fn what_a_prompt_or_a_resource_cannot_have_is_told() {
    let told = faults(
        Routes::new()
            .prompt("body", takes_body, "Takes a body")
            .prompt("any", takes_any, "Takes anything")
            .prompt("blank", one, " ")
            .prompt("documented", one, Expose::documented())
            .prompt("lost", one, Expose::new("Loses").argument("nothing", "Is not there"))
            .prompt("fixed", one, Expose::new("Fixes").fixed("a", 1))
            .route("/r", get(one).resource("app://r", Expose::new("Reads").default_value("a", 1)))
            .route("/s", get(two).resource("app://s", Expose::new("Reads").with(|tool| tool)))
            .route("/t", get(two).resource("app://t", Expose::new("Reads").argument("a", "b")))
            .route("/u", get(two).resource("app://u", Expose::new("Reads").read_only().envelope()))
            .route("/v", get(two).resource("app://v", Expose::new("Reads").returns::<String>()))
            .route("/w", get(one).tool(Expose::new("Tells").mime_type("text/plain")))
            .prompt("typed", one, Expose::new("Asks").mime_type("text/plain"))
            .prompt("seen", one, Expose::new("Asks").visibility(ToolVisibility::Model)),
    );
    for text in [
        "prompt `body`: its handler needs `body`, which no argument of a prompt can be",
        "prompt `any`: its handler takes parameters of any name",
        "prompt `blank`: a prompt needs a description",
        "prompt `documented`: a prompt's handler has no documentation",
        "prompt `lost`: there is no argument `nothing`",
        "prompt `fixed`: only the arguments of tools are given values",
        "resource `app://r`: only the arguments of tools are given values",
        "resource `app://s`: only tools are set up by `Expose::with`",
        "resource `app://t`: a resource has no arguments",
        "resource `app://u`: only tools have `annotations`",
        "resource `app://u`: only tools have `envelope` or `body_only`",
        "resource `app://v`: only tools have `returns`",
        "tool `one`: only resources have a `mime_type`",
        "prompt `typed`: only resources have a `mime_type`",
        "prompt `seen`: only tools have `visibility`",
    ] {
        assert!(told.contains(text), "{text} is missing in {told}");
    }
}

#[test]
fn what_holds_for_the_whole_application_is_not_said_of_a_part_of_it() {
    let keyed = || Routes::new().options(RouteOptions::default().credential_header("x-room-key"));
    let document = OpenApi::new(Info::new("Rooms", "1"), Paths::new());
    let told = faults(
        Routes::new()
            .nest("/rooms", keyed().route("/one", get(one)))
            .merge(Routes::new().document(document).route("/two", get(two))),
    );
    assert!(told.contains("the routes mounted at `/rooms`: `options` holds for the whole"), "{told}");
    assert!(told.contains("the routes mounted at `/`: `document` holds for the whole"), "{told}");
}

#[test]
fn instructions_of_a_group_that_is_no_endpoint_are_told() {
    let told = faults(
        Routes::new()
            .instructions("Read this first")
            .route("/one", get(one))
            .nest("/rooms", Routes::new().instructions_from(two)),
    );
    assert!(told.contains("the group at `/`: it has instructions and no endpoint"), "{told}");
    assert!(told.contains("the group at `/rooms`: it has instructions and no endpoint"), "{told}");
}
