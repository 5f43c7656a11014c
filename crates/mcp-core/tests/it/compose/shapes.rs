//! Derived tools of schemas of every shape.

use super::{arguments, listed, refused};
use crate::wire::{MODERN, server};
use mcp_core::{
    extract::Args,
    handler::ToolCall,
    registry::{McpRouter, ToolBuilder, derive, tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The arguments as the handler takes them.
struct Raw(String);

impl<S: Sync> mcp_core::extract::Extract<ToolCall, S> for Raw {
    type Rejection = mcp_core::handler::ToolError;

    async fn extract(call: &ToolCall, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(call.arguments_text().to_owned()))
    }
}

fn authored(schema: Value) -> ToolBuilder<()> {
    tool(|Raw(text): Raw| async move { text }).describe("T").input_schema(schema)
}

#[derive(Deserialize, JsonSchema)]
struct Order {
    item: Item,
    key: Key,
    gift: Option<Item>,
}

#[derive(Deserialize, JsonSchema)]
struct Item {
    name: String,
    parts: Vec<Self>,
}

/// A secret kind of thing.
#[derive(Deserialize, JsonSchema)]
struct Key {
    secret: String,
}

#[tokio::test]
async fn definitions_are_kept_as_far_as_they_are_named() {
    let order = tool(|Args(Order { item, key, gift }): Args<Order>| async move {
        format!("{} {} {} {}", item.name, item.parts.len(), key.secret, gift.is_some())
    });
    let router = McpRouter::new().tool("order", order.describe("Orders")).through(
        derive("order")
            .name("buy")
            .argument("item", |item| item.rename("what").describe("What to buy"))
            .argument("key", |key| key.fixed(json!({ "secret": "s3cret" })))
            .argument("gift", |gift| gift.hide()),
    );
    let client = server(router).client(MODERN);
    let schema = listed(&client, "buy").await["inputSchema"].clone();
    assert_eq!(schema["$defs"].as_object().unwrap().keys().collect::<Vec<_>>(), ["Item"]);
    assert_eq!(schema["properties"]["what"]["description"], "What to buy");
    let what = json!({ "name": "bike", "parts": [{ "name": "bell", "parts": [] }] });
    assert_eq!(client.call_tool("buy", json!({ "what": what })).await.text(), "bike 1 s3cret false");
    let unfit = json!({ "what": { "name": "bike", "parts": [{ "name": 1, "parts": [] }] } });
    assert_eq!(
        client.call_tool("buy", unfit).await.text(),
        "argument `what.parts[0].name`: expected string, got integer 1"
    );
}

#[derive(Deserialize, JsonSchema)]
struct Tree {
    name: String,
    children: Vec<Self>,
}

fn count(tree: &Tree) -> usize {
    1 + tree.children.iter().map(count).sum::<usize>()
}

#[tokio::test]
async fn a_type_that_contains_itself_goes_on_containing_itself() {
    let trees = tool(|Args(tree): Args<Tree>| async move { format!("{} {}", tree.name, count(&tree)) });
    let router = McpRouter::new().tool("tree", trees.describe("Counts")).through(
        derive("tree")
            .name("plant")
            .argument("name", |name| name.fixed("root"))
            .argument("children", |children| children.rename("branches")),
    );
    let client = server(router).client(MODERN);
    let leaf = json!({ "name": "leaf", "children": [] });
    let branch = json!({ "name": "branch", "children": [leaf] });
    assert_eq!(client.call_tool("plant", json!({ "branches": [branch, leaf] })).await.text(), "root 4");
    let unfit = client.call_tool("plant", json!({ "branches": [{ "branches": [] }] })).await;
    assert!(unfit.text().contains("`branches[0].name`"), "{}", unfit.text());
    let whole = json!({ "name": "n", "children": [branch] });
    assert_eq!(client.call_tool("tree", whole).await.text(), "n 3");
}

#[tokio::test]
async fn references_into_the_arguments_lead_to_what_they_led_to() {
    for dialect in ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"]
    {
        let schema = json!({
            "$schema": dialect,
            "type": "object",
            "properties": {
                "from": { "type": "string", "pattern": "^[A-Z]+$" },
                "to": { "$ref": "#/properties/from" },
                "via": { "type": "array", "items": { "$ref": "#/definitions/original1" } },
            },
            "required": ["from", "to"],
            "definitions": { "original1": { "$ref": "#/properties/to" } },
        });
        let router = McpRouter::new().tool("fly", authored(schema)).through(
            derive("fly").name("go").argument("from", |from| from.fixed("ZRH")).order(["via", "to"]),
        );
        let client = server(router).client(MODERN);
        let go = listed(&client, "go").await;
        assert_eq!(arguments(&go), ["via", "to"], "{dialect}");
        let call = |arguments| client.call_tool("go", arguments);
        assert_eq!(
            call(json!({ "to": "LHR", "via": ["CDG"] })).await.text(),
            r#"{"to":"LHR","via":["CDG"],"from":"ZRH"}"#
        );
        assert!(call(json!({ "to": "lhr" })).await.text().contains("argument `to`"));
        assert!(call(json!({ "to": "LHR", "via": ["x"] })).await.text().contains("`via[0]`"));
    }
}

#[derive(Deserialize, JsonSchema)]
struct Paying {
    amount: u32,
    note: Option<String>,
    #[serde(flatten)]
    by: By,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
enum By {
    Card { number: String },
    Cash,
}

fn pay() -> McpRouter<()> {
    let pay = tool(|Args(Paying { amount, note, by }): Args<Paying>| async move {
        let by = match by {
            By::Card { number } => number,
            By::Cash => "cash".to_owned(),
        };
        format!("{amount} {note:?} {by}")
    });
    McpRouter::new().tool("pay", pay.describe("Pays"))
}

#[tokio::test]
async fn beside_forms_of_the_whole_arguments_of_their_own_can_be_changed() {
    let router = pay().through(
        derive("pay")
            .name("tip")
            .argument("amount", |amount| amount.rename("sum").at_most(5).default(1))
            .argument("note", |note| note.fixed("tip")),
    );
    let client = server(router).client(MODERN);
    let call = |arguments| client.call_tool("tip", arguments);
    assert_eq!(call(json!({ "by": "cash" })).await.text(), "1 Some(\"tip\") cash");
    assert_eq!(call(json!({ "by": "card", "number": "4", "sum": 5 })).await.text(), "5 Some(\"tip\") 4");
    for wrong in [
        json!({ "by": "card" }),
        json!({ "by": "cash", "sum": 6 }),
        json!({ "by": "cash", "amount": 1 }),
        json!({ "by": "cash", "note": "mine" }),
    ] {
        let answer = call(wrong.clone()).await;
        assert!(answer.is_error(), "{wrong}: {}", answer.text());
    }
}

#[test]
fn arguments_within_forms_of_the_whole_are_not_changed() {
    let router = pay()
        .through(derive("pay").name("x").argument("number", |number| number.rename("card")))
        .through(derive("pay").name("y").argument("by", |by| by.fixed("cash")))
        .through(derive("pay").name("z").argument("amount", |amount| amount.rename("number")));
    let told = refused(router);
    assert_eq!(told.len(), 3, "{told:?}");
    for (told, part) in
        told.iter().zip(["forms of the whole", "forms of the whole", "which forms of the whole name"])
    {
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn arguments_of_a_schema_that_is_too_deep_to_look_through_are_not_changed() {
    let mut definitions = json!({ "d40": { "properties": { "a": { "minLength": 1 } } } });
    for depth in 0..40 {
        definitions[format!("d{depth}")] = json!({ "$ref": format!("#/$defs/d{}", depth + 1) });
    }
    let schema = json!({
        "type": "object",
        "properties": { "a": { "type": "string" } },
        "allOf": [{ "$ref": "#/$defs/d0" }],
        "$defs": definitions,
    });
    let router = McpRouter::new().tool("t", authored(schema));
    let told = refused(router.through(derive("t").name("x").argument("a", |a| a.rename("b"))));
    assert!(told[0].contains("speaks of its arguments together"), "{told:?}");
}

#[test]
fn what_speaks_of_arguments_without_naming_them_lets_them_only_be_narrowed() {
    for (keyword, value) in [
        ("patternProperties", json!({ "^x": { "type": "integer" } })),
        ("propertyNames", json!({ "maxLength": 3 })),
        ("enum", json!([{ "a": "1" }])),
        ("allOf", json!([{ "minProperties": 1 }])),
        ("anyOf", json!([{ "additionalProperties": { "type": "string" } }])),
    ] {
        let mut schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        schema[keyword] = value;
        let tool = authored(schema);
        let router = |tool: ToolBuilder<()>| McpRouter::new().tool("t", tool);
        let renamed =
            refused(router(tool.clone()).through(derive("t").name("x").argument("a", |a| a.rename("b"))));
        assert!(renamed[0].contains("speaks of its arguments together"), "{renamed:?}");
        let hidden = refused(router(tool.clone()).through(derive("t").name("x").argument("a", |a| a.hide())));
        assert!(hidden[0].contains("speaks of its arguments together"), "{hidden:?}");
        server(
            router(tool).through(
                derive("t")
                    .name("x")
                    .argument("a", |a| a.describe("A").narrow(json!({ "maxLength": 9 })).required()),
            ),
        );
    }
    let named = authored(json!({
        "type": "object",
        "properties": { "a": { "$anchor": "a", "type": "string" }, "b": { "$ref": "#a" } },
    }));
    let told =
        refused(McpRouter::new().tool("t", named).through(derive("t").name("x").argument("a", |a| a.hide())));
    assert_eq!(
        told,
        [
            "tool `x`: derived from `t`: its schema names parts of itself by `$anchor`, so its arguments cannot be \
          changed; refer to definitions by `#/$defs/…` instead"
        ]
    );
}

#[tokio::test]
async fn what_counts_arguments_is_left_to_the_original() {
    let schema = json!({
        "type": "object",
        "properties": { "a": {}, "b": {}, "c": {} },
        "minProperties": 2,
        "maxProperties": 2,
    });
    let router = McpRouter::new()
        .tool("two", authored(schema))
        .through(derive("two").name("one").argument("a", |a| a.fixed(1)));
    let client = server(router).client(MODERN);
    assert_eq!(client.call_tool("one", json!({ "b": 2 })).await.text(), r#"{"b":2,"a":1}"#);
    for arguments in [json!({}), json!({ "b": 2, "c": 3 })] {
        let answer = client.call_tool("one", arguments).await;
        assert!(answer.is_error() && answer.text().contains("members"), "{}", answer.text());
    }
}

#[tokio::test]
async fn hostile_names_are_names_like_any_other() {
    let names = [
        "__proto__",
        "a/b~c",
        "\"",
        "required",
        "$ref",
        "properties",
        "x-mcp-header",
        "",
        "%",
        "\u{202e}x",
        "0",
    ];
    let properties: BTreeMap<_, _> = names.iter().map(|name| (*name, json!({ "type": "integer" }))).collect();
    let schema = json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false });
    let derived = names.iter().fold(derive("t").name("x"), |derived, name| {
        derived.argument(*name, |argument| argument.rename(format!("{name}'")).at_most(9).describe("N"))
    });
    let fixed = names
        .iter()
        .fold(derive("t").name("y"), |derived, name| derived.argument(*name, |argument| argument.fixed(7)));
    let router = McpRouter::new().tool("t", authored(schema)).through(derived).through(fixed);
    let client = server(router).client(MODERN);
    let sent: serde_json::Map<_, _> = names.iter().map(|name| (format!("{name}'"), json!(3))).collect();
    let read: BTreeMap<String, u8> =
        serde_json::from_str(client.call_tool("x", Value::Object(sent.clone())).await.text()).unwrap();
    assert_eq!(read, names.iter().map(|name| ((*name).to_owned(), 3)).collect());
    let fixed = client.call_tool("y", json!({})).await;
    let fixed: BTreeMap<String, u8> = serde_json::from_str(fixed.text()).unwrap();
    assert_eq!(fixed, names.iter().map(|name| ((*name).to_owned(), 7)).collect());
    for name in names {
        let mut sent = sent.clone();
        sent.insert(format!("{name}'"), json!(10));
        assert!(
            client.call_tool("x", Value::Object(sent)).await.text().contains("must be at most 9"),
            "{name}"
        );
        let answer = client.call_tool("y", json!({ name: 7 })).await;
        assert!(answer.text().starts_with("unknown argument"), "{name}: {}", answer.text());
    }
}

#[test]
fn what_is_published_is_held_to_the_bounds_of_schemas() {
    let bounds = mcp_core::schema::SchemaBounds { bytes: 300, ..Default::default() };
    let router = McpRouter::new()
        .tool("t", authored(json!({ "type": "object", "properties": { "a": {} } })))
        .through(derive("t").name("x").argument("a", |a| a.describe("long ".repeat(100))));
    let faults = crate::wire::serving(router).schema_bounds(bounds).build().unwrap_err();
    assert_eq!(
        super::told(&faults),
        [
            "tool `x`: derived from `t`: the schema is longer than 300 bytes: shorten descriptions or divide it"
        ]
    );
}
