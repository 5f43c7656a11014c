//! Composition while a server runs.

use super::{arguments, listed, told, tool_names};
use crate::wire::{MODERN, serving};
use mcp_core::registry::{McpRouter, Which, derive, keep, tool, tool_args};
use serde_json::json;

fn source() -> McpRouter<()> {
    let search =
        tool_args(["query", "limit"], |query: String, limit: u8| async move { format!("{query} {limit}") });
    McpRouter::new()
        .tool("search", search.describe("Searches"))
        .tool("other", tool(|| async { "x" }).describe("X"))
}

#[tokio::test]
async fn a_tool_is_derived_from_one_that_is_served() {
    let router = source().through(derive("search").name("q").argument("query", |query| query.rename("q")));
    let server = serving(router).dynamic().build().unwrap();
    let client = server.client(MODERN);
    server
        .update(|edit| {
            edit.derive(derive("q").name("few").argument("limit", |limit| limit.fixed(3)));
            edit.derive(derive("few").name("cats").in_place().argument("q", |q| q.fixed("cats")));
        })
        .unwrap();
    assert_eq!(tool_names(&server), ["search", "other", "q", "cats"]);
    assert_eq!(arguments(&listed(&client, "cats").await), [""; 0]);
    assert_eq!(client.call_tool("cats", json!({})).await.text(), "cats 3");
    assert_eq!(
        client.call_tool("cats", json!({ "limit": 4 })).await.text(),
        "unknown argument `limit`; this tool takes no arguments"
    );
    assert_eq!(client.call_tool("q", json!({ "q": "a", "limit": 4 })).await.text(), "a 4");
    server.update(|edit| assert!(edit.remove_tool("search"))).unwrap();
    assert_eq!(client.call_tool("cats", json!({})).await.text(), "cats 3", "a copy outlives its original");
}

#[tokio::test]
async fn what_cannot_work_changes_nothing() {
    let server = serving(source()).dynamic().build().unwrap();
    let before = server.catalogue().digest();
    let refused = server.update(|edit| {
        edit.derive(derive("search").name("ok"));
        edit.derive(derive("serach").name("x"));
        edit.derive(derive("search"));
        edit.derive(derive("search").name("y").argument("query", |query| query.hide()));
        edit.derive(derive("search").name("a b").describe(""));
        edit.router(source().through(keep(Which::tools(["serch"]))));
    });
    assert_eq!(
        told(&refused.unwrap_err()),
        [
            "tool `x`: derived from `serach`, which is not here; did you mean `search`?",
            "tool `search`: a derived tool beside its original needs a name; add `.name(\"…\")`, or `.in_place()`",
            "tool `y`: argument `query` of `search`: it is hidden without a value, and the tool requires it; use \
             `.fixed(…)`, or give a default",
            "tool `a b`: a name has no spaces, commas or control characters",
            "tool `a b`: a tool needs a description; add `.describe(\"…\")`",
            "tool `serch`: `keep` names it, and it is not here; did you mean `search`?",
        ]
    );
    assert_eq!(server.catalogue().digest(), before);
}

#[tokio::test]
async fn a_part_is_exchanged_for_another_that_went_through_steps() {
    let server = serving(source()).dynamic().build().unwrap();
    server
        .update(|edit| {
            edit.remove_tool("search");
            let new =
                source().through(derive("search").in_place().argument("limit", |limit| limit.default(1)));
            edit.router(new.through(keep(Which::tools(["search"]))));
        })
        .unwrap();
    assert_eq!(tool_names(&server), ["other", "search"]);
    let client = server.client(MODERN);
    assert_eq!(client.call_tool("search", json!({ "query": "a" })).await.text(), "a 1");
}
