//! Arguments of which a derived tool takes less than its original.

use super::{listed, refused};
use crate::wire::{MODERN, server};
use mcp_core::registry::{DerivedArgument, McpRouter, derive, tool};
use serde_json::{Value, json};

fn original(schema: Value) -> McpRouter<()> {
    let schema = json!({
        "type": "object",
        "properties": { "a": schema },
        "$defs": { "colour": { "type": "string", "enum": ["red", "green", "blue"] } },
    });
    McpRouter::new().tool("t", tool(|| async { "taken" }).describe("T").input_schema(schema))
}

fn narrowed(schema: Value, change: impl FnOnce(DerivedArgument) -> DerivedArgument) -> McpRouter<()> {
    original(schema).through(derive("t").name("n").argument("a", change))
}

/// What a narrowed argument is published as, once each value has been taken or not.
async fn published(schema: Value, keywords: Value, taken: &[Value], not: &[Value]) -> Value {
    let client = server(narrowed(schema, |a| a.narrow(keywords))).client(MODERN);
    for value in taken {
        assert_eq!(client.call_tool("n", json!({ "a": value })).await.text(), "taken", "{value}");
    }
    for value in not {
        let answer = client.call_tool("n", json!({ "a": value })).await;
        assert!(answer.text().contains("argument `a"), "{value}: {}", answer.text());
        assert_eq!(client.call_tool("t", json!({ "a": value })).await.text(), "taken", "{value}");
    }
    listed(&client, "n").await["inputSchema"]["properties"]["a"].clone()
}

#[tokio::test]
async fn what_is_published_is_what_both_take() {
    let integer = json!({ "type": "integer", "minimum": 0, "maximum": 100 });
    assert_eq!(
        published(
            integer.clone(),
            json!({ "maximum": 50, "multipleOf": 5 }),
            &[json!(0), json!(50)],
            &[json!(55), json!(7)]
        )
        .await,
        json!({ "type": "integer", "minimum": 0, "maximum": 50, "multipleOf": 5 })
    );
    assert_eq!(
        published(integer, json!({ "enum": [1, 2], "title": "One or two" }), &[json!(2)], &[json!(3)]).await,
        json!({ "type": "integer", "minimum": 0, "maximum": 100, "enum": [1, 2], "title": "One or two" })
    );
    let text = json!({ "type": ["string", "null"], "pattern": "^a", "examples": ["ab"] });
    assert_eq!(
        published(
            text,
            json!({ "pattern": "b$", "minLength": 3, "type": "string" }),
            &[json!("axb")],
            &[json!("axc"), json!("ab"),]
        )
        .await,
        json!({ "type": "string", "pattern": "^a", "allOf": [{ "pattern": "b$" }], "minLength": 3 })
    );
    let number = json!({ "type": "number" });
    published(number, json!({ "type": "integer" }), &[json!(1), json!(1.0)], &[json!(1.5)]).await;
    let list = json!({ "type": "array", "items": { "type": "string" } });
    published(
        list,
        json!({ "items": { "maxLength": 1 }, "maxItems": 2 }),
        &[json!(["a"])],
        &[json!(["ab"]), json!(["a", "b", "c"])],
    )
    .await;
    let object = json!({ "type": "object", "properties": { "x": { "type": "integer" } } });
    published(
        object,
        json!({ "properties": { "x": { "minimum": 1 } }, "required": ["x"] }),
        &[json!({ "x": 1, "y": 2 })],
        &[json!({ "x": 0 }), json!({})],
    )
    .await;
    published(
        json!({ "$ref": "#/$defs/colour" }),
        json!({ "enum": ["red"] }),
        &[json!("red")],
        &[json!("blue")],
    )
    .await;
    published(json!(true), json!({ "minimum": 1 }), &[json!("text"), json!(1)], &[json!(0)]).await;
    let exact = json!({ "type": "integer", "maximum": 9_007_199_254_740_993_i64 });
    published(
        exact,
        json!({ "maximum": 9_007_199_254_740_992_i64 }),
        &[],
        &[json!(9_007_199_254_740_993_i64)],
    )
    .await;
}

#[tokio::test]
async fn keywords_of_a_narrowing_that_belong_together_stay_together() {
    assert_eq!(
        published(
            json!({ "type": "integer", "minimum": 0 }),
            json!({ "if": { "minimum": 10 }, "then": { "multipleOf": 10 }, "maximum": 100 }),
            &[json!(7), json!(20)],
            &[json!(15), json!(101)],
        )
        .await,
        json!({
            "type": "integer",
            "minimum": 0,
            "maximum": 100,
            "allOf": [{ "if": { "minimum": 10 }, "then": { "multipleOf": 10 } }],
        })
    );
    published(
        json!({ "type": "array" }),
        json!({ "contains": { "minimum": 5 }, "minContains": 2 }),
        &[json!([5, 6, 1])],
        &[json!([5, 1])],
    )
    .await;
    published(
        json!({ "type": "object", "properties": { "x": { "type": "integer" } } }),
        json!({ "properties": { "x": { "minimum": 1 } }, "additionalProperties": false }),
        &[json!({ "x": 1 })],
        &[json!({ "x": 0 }), json!({ "x": 1, "y": 2 })],
    )
    .await;
}

#[tokio::test]
async fn a_narrowing_lets_nothing_pass_that_the_schema_leaves_unevaluated() {
    let closed = json!({ "type": "object", "properties": { "x": true }, "unevaluatedProperties": false });
    let router =
        narrowed(closed, |a| a.narrow(json!({ "patternProperties": { "": { "type": "integer" } } })));
    let client = server(router).client(MODERN);
    let schema = listed(&client, "n").await["inputSchema"]["properties"]["a"].clone();
    assert_eq!(schema["allOf"][0]["unevaluatedProperties"], false);
    assert!(schema.get("unevaluatedProperties").is_none(), "{schema}");
    for (value, taken) in
        [(json!({ "x": 1 }), true), (json!({ "x": "a" }), false), (json!({ "y": 1 }), false)]
    {
        let answer = client.call_tool("n", json!({ "a": value })).await;
        assert_eq!(answer.text() == "taken", taken, "{value}: {}", answer.text());
    }
}

