//! A tool once more, through another surface.

use super::{arguments, listed, tool_names};
use crate::wire::{HANDSHAKE, MODERN, server};
use mcp_core::{
    extract::Args,
    handler::ToolCall,
    protocol::{Icon, ToolAnnotations},
    registry::{McpRouter, ToolVisibility, derive, tool, tool_args},
    version::ProtocolVersion,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

const VERSIONS: [ProtocolVersion; 2] = [MODERN, HANDSHAKE];

fn search() -> McpRouter<()> {
    McpRouter::new().tool(
        "search",
        tool_args(["query", "api_key", "limit"], |query: String, key: String, limit: u32| async move {
            format!("{query}/{key}/{limit}")
        })
        .describe("Searches the index (internal)")
        .argument("query", "The query")
        .read_only()
        .tag("internal"),
    )
}

#[tokio::test]
async fn one_handler_is_offered_through_two_surfaces() {
    let server = server(
        search().through(
            derive("search")
                .name("public_search")
                .title("Search")
                .describe("Searches the public catalogue")
                .argument("query", |query| query.rename("q").describe("What to search for"))
                .argument("api_key", |key| key.fixed("s3cret"))
                .argument("limit", |limit| limit.default(10).at_most(50)),
        ),
    );
    assert_eq!(tool_names(&server), ["search", "public_search"]);
    for version in VERSIONS {
        let client = server.client(version);
        let tool = listed(&client, "public_search").await;
        assert_eq!(tool["title"], "Search");
        assert_eq!(tool["description"], "Searches the public catalogue");
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(arguments(&tool), ["q", "limit"]);
        let schema = &tool["inputSchema"];
        assert_eq!(
            schema["properties"]["q"],
            json!({ "description": "What to search for", "type": "string" })
        );
        assert_eq!(schema["properties"]["limit"]["default"], 10);
        assert_eq!(schema["properties"]["limit"]["maximum"], 50);
        assert_eq!(schema["required"], json!(["q"]));
        assert_eq!(schema["additionalProperties"], false);
        assert!(!tool.to_string().contains("api_key") && !tool.to_string().contains("s3cret"));

        let call = |arguments| client.call_tool("public_search", arguments);
        assert_eq!(call(json!({ "q": "cats" })).await.text(), "cats/s3cret/10");
        assert_eq!(call(json!({ "limit": 3, "q": "cats" })).await.text(), "cats/s3cret/3");
        assert_eq!(call(json!({ "q": "cats", "limit": null })).await.text(), "cats/s3cret/10");
        assert_eq!(call(json!({ "q": "cats", "limit": "7" })).await.text(), "cats/s3cret/7");
        let original = json!({ "query": "cats", "api_key": "mine", "limit": 99 });
        assert_eq!(client.call_tool("search", original).await.text(), "cats/mine/99");
    }
    let original = listed(&server.client(MODERN), "search").await;
    assert_eq!(arguments(&original), ["query", "api_key", "limit"]);
}

#[tokio::test]
async fn what_is_wrong_is_told_by_the_published_names() {
    let server = server(
        search().through(
            derive("search")
                .name("public")
                .argument("query", |query| query.rename("q"))
                .argument("api_key", |key| key.fixed("s3cret"))
                .argument("limit", |limit| limit.rename("most").at_most(50)),
        ),
    );
    let client = server.client(MODERN);
    for (arguments, text) in [
        (json!({ "most": 1 }), "missing required argument `q` (string)"),
        (json!({ "q": 1, "most": 1 }), "argument `q`: expected string, got integer 1"),
        (json!({ "q": "a", "most": 51 }), "argument `most`: must be at most 50, got integer 51"),
        (
            json!({ "q": "a", "most": 1, "query": "b" }),
            "unknown argument `query`; accepted arguments: `q`, `most`",
        ),
        (
            json!({ "q": "a", "most": 1, "api_key": "b" }),
            "unknown argument `api_key`; accepted arguments: `q`, `most`",
        ),
    ] {
        let answer = client.call_tool("public", arguments).await;
        assert_eq!(answer.text(), text);
        assert_eq!(answer.result().unwrap()["isError"], true);
    }
}

#[tokio::test]
async fn several_tools_come_from_one_and_looks_are_theirs() {
    let icon = Icon::new("https://example.com/a.png");
    let server = server(
        search()
            .through(
                derive("search")
                    .name("cats")
                    .argument("query", |query| query.fixed("cats"))
                    .argument("api_key", |key| key.fixed("k"))
                    .annotations(ToolAnnotations { idempotent: Some(true), ..ToolAnnotations::default() })
                    .icon(icon),
            )
            .through(
                derive("search")
                    .name("dogs")
                    .argument("query", |query| query.one_of(["dogs", "puppies"]))
                    .order(["limit", "api_key"]),
            ),
    );
    let client = server.client(MODERN);
    let (cats, dogs) = (listed(&client, "cats").await, listed(&client, "dogs").await);
    assert_eq!(cats["annotations"], json!({ "idempotentHint": true }));
    assert_eq!(cats["icons"][0]["src"], "https://example.com/a.png");
    assert_eq!(cats["description"], "Searches the index (internal)");
    assert_eq!(arguments(&cats), ["limit"]);
    assert_eq!(dogs["icons"], json!(null));
    assert_eq!(arguments(&dogs), ["limit", "api_key", "query"]);
    assert_eq!(dogs["inputSchema"]["required"], json!(["limit", "api_key", "query"]));
    assert_eq!(client.call_tool("cats", json!({ "limit": 1 })).await.text(), "cats/k/1");
    let puppies = json!({ "query": "puppies", "api_key": "m", "limit": 2 });
    assert_eq!(client.call_tool("dogs", puppies).await.text(), "puppies/m/2");
    let hens = json!({ "query": "hens", "api_key": "m", "limit": 2 });
    assert_eq!(
        client.call_tool("dogs", hens).await.text(),
        "argument `query`: expected one of \"dogs\", \"puppies\", got string \"hens\""
    );
}

#[tokio::test]
async fn a_tool_in_place_of_its_original_has_its_place() {
    let after = tool(|| async { "after" }).describe("After");
    let server = server(
        search()
            .tool("after", after)
            .through(derive("search").in_place().argument("api_key", |key| key.fixed("k")))
            .through(derive("after").name("later").in_place().visibility(ToolVisibility::Model)),
    );
    assert_eq!(tool_names(&server), ["search", "later"]);
    let client = server.client(MODERN);
    assert_eq!(client.call_tool("search", json!({ "query": "a", "limit": 1 })).await.text(), "a/k/1");
    assert_eq!(client.call_tool("later", json!({})).await.text(), "after");
    assert_eq!(client.call_tool("after", json!({})).await.code(), Some(-32602));
}

#[tokio::test]
async fn deriving_twice_composes() {
    let server = server(
        search()
            .through(
                derive("search")
                    .name("mid")
                    .argument("query", |query| query.rename("q"))
                    .argument("api_key", |key| key.default("k"))
                    .argument("limit", |limit| limit.rename("query").default(10).at_most(50)),
            )
            .through(
                derive("mid")
                    .name("outer")
                    .in_place()
                    .argument("q", |q| q.rename("text"))
                    .argument("query", |limit| limit.rename("q").at_most(20))
                    .argument("api_key", |key| key.hide()),
            )
            .through(derive("outer").name("fixed").argument("q", |limit| limit.fixed(7))),
    );
    assert_eq!(tool_names(&server), ["search", "outer", "fixed"]);
    for version in VERSIONS {
        let client = server.client(version);
        let outer = listed(&client, "outer").await;
        assert_eq!(arguments(&outer), ["text", "q"]);
        assert_eq!(outer["inputSchema"]["required"], json!(["text"]));
        assert_eq!(outer["inputSchema"]["properties"]["q"]["maximum"], 20);
        assert_eq!(outer["inputSchema"]["properties"]["q"]["default"], 10);
        assert_eq!(client.call_tool("outer", json!({ "text": "a" })).await.text(), "a/k/10");
        assert_eq!(client.call_tool("outer", json!({ "text": "a", "q": 20 })).await.text(), "a/k/20");
        assert_eq!(client.call_tool("fixed", json!({ "text": "a" })).await.text(), "a/k/7");
        let hidden = json!({ "text": "a", "limit": 1 });
        assert_eq!(
            client.call_tool("fixed", hidden).await.text(),
            "unknown argument `limit`; accepted arguments: `text`"
        );
    }
}

#[derive(Deserialize, JsonSchema)]
struct Booking {
    seats: u8,
    #[serde(default)]
    note: Option<String>,
    day: Day,
}

#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
struct Day(String);

impl TryFrom<String> for Day {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.ends_with("day") { Ok(Self(text)) } else { Err("no day of the week".to_owned()) }
    }
}

