//! Names of tools, where they come from handlers.

use crate::world::{faults, post as send, world};
use axum::{
    Extension,
    extract::Request,
    handler::Handler,
    middleware::{Next, from_fn},
    response::Response,
};
use http::Method;
use mcp_server::routes::{Routes, by_hand, get};
use serde_json::json;
use std::{future::Future, marker::PhantomData};

struct Page<T>(PhantomData<T>);

impl<T: 'static> Page<T> {
    async fn show_page() -> &'static str {
        "page"
    }
}

trait Listed {
    fn show_list() -> impl Future<Output = &'static str> + Send;
}

impl Listed for Page<u8> {
    async fn show_list() -> &'static str {
        "list"
    }
}

async fn show<T>(_: Option<Extension<T>>) -> &'static str
where
    T: Clone + Send + Sync + 'static,
{
    "generic"
}

async fn plain() -> &'static str {
    "plain"
}

async fn pass(request: Request, next: Next) -> Response {
    next.run(request).await
}

#[tokio::test]
async fn a_tool_is_named_after_its_function_or_method_whatever_types_it_has() {
    let world = world(
        Routes::new()
            .route("/1", get(Page::<u8>::show_page).tool("x"))
            .route("/2", get(<Page<u8> as Listed>::show_list).tool("x"))
            .route("/3", get(show::<fn(u32) -> Vec<u8>>).tool("x")),
    );
    let list = send(&world.router, "/mcp", "tools/list", json!({}), &[]).await;
    assert_eq!(list.names("tools"), ["show_page", "show_list", "show"]);
}

#[test]
fn a_handler_without_a_name_needs_one_for_a_tool_and_for_a_resource() {
    let wrapped = || by_hand(Method::GET, Handler::<((),), ()>::layer(plain, from_fn(pass)));
    let pointer: fn() -> std::future::Ready<&'static str> = || std::future::ready("x");
    for route in [get(async || "x"), wrapped(), get(pointer)] {
        let told = faults(Routes::new().route("/it", route.clone().tool("x")));
        assert!(told.contains("the route `GET /it` has no name"), "{told}");
        let told = faults(Routes::new().route("/it", route.resource("app://it", "x")));
        assert!(told.contains("resource `app://it`: the route `GET /it` has no name"), "{told}");
    }
}