#[tokio::test]
async fn in_draft_7_a_narrowing_holds_beside_a_reference() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": { "a": { "$ref": "#/definitions/size" } },
        "definitions": { "size": { "type": "integer" } },
    });
    let router = McpRouter::new()
        .tool("t", tool(|| async { "taken" }).describe("T").input_schema(schema))
        .through(derive("t").name("n").argument("a", |a| a.at_most(5)));
    let client = server(router).client(MODERN);
    assert_eq!(client.call_tool("n", json!({ "a": 5 })).await.text(), "taken");
    assert_eq!(
        client.call_tool("n", json!({ "a": 6 })).await.text(),
        "argument `a`: must be at most 5, got integer 6"
    );
}

#[test]
fn what_would_widen_or_mean_nothing_is_refused() {
    let integer = || json!({ "type": "integer", "minimum": 0, "maximum": 100, "default": 60 });
    let exact = || json!({ "type": "integer", "maximum": 9_007_199_254_740_992_i64 });
    let text = || json!({ "type": "string", "maxLength": 3 });
    let cases = [
        (
            integer(),
            json!({ "maximum": 101 }),
            "`maximum` is `101`, and the tool's own is `100`, which is narrower",
        ),
        (
            integer(),
            json!({ "minimum": -1 }),
            "`minimum` is `-1`, and the tool's own is `0`, which is narrower",
        ),
        (
            exact(),
            json!({ "maximum": 9_007_199_254_740_993_i64 }),
            "`maximum` is `9007199254740993`, and the tool's own is `9007199254740992`, which is narrower",
        ),
        (integer(), json!({ "type": "number" }), "`type` names number, and the tool takes integer there"),
        (
            integer(),
            json!({ "type": ["integer", "string"] }),
            "`type` names string or integer, and the tool takes integer there",
        ),
        (
            integer(),
            json!({ "maxLength": 3 }),
            "`maxLength` is about string, and the tool takes integer there",
        ),
        (integer(), json!({ "enum": [1, 200] }), "the tool does not take `200`"),
        (integer(), json!({ "const": "1" }), "the tool does not take `\"1\"`"),
        (integer(), json!({ "enum": [] }), "`enum` has no value; give at least one"),
        (
            integer(),
            json!({ "enum": [70], "minimum": 80 }),
            "no call could use `70`, which the other keywords exclude",
        ),
        (
            integer(),
            json!({ "minimum": 70, "maximum": 65 }),
            "nothing is left: `minimum` is `70` and `maximum` is `65`",
        ),
        (
            integer(),
            json!({ "maximum": 50 }),
            "the tool's own default `60` does not fit the narrowing; give another, or require it",
        ),
        (integer(), json!("small"), "a narrowing is an object of keywords, such as `{ \"maximum\": 10 }`"),
        (integer(), json!({ "default": 5 }), "`default` has no place in a narrowing; take it out"),
        (
            integer(),
            json!({ "not": { "$ref": "#/$defs/colour" } }),
            "`$ref` has no place in a narrowing; take it out",
        ),
        (integer(), json!({ "maxmum": 5 }), "`maxmum` is no keyword of JSON Schema; did you mean `maximum`?"),
        (
            integer(),
            json!({ "not": { "clamp": 5 } }),
            "`clamp` is no keyword of JSON Schema that narrows; take it out",
        ),
        (text(), json!({ "minLength": 4 }), "nothing is left: `minLength` is `4` and `maxLength` is `3`"),
        (
            json!({ "$ref": "#/$defs/colour" }),
            json!({ "enum": ["pink"] }),
            "the tool does not take `\"pink\"`",
        ),
        (
            json!({ "type": "array", "items": { "type": "string" } }),
            json!({ "items": { "type": "integer" } }),
            "in `items`: `type` names integer, and the tool takes string there",
        ),
        (
            json!({ "type": "object", "properties": { "x": { "type": "integer" } } }),
            json!({ "properties": { "y": {} } }),
            "the tool describes no member `y` there",
        ),
        (
            json!({ "type": "array", "uniqueItems": true }),
            json!({ "uniqueItems": false }),
            "`uniqueItems` is `false`, and the tool's own is `true`, which is narrower",
        ),
    ];
    for (schema, keywords, problem) in cases {
        let told = refused(narrowed(schema, |a| a.narrow(keywords)));
        assert_eq!(told, [format!("tool `n`: argument `a` of `t`: {problem}")]);
    }
    let told = refused(narrowed(text(), |a| a.narrow(json!({ "pattern": "(" }))));
    assert!(
        told[0].starts_with("tool `n`: argument `a` of `t`: the narrowing is no valid schema: "),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_default_that_a_narrowing_excludes_is_replaced_or_the_argument_required() {
    let integer = || json!({ "type": "integer", "default": 60 });
    for (router, without) in [
        (narrowed(integer(), |a| a.at_most(50).default(40)), "taken"),
        (narrowed(integer(), |a| a.at_most(50).required()), "missing required argument `a` (integer)"),
    ] {
        let client = server(router).client(MODERN);
        assert_eq!(client.call_tool("n", json!({})).await.text(), without);
        let published = &listed(&client, "n").await["inputSchema"]["properties"]["a"];
        assert_ne!(published["default"], 60);
    }
}