#[tokio::test]
async fn what_only_the_type_refuses_is_told_by_the_published_name() {
    let book = tool(|Args(Booking { seats, note, day }): Args<Booking>| async move {
        format!("{seats} on {} ({})", day.0, note.unwrap_or_default())
    });
    let router = McpRouter::new()
        .tool("book", book.describe("Books seats"))
        .through(derive("book").name("visit").argument("day", |day| day.rename("when")))
        .through(derive("book").name("monthly").argument("day", |day| day.fixed("the first")));
    let server = server(router);
    for version in VERSIONS {
        let client = server.client(version);
        let visit = client.call_tool("visit", json!({ "seats": 2.0, "when": "Monday" })).await;
        assert_eq!(visit.text(), "2 on Monday ()");
        let unfit = client.call_tool("visit", json!({ "seats": 2, "when": "noon" })).await;
        assert_eq!(unfit.text(), "argument `when`: no day of the week");
        let hidden = client.call_tool("monthly", json!({ "seats": 2 })).await;
        assert_eq!(
            hidden.text(),
            "the tool cannot be called: a value that the server adds to the arguments does not fit"
        );
    }
}

#[tokio::test]
async fn the_handler_reads_its_own_arguments_and_the_name_that_was_called() {
    let raw = tool(|call: RawCall| async move { format!("{} {}", call.0, call.1) }).describe("Raw").input_schema(
        json!({ "type": "object", "properties": { "a": {}, "b": { "type": "integer" } }, "required": ["b"] }),
    );
    let router = McpRouter::new().tool("raw", raw).through(
        derive("raw").name("cooked").argument("a", |a| a.rename("z")).argument("b", |b| b.default(5)),
    );
    let client = server(router).client(MODERN);
    let cooked = client.call_tool("cooked", json!({ "z": { "deep": [1, 2] }, "more": true })).await;
    assert_eq!(cooked.text(), r#"cooked {"a":{"deep":[1,2]},"more":true,"b":5}"#);
}

struct RawCall(String, String);

impl<S: Sync> mcp_core::extract::Extract<ToolCall, S> for RawCall {
    type Rejection = mcp_core::handler::ToolError;

    async fn extract(call: &ToolCall, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(call.name().to_owned(), call.arguments_text().to_owned()))
    }
}
