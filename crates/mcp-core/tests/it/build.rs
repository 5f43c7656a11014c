//! What keeps a server from being built: every fault at once, each with its subject and what to write instead.

use crate::wire::{server, serving};
use mcp_core::{
    context::Context,
    extract::Args,
    handler::PromptGet,
    protocol::{CallToolResult, Icon, Implementation, PromptArgument, ToolAnnotations},
    registry::{BuildFaults, McpRouter, NameRule, ToolBuilder, prompt, resource, tool, tool_args},
    schema::SchemaBounds,
    server::{Limits, Server, ServerBuilder},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

fn plain(description: &str) -> ToolBuilder<()> {
    tool(|| async { "x" }).describe(description)
}

fn faults(builder: ServerBuilder) -> BuildFaults {
    builder.build().unwrap_err()
}

fn subjects(faults: &BuildFaults) -> Vec<&str> {
    faults.iter().map(|fault| fault.subject()).collect()
}

/// The one problem a router has.
#[track_caller]
fn problem(router: McpRouter<()>) -> (String, String) {
    let faults = faults(serving(router));
    let all: Vec<_> = faults.iter().collect();
    let [only] = all[..] else { panic!("{faults}") };
    (only.subject().to_owned(), only.problem().to_owned())
}

#[derive(Deserialize, JsonSchema)]
struct Nested {
    #[expect(dead_code, reason = "only its type matters")]
    inner: Inner,
}

#[derive(Deserialize, JsonSchema)]
struct Inner {
    #[expect(dead_code, reason = "only its type matters")]
    value: String,
}

#[derive(Deserialize, JsonSchema)]
struct City {
    #[expect(dead_code, reason = "only its name matters")]
    city: String,
}

#[test]
fn all_faults_come_at_once_and_name_their_primitive() {
    let router = McpRouter::new()
        .tool("blank", plain("  \n"))
        .tool("", plain("No name"))
        .tool("a b", plain("A space"))
        .tool("both", plain("Both").read_only().destructive())
        .tool("icon", plain("Icon").icon(Icon::new("http://example.com/i.png")))
        .tool("twice", plain("Once"))
        .tool("twice", plain("Twice"))
        .tool("fine", plain("Fine"))
        .resource("relative/path", resource(|| async { "x" }))
        .resource("test://{", resource(|| async { "x" }))
        .prompt("nested", prompt(|_: Args<Nested>| async { "x" }))
        .prompt("a,b", prompt(|| async { "x" }));
    let limits = Limits { output_bytes: 1, teardown: Duration::ZERO, ..Limits::default() };
    let builder = Server::builder(router, Arc::new(crate::runtime::TestRuntime)).limits(limits);
    let faults = faults(builder);
    assert_eq!(
        subjects(&faults),
        [
            "name",
            "version",
            "limits.output_bytes",
            "limits.teardown",
            "limits.output_json",
            "tool `blank`",
            "tool ``",
            "tool `a b`",
            "tool `both`",
            "tool `icon`",
            "resource `relative/path`",
            "resource template `test://{`",
            "prompt `nested`",
            "prompt `a,b`",
            "tool `twice`",
        ]
    );
    let text = faults.to_string();
    assert!(text.starts_with("the server cannot be built, 15 faults:\n  name: "), "{text}");
    assert!(text.contains(".describe(") && text.contains("argument `inner` cannot be text"), "{text}");
}

#[test]
fn one_fault_reads_as_one_line() {
    let text = faults(serving(McpRouter::new().tool("t", plain("")))).to_string();
    assert_eq!(
        text,
        "the server cannot be built: tool `t`: a tool needs a description; add `.describe(\"…\")`"
    );
}

#[test]
fn names_are_refused_only_where_clients_cannot_use_them() {
    let built = |name: &str| serving(McpRouter::new().tool(name, plain("x"))).build();
    for name in ["a", "größe", "a/b", "A.b-c_d", &"x".repeat(128)] {
        assert!(built(name).is_ok(), "{name}");
    }
    for name in ["", " ", "a b", "a,b", "a\u{7}", "a\u{a0}b", "a\nb", &"x".repeat(129), &"é".repeat(65)] {
        assert!(built(name).is_err(), "{name:?}");
    }
    let any = serving(McpRouter::new().tool("größe", plain("x"))).names(NameRule::Any).build();
    assert!(any.is_ok());
    assert!(serving(McpRouter::new().tool("a b", plain("x"))).names(NameRule::Any).build().is_err());
}

#[test]
fn hints_that_contradict_each_other_are_refused() {
    let hints =
        |read_only, destructive| ToolAnnotations { read_only, destructive, ..ToolAnnotations::default() };
    let built = |hints| serving(McpRouter::new().tool("t", plain("x").annotations(hints))).build();
    assert!(built(hints(Some(true), Some(true))).is_err());
    for (read_only, destructive) in
        [(Some(true), Some(false)), (Some(true), None), (Some(false), Some(true)), (None, Some(true))]
    {
        assert!(built(hints(read_only, destructive)).is_ok());
    }
}

#[test]
fn icons_come_from_https_or_are_embedded() {
    let built = |icon: Icon| {
        let identity = Implementation::new("n", "1").icon(icon.clone());
        let router = McpRouter::new()
            .tool("t", plain("x").icon(icon.clone()))
            .resource("test://a", resource(|| async { "x" }).icon(icon.clone()))
            .resource("test://{a}", resource(|| async { "x" }).icon(icon.clone()))
            .prompt("p", prompt(|| async { "x" }).icon(icon));
        serving(router).identity(identity).build()
    };
    for good in ["https://example.com/i.png", "HTTPS://EXAMPLE.COM/i.png", "data:image/png;base64,AA=="] {
        assert!(built(Icon::new(good)).is_ok(), "{good}");
    }
    assert!(built(Icon::embedded("image/png", b"x")).is_ok());
    for bad in [
        "http://example.com/i.png",
        "",
        "i.png",
        "javascript:alert(1)",
        "file:///i.png",
        "éééééééé",
        "httpsé//",
    ] {
        let faults = built(Icon::new(bad)).unwrap_err();
        let named =
            ["icons", "tool `t`", "resource `test://a`", "resource template `test://{a}`", "prompt `p`"];
        assert_eq!(subjects(&faults), named, "{bad}");
    }
}

#[test]
fn one_name_is_registered_once() {
    let uris = McpRouter::new()
        .resource("FILE:///d/caf%c3%a9", resource(|| async { "x" }))
        .resource("file:///d/caf%C3%A9", resource(|| async { "x" }));
    assert!(problem(uris).1.contains("registered twice"));
    let templates = McpRouter::new()
        .resource("test://{a}", resource(|| async { "x" }))
        .resource("test://{a}", resource(|| async { "x" }));
    assert_eq!(problem(templates).0, "resource template `test://{a}`");
    let merged = McpRouter::new()
        .prompt("p", prompt(|| async { "x" }))
        .merge(McpRouter::new().prompt("p", prompt(|| async { "x" })));
    assert_eq!(problem(merged).0, "prompt `p`");
    let apart =
        McpRouter::new().tool("p", plain("x")).prompt("p", prompt(|| async { "x" })).tool("P", plain("x"));
    assert!(serving(apart).build().is_ok());
}

#[test]
fn completers_belong_to_arguments_that_exist() {
    let completer = || async { vec!["a"] };
    let wrong_argument =
        McpRouter::new().prompt("p", prompt(|_: Args<City>| async { "x" }).complete("town", completer));
    assert_eq!(
        problem(wrong_argument),
        ("prompt `p`".into(), "the prompt has no argument `town` to complete".into())
    );
    let wrong_variable =
        McpRouter::new().resource("test://{id}", resource(|| async { "x" }).complete("name", completer));
    assert!(problem(wrong_variable).1.contains("no variable `name`"));
    let fixed = McpRouter::new().resource("test://id", resource(|| async { "x" }).complete("id", completer));
    assert!(problem(fixed).1.contains("variables of a template"));
    let twice = McpRouter::new().prompt(
        "p",
        prompt(|_: Args<City>| async { "x" }).complete("city", completer).complete("city", completer),
    );
    assert!(problem(twice).1.contains("`city`"));
}

#[test]
fn prompt_arguments_are_distinct_and_have_names() {
    let with = |arguments: Vec<PromptArgument>| {
        McpRouter::new().prompt("p", prompt(|_: PromptGetAsIs| async { "x" }).arguments(arguments))
    };
    assert!(
        problem(with(vec![PromptArgument::required("a"), PromptArgument::optional("a")])).1.contains("`a`")
    );
    assert!(problem(with(vec![PromptArgument::required("")])).1.contains("name"));
    assert!(
        serving(with(vec![PromptArgument::required("a"), PromptArgument::optional("b")])).build().is_ok()
    );
}

/// Takes nothing from the request.
struct PromptGetAsIs;

impl<S: Sync> mcp_core::extract::Extract<PromptGet, S> for PromptGetAsIs {
    type Rejection = std::convert::Infallible;

    async fn extract(_: &PromptGet, _: &S) -> Result<Self, std::convert::Infallible> {
        Ok(Self)
    }
}

#[test]
fn templates_that_cannot_be_matched_are_refused() {
    for uri in [
        "test://{",
        "test://{a",
        "test://{}",
        "test://{a}{b}",
        "test://{a}{+b}",
        "test://{a b}",
        "notes/{id}",
        "/notes/{id}",
    ] {
        let (subject, problem) = problem(McpRouter::new().resource(uri, resource(|| async { "x" })));
        assert!(subject.contains(uri) && !problem.is_empty(), "{uri}: {problem}");
    }
    let sized = McpRouter::new().resource("test://{a}", resource(|| async { "x" }).size(3));
    assert!(problem(sized).1.contains("size"));
}

#[test]
fn schemas_by_hand_are_checked_and_never_fetched() {
    let with = |schema: Value| McpRouter::new().tool("t", plain("x").input_schema(schema));
    for (schema, word) in [
        (json!(null), "object"),
        (json!(true), "object"),
        (json!({ "type": "array" }), "object"),
        (json!({ "$schema": "https://json-schema.org/draft/2030-01/schema", "type": "object" }), "dialect"),
        (
            json!({ "type": "object", "properties": { "a": { "$ref": "https://example.com/a.json" } } }),
            "leaves the schema",
        ),
        (json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/none" } } }), "leads nowhere"),
        (json!({ "type": "object", "properties": { "a": { "type": "strong" } } }), "schema"),
        (
            json!({ "type": "object", "properties": { "a": { "type": "number", "x-mcp-header": "A" } } }),
            "header",
        ),
        (
            json!({ "type": "object", "properties": { "a": { "type": "string", "x-mcp-header": "a b" } } }),
            "header",
        ),
    ] {
        let (subject, problem) = problem(with(schema.clone()));
        assert_eq!(subject, "tool `t`", "{schema}");
        assert!(problem.contains(word), "{schema}: {problem}");
    }
    let twice = json!({ "type": "object", "properties": {
        "a": { "type": "string", "x-mcp-header": "Same" }, "b": { "type": "string", "x-mcp-header": "same" },
    } });
    assert!(serving(with(twice)).build().is_err());
    let output = McpRouter::new().tool("t", plain("x").output_schema(json!({ "type": 5 })));
    assert_eq!(problem(output).0, "tool `t`");
    let small = serving(with(json!({ "type": "object", "description": "x".repeat(100) })))
        .schema_bounds(SchemaBounds { bytes: 50, ..SchemaBounds::default() });
    assert!(small.build().is_err());
}

#[test]
fn arguments_are_described_declared_once_and_shaped_as_an_object() {
    let described =
        McpRouter::new().tool("t", tool_args(["a"], |_: i64| async { "x" }).describe("x").argument("b", "B"));
    assert!(problem(described).1.contains("`b`"));
    let twice =
        McpRouter::new().tool("t", tool_args(["a", "a"], |_: i64, _: i64| async { "x" }).describe("x"));
    assert!(problem(twice).1.contains("`a`"));
    let list = McpRouter::new().tool("t", tool(|_: Args<Vec<i64>>| async { "x" }).describe("x"));
    assert!(problem(list).1.contains("object"));
    let map = McpRouter::new().tool("t", tool(|_: Args<BTreeMap<String, i64>>| async { "x" }).describe("x"));
    assert!(serving(map).build().is_ok());
}

#[test]
fn an_empty_server_is_built() {
    assert!(server(McpRouter::new()).catalogue().tool_names().next().is_none());
}

#[test]
fn the_public_types_move_between_threads() {
    fn moves<T: Send + Sync>() {}
    fn travels<T: Send>() {}
    moves::<Server>();
    moves::<Context>();
    moves::<CallToolResult>();
    moves::<BuildFaults>();
    travels::<McpRouter<()>>();
    travels::<mcp_core::exchange::Exchange>();
    travels::<mcp_core::connection::Connection>();
}
