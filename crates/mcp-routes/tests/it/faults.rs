//! What cannot be served is told when the application is built, all at once, and panics nowhere.

use crate::world::faults;
use axum::{Router, extract::Path};
use http::Method;
use mcp_server::routes::{Routes, by_hand, get, head, post};

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
