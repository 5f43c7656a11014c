//! Catalogues of several sources.

use super::{listed, refused, tool_names};
use crate::wire::{MODERN, server, serving};
use mcp_core::{
    protocol::Resource,
    registry::{McpRouter, TOOL_VERSIONS, ToolBuilder, derive, prompt, resource, tool},
};
use serde_json::json;

fn says(text: &'static str) -> ToolBuilder<()> {
    tool(move || async move { text }).describe("Says")
}

#[tokio::test]
async fn versions_of_one_tool_come_from_several_sources() {
    let router = McpRouter::new()
        .merge(McpRouter::new().tool("say", says("two").tool_version("2.0")).source("new"))
        .merge(McpRouter::new().tool("say", says("one").tool_version("1.0")).source("old"))
        .nest("ns", McpRouter::new().tool("say", says("one").tool_version("1.0")))
        .nest("ns", McpRouter::new().tool("say", says("ten").tool_version("10.0")));
    let client = server(router).client(MODERN);
    assert_eq!(listed(&client, "say").await["_meta"][TOOL_VERSIONS], json!(["2.0", "1.0"]));
    assert_eq!(listed(&client, "ns_say").await["_meta"][TOOL_VERSIONS], json!(["10.0", "1.0"]));
    assert_eq!(client.call_tool("say", json!({})).await.text(), "two");
    assert_eq!(client.call_tool("ns_say", json!({})).await.text(), "ten");
}

#[test]
fn names_that_two_sources_have_are_refused_and_both_are_named() {
    let part = |label: &str| {
        McpRouter::new()
            .tool("say", says("x").tool_version(label))
            .tool("plain", says("x"))
            .resource("test://r", resource(|| async { "x" }))
            .resource("test://{t}", resource(|| async { "x" }))
            .prompt("ask", prompt(|| async { "x" }))
    };
    let router = McpRouter::new()
        .merge(part("1.0").source("orders"))
        .merge(McpRouter::new().nest("", part("1")).source("billing").source("never told"))
        .nest("deep", McpRouter::new().tool("t", says("x")).source("one"))
        .nest("deep", McpRouter::new().tool("t", says("x")));
    assert_eq!(
        refused(router),
        [
            "tool `say`: registered twice, from `orders` with version `1.0` and from `billing` with version `1`, \
             which are equal; give one of them another version",
            "tool `plain`: registered twice, from `orders` without a version and from `billing` without a version; \
             give one of them another name, or each a version",
            "tool `deep_t`: registered twice, in the namespace `deep` from `one` without a version and in the \
             namespace `deep` without a version; give one of them another name, or each a version",
            "resource `test://r`: registered twice, from `orders` and from `billing`; give one of them another name",
            "resource template `test://{t}`: registered twice, from `orders` and from `billing`; give one of them \
             another name",
            "prompt `ask`: registered twice, from `orders` and from `billing`; give one of them another name",
        ]
    );
}

#[tokio::test]
async fn the_order_is_that_in_which_sources_were_put_together() {
    let part = |name: &'static str| {
        McpRouter::new()
            .tool(format!("{name}2"), says("x"))
            .tool(format!("{name}1"), says("x"))
            .list_resources(move || async move { vec![Resource::new(format!("test://{name}"), name)] })
    };
    let make = || {
        McpRouter::new()
            .merge(part("b"))
            .tool("own", says("x"))
            .merge(part("a"))
            .through(derive("b1").name("copy"))
            .nest("n", part("c"))
    };
    let one = server(make());
    assert_eq!(tool_names(&one), ["b2", "b1", "own", "a2", "a1", "copy", "n_c2", "n_c1"]);
    assert_eq!(one.catalogue().digest(), server(make()).catalogue().digest());
    let list = one.client(MODERN).request("resources/list", json!({})).await;
    let uris: Vec<_> =
        list.result().unwrap()["resources"].as_array().unwrap().iter().map(|r| &r["uri"]).collect();
    assert_eq!(uris, ["test://b", "test://a", "test://c"]);
}

#[tokio::test]
async fn a_copy_in_a_namespace_goes_on_working() {
    let inner = McpRouter::new()
        .tool("find", says("found"))
        .through(derive("find").name("search").describe("Searches"))
        .source("inner");
    let server = serving(McpRouter::new().nest("a", McpRouter::new().nest("b", inner))).build().unwrap();
    assert_eq!(tool_names(&server), ["a_b_find", "a_b_search"]);
    assert_eq!(server.client(MODERN).call_tool("a_b_search", json!({})).await.text(), "found");
}
