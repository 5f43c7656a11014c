//! Derivations that cannot work, all told at once when the server is built.

use super::refused;
use mcp_core::{
    json::RawJson,
    registry::{DerivedTool, McpRouter, derive, tool, tool_args},
};
use serde_json::json;

fn search() -> McpRouter<()> {
    let search = tool_args(
        ["query", "limit", "kind", "page"],
        |query: String, limit: u8, _: Option<bool>, _: Option<i64>| async move { format!("{query} {limit}") },
    );
    McpRouter::new().tool("search", search.describe("Searches"))
}

/// The problems of a tool derived as `x`, without what is the same for all.
#[track_caller]
fn problems(tool: DerivedTool) -> Vec<String> {
    let lines = refused(search().through(tool.name("x")));
    lines.iter().map(|line| line.strip_prefix("tool `x`: ").unwrap().to_owned()).collect()
}

#[test]
fn every_fault_comes_at_once_and_names_its_tool_and_argument() {
    let router = search()
        .through(derive("serach").name("near"))
        .through(derive("nothing").name("far"))
        .through(derive("search"))
        .through(
            derive("search")
                .name("bad")
                .argument("query", |query| query.hide())
                .argument("limt", |limit| limit.default(1))
                .argument("limit", |limit| limit.default(300))
                .argument("kind", |kind| kind.required().default(true))
                .argument("page", |page| page.rename("query").narrow(json!({ "type": "string" }))),
        )
        .through(
            derive("search").name("bad2").argument("query", |query| query.rename("limit")).describe(" "),
        );
    assert_eq!(
        refused(router),
        [
            "tool `near`: derived from `serach`, which is not here; did you mean `search`?",
            "tool `far`: derived from `nothing`, which is not here; register it before it is derived from",
            "tool `search`: a derived tool beside its original needs a name; add `.name(\"…\")`, or `.in_place()`",
            "tool `bad`: argument `query` of `search`: it is hidden without a value, and the tool requires it; use \
             `.fixed(…)`, or give a default",
            "tool `bad`: argument `limt` of `search`: there is no such argument; did you mean `limit`?",
            "tool `bad`: argument `limit` of `search`: its default `300` does not fit its schema",
            "tool `bad`: argument `kind` of `search`: it has a default and is required at once; choose one",
            "tool `bad`: argument `page` of `search`: `type` names string, and the tool takes integer or null there",
            "tool `bad2`: a tool needs a description; add `.describe(\"…\")`",
            "tool `bad2`: argument `limit` of `search`: it is published as `limit`, and so is `query`; give one of \
             them another name",
        ]
    );
}

#[test]
fn an_argument_is_hidden_soundly_or_not_at_all() {
    assert_eq!(
        problems(derive("search").argument("query", |query| query.hide().required())),
        [
            "argument `query` of `search`: it is hidden and required at once; choose one",
            "argument `query` of `search`: it is hidden without a value, and the tool requires it; use `.fixed(…)`, \
             or give a default",
        ]
    );
    assert_eq!(
        problems(derive("search").argument("query", |query| query.fixed("a").rename("b"))),
        [
            "argument `query` of `search`: it is hidden, so nothing else of it is published; take the other changes out"
        ]
    );
    assert_eq!(
        problems(derive("search").argument("query", |query| query.fixed(f64::NAN))),
        ["argument `query` of `search`: its value is no JSON: a number is not finite"]
    );
    assert_eq!(
        problems(derive("search").argument("kind", |kind| kind.hide()).order(["kind"])),
        ["argument `kind` of `search`: it has a place in the order, and is hidden"]
    );
}

#[test]
fn names_and_places_are_given_once() {
    assert_eq!(
        problems(
            derive("search")
                .argument("query", |query| query.rename("q"))
                .argument("query", |query| query.describe("Q"))
        ),
        ["argument `query` of `search`: it is changed twice; put both changes into one"]
    );
    assert_eq!(
        problems(derive("search").order(["limit", "limit", "none"])),
        [
            "argument `limit` of `search`: it has two places in the order",
            "argument `none` of `search`: there is no such argument; there are `query`, `limit`, `kind`, `page`",
        ]
    );
    for (name, problem) in [
        (String::new(), "the name of an argument has 1 to 128 bytes"),
        ("x".repeat(129), "the name of an argument has 1 to 128 bytes"),
        ("a\nb".to_owned(), "the name of an argument has no control characters"),
    ] {
        let told = problems(derive("search").argument("query", |query| query.rename(name)));
        assert_eq!(told, [format!("argument `query` of `search`: {problem}")]);
    }
    let router = search().through(derive("search").name("search"));
    assert_eq!(
        refused(router),
        [
            "tool `search`: registered twice, outside of any namespace without a version and outside of any namespace \
          without a version; give one of them another name, or each a version"
        ]
    );
}

#[test]
fn a_default_is_published_exactly_or_not_at_all() {
    let any = tool(|_: mcp_core::extract::Args<std::collections::BTreeMap<String, RawJson>>| async { "x" })
        .describe("Any")
        .input_schema(json!({ "type": "object", "properties": { "any": {} } }));
    for number in ["1e400", "0.10000000000000001", "123456789012345678901234567890"] {
        let number = RawJson::parse(number).unwrap();
        let copy = derive("any").name("copy").argument("any", |any| any.default(number));
        assert_eq!(
            refused(McpRouter::new().tool("any", any.clone()).through(copy)),
            [
                "tool `copy`: argument `any` of `any`: its default has a number with more digits than a schema can \
              publish; write fewer"
            ]
        );
    }
}

#[test]
fn a_header_is_neither_lost_nor_doubled() {
    let tool = tool(|| async { "x" }).describe("X").input_schema(json!({
        "type": "object",
        "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "nested": { "type": "object", "properties": { "zone": { "type": "string", "x-mcp-header": "Zone" } } },
        },
    }));
    let router = McpRouter::new().tool("routed", tool).through(
        derive("routed")
            .name("copy")
            .argument("region", |region| region.fixed("eu"))
            .argument("nested", |nested| nested.hide()),
    );
    let lost = "it is hidden, and its `x-mcp-header` would be lost; leave it visible, or take the header from the tool";
    assert_eq!(
        refused(router),
        [
            format!("tool `copy`: argument `region` of `routed`: {lost}"),
            format!("tool `copy`: argument `nested` of `routed`: {lost}"),
        ]
    );
    assert_eq!(
        problems(derive("search").argument("query", |query| query.narrow(json!({ "x-mcp-header": "Q" })))),
        ["argument `query` of `search`: `x-mcp-header` has no place in a narrowing; take it out"]
    );
}

#[test]
fn a_fault_of_the_first_derivation_is_told_and_no_consequences_of_it() {
    let router = search()
        .through(derive("search").name("first").argument("nothing", |nothing| nothing.rename("n")))
        .through(derive("first").name("second").in_place().argument("n", |n| n.rename("m")));
    assert_eq!(
        refused(router),
        [
            "tool `second`: argument `nothing` of `search`: there is no such argument; there are `query`, `limit`, \
          `kind`, `page`"
        ]
    );
}
