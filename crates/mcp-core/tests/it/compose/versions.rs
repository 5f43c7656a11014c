//! Copies of tools that have versions.

use super::{listed, refused, tool_names};
use crate::wire::{HANDSHAKE, MODERN, agreeing, modern, post, server, with_meta};
use mcp_core::registry::{McpRouter, TOOL_VERSION, TOOL_VERSIONS, ToolBuilder, derive, namespace, tool_args};
use serde_json::json;

fn find(label: &'static str) -> ToolBuilder<()> {
    tool_args(["query", "limit"], move |query: String, limit: u8| async move {
        format!("{label}: {query} {limit}")
    })
    .describe("Finds")
    .tool_version(label)
}

fn source() -> McpRouter<()> {
    McpRouter::new().tool("find", find("2.0")).tool("find", find("10.0")).tool("find", find("1.0"))
}

#[tokio::test]
async fn a_copy_carries_its_own_version_but_not_the_set() {
    let router = source()
        .through(derive("find").name("top").argument("limit", |limit| limit.fixed(9)))
        .through(derive("find").of_version("1.0").name("first"))
        .through(derive("find").of_version("2.0").name("own").tool_version("7"));
    let server = server(router);
    assert_eq!(tool_names(&server), ["find", "top", "first", "own"]);
    for version in [MODERN, HANDSHAKE] {
        let client = server.client(version);
        let original = &listed(&client, "find").await["_meta"];
        assert_eq!(original[TOOL_VERSIONS], json!(["10.0", "2.0", "1.0"]));
        for (name, label) in [("top", "10.0"), ("first", "1.0"), ("own", "7")] {
            assert_eq!(listed(&client, name).await["_meta"], json!({ TOOL_VERSION: label }));
        }
        assert_eq!(client.call_tool("top", json!({ "query": "a" })).await.text(), "10.0: a 9");
        assert_eq!(client.call_tool("first", json!({ "query": "a", "limit": 1 })).await.text(), "1.0: a 1");
    }
    let call = |label: &str| {
        let call = modern(1, "tools/call", json!({ "name": "top", "arguments": { "query": "a" } }));
        with_meta(call, json!({ TOOL_VERSION: label }))
    };
    let (own, other) = (call("10.0"), call("1.0"));
    assert_eq!(post(&server, &own, &agreeing(&own)).await.text(), "10.0: a 9");
    assert_eq!(
        post(&server, &other, &agreeing(&other)).await.message(),
        "tool `top` has no version `1.0`; available: 10.0"
    );
}

#[tokio::test]
async fn copies_of_several_versions_under_one_name_are_a_set_again() {
    let router = source()
        .through(derive("find").of_version("1.0").name("search").argument("limit", |limit| limit.default(5)))
        .through(
            derive("find").of_version("10.0").name("search").argument("query", |query| query.rename("q")),
        )
        .through(namespace("ns"));
    let client = server(router).client(MODERN);
    assert_eq!(
        listed(&client, "ns_search").await["_meta"],
        json!({ TOOL_VERSION: "10.0", TOOL_VERSIONS: ["10.0", "1.0"] })
    );
    assert_eq!(client.call_tool("ns_search", json!({ "q": "a", "limit": 1 })).await.text(), "10.0: a 1");
}

#[tokio::test]
async fn one_version_is_replaced_and_the_others_stay() {
    let router = source()
        .through(derive("find").of_version("2.0").in_place().argument("limit", |limit| limit.fixed(2)));
    let server = server(router);
    assert_eq!(
        listed(&server.client(MODERN), "find").await["_meta"][TOOL_VERSIONS],
        json!(["10.0", "2.0", "1.0"])
    );
    let call = modern(1, "tools/call", json!({ "name": "find", "arguments": { "query": "a" } }));
    let call = with_meta(call, json!({ TOOL_VERSION: "2.0" }));
    assert_eq!(post(&server, &call, &agreeing(&call)).await.text(), "2.0: a 2");
}

#[test]
fn a_version_that_is_not_there_is_told_with_those_that_are() {
    let plain = tool_args(["a"], |a: String| async move { a }).describe("Plain");
    let router = source()
        .tool("plain", plain)
        .through(derive("find").of_version("3.0").name("x"))
        .through(derive("plain").of_version("1").name("y"))
        .through(derive("find").of_version("1.0").name("z").tool_version("a b"));
    assert_eq!(
        refused(router),
        [
            "tool `x`: derived from version `3.0` of `find`, which is not here; there are `2.0`, `10.0`, `1.0`",
            "tool `y`: derived from version `1` of `plain`, which has no versions",
            "tool `z`: a version has no spaces and no control characters",
        ]
    );
}
