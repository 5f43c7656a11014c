//! Results of tools: normalised, checked, bounded; what fails never reaches the wire.

use crate::wire::{MODERN, server, serving};
use mcp_core::{
    handler::{ProtocolError, Structured, ToolError},
    json::RawJson,
    protocol::{CallToolResult, Content, Resource, ResourceContents},
    registry::{McpRouter, ToolBuilder, tool},
    server::{Limits, Server},
    testing::Answer,
    version::ProtocolVersion,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn one(builder: ToolBuilder<()>) -> Server {
    server(McpRouter::new().tool("t", builder.describe("x")))
}

async fn called(server: &Server, version: ProtocolVersion) -> Answer {
    server.client(version).call_tool("t", json!({})).await
}

fn raw(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

/// A tool that returns the same by-hand result each time.
fn returning(result: CallToolResult) -> ToolBuilder<()> {
    tool(move || {
        let result = result.clone();
        async move { result }
    })
}

#[derive(Serialize, JsonSchema)]
struct Stat {
    n: i64,
}

/// Writes another shape than it declares.
#[derive(JsonSchema)]
struct Liar {
    #[expect(dead_code, reason = "only declared")]
    n: i64,
}

impl Serialize for Liar {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BTreeMap::from([("n", "secret text")]).serialize(serializer)
    }
}

/// Writes one name twice.
#[derive(Serialize, JsonSchema)]
struct Doubled {
    n: i64,
    #[serde(flatten)]
    rest: BTreeMap<String, i64>,
}

#[tokio::test]
async fn structured_results_come_with_their_text_where_the_version_has_them() {
    let server = one(tool(|| async { Structured(Stat { n: 9_007_199_254_740_993 }) }));
    for version in ProtocolVersion::ALL {
        let answer = called(&server, version).await;
        assert_eq!(answer.text(), r#"{"n":9007199254740993}"#, "{version}");
        let structured = answer.result().unwrap().get("structuredContent").map(Value::to_string);
        let expected =
            (version >= ProtocolVersion::V2025_06_18).then(|| r#"{"n":9007199254740993}"#.to_owned());
        assert_eq!(structured, expected, "{version}");
        let listed = server.client(version).list_tools().await;
        let schema = listed.result().unwrap()["tools"][0].get("outputSchema").cloned();
        assert_eq!(schema.is_some(), version >= ProtocolVersion::V2025_06_18, "{version}");
    }
}

#[tokio::test]
async fn a_structured_array_is_text_only_before_the_newest_version() {
    let server = one(tool(|| async { Structured(vec!["a", "b"]) }));
    for version in ProtocolVersion::ALL {
        let answer = called(&server, version).await;
        assert_eq!(answer.text(), r#"["a","b"]"#);
        let newest = version == MODERN;
        assert_eq!(
            answer.result().unwrap().get("structuredContent"),
            newest.then_some(&json!(["a", "b"])),
            "{version}"
        );
        let listed = server.client(version).list_tools().await;
        assert_eq!(listed.result().unwrap()["tools"][0].get("outputSchema").is_some(), newest, "{version}");
    }
}

#[tokio::test]
async fn any_json_value_may_be_structured() {
    for value in ["null", "true", "1.50", "\"x\"", "[]", "{}", "{\"a\":[1,{\"b\":null}]}"] {
        let server = one(returning(CallToolResult::default().structured(raw(value))));
        let answer = called(&server, MODERN).await;
        assert_eq!(answer.text(), value);
        assert_eq!(
            answer.result().unwrap()["structuredContent"],
            serde_json::from_str::<Value>(value).unwrap()
        );
    }
}

#[tokio::test]
async fn text_of_the_author_stays_the_only_text() {
    let server = one(returning(CallToolResult::text("two apples").structured(raw("{\"n\":2}"))));
    let answer = called(&server, MODERN).await;
    assert_eq!(answer.result().unwrap()["content"], json!([{ "type": "text", "text": "two apples" }]));
    assert_eq!(answer.result().unwrap()["structuredContent"], json!({ "n": 2 }));
    let image =
        one(returning(CallToolResult::new([Content::image("x", "image/png")]).structured(raw("{\"n\":2}"))));
    let blocks = called(&image, MODERN).await;
    assert_eq!(
        blocks.result().unwrap()["content"][1],
        json!({ "type": "text", "text": "{\"n\":2}" }),
        "after the picture"
    );
}

#[tokio::test]
async fn raw_json_with_line_breaks_goes_out_on_one_line() {
    let server =
        one(returning(CallToolResult::default().structured(raw("{\n\t\"a b\" : [1,\r\n 2.50 ]\n}"))));
    for version in ProtocolVersion::ALL {
        assert_eq!(called(&server, version).await.text(), r#"{"a b":[1,2.50]}"#);
    }
}

/// The result is held back, and nothing of it is told.
async fn held_back(server: &Server) {
    for version in ProtocolVersion::ALL {
        let answer = called(server, version).await;
        assert_eq!(answer.outcome, Err(json!({ "code": -32603, "message": "Internal error" })), "{version}");
    }
}

#[tokio::test]
async fn a_result_that_does_not_fit_its_schema_is_held_back() {
    held_back(&one(tool(|| async { Structured(Liar { n: 1 }) }))).await;
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"], "additionalProperties": false });
    for value in ["{\"n\":\"secret\"}", "{}", "{\"n\":1,\"secret\":2}", "[]", "null", "{\"n\":1.5}"] {
        held_back(&one(
            returning(CallToolResult::default().structured(raw(value))).output_schema(schema.clone())
        ))
        .await;
    }
    held_back(&one(returning(CallToolResult::text("only text")).output_schema(schema.clone()))).await;
    let fitting =
        one(returning(CallToolResult::default().structured(raw("{\"n\":1.0}"))).output_schema(schema));
    assert_eq!(called(&fitting, MODERN).await.text(), "{\"n\":1.0}");
}

#[tokio::test]
async fn failures_are_exempt_from_the_schema() {
    let schema = json!({ "type": "object", "required": ["n"] });
    let text = one(returning(CallToolResult::error("no")).output_schema(schema.clone()));
    assert!(called(&text, MODERN).await.is_error());
    let structured =
        one(returning(CallToolResult::error("no").structured(raw("{\"why\":1}")))
            .output_schema(schema.clone()));
    let answer = called(&structured, MODERN).await;
    assert_eq!((answer.is_error(), answer.text()), (true, "no"));
    let returned = one(tool(|| async { Err::<Structured<Stat>, _>(ToolError::new("no")) }));
    assert_eq!(called(&returned, MODERN).await.text(), "no");
    let refused = one(tool(|| async { Err::<Structured<Stat>, _>(ProtocolError::new(-31999, "no")) }));
    assert_eq!(called(&refused, MODERN).await.code(), Some(-31999));
}

#[tokio::test]
async fn a_failure_that_does_not_fit_its_schema_is_text_alone() {
    let failing = |text: &str| {
        let schema = json!({ "type": "object", "required": ["n"] });
        one(returning(CallToolResult::default().structured(raw(text)).failed()).output_schema(schema))
    };
    for version in ProtocolVersion::ALL {
        let answer = called(&failing(r#"{"why":1}"#), version).await;
        assert_eq!((answer.is_error(), answer.text()), (true, r#"{"why":1}"#), "{version}");
        assert_eq!(answer.result().unwrap().get("structuredContent"), None, "{version}");
    }
    let fitting = called(&failing(r#"{"n":1}"#), MODERN).await;
    assert_eq!(fitting.result().unwrap()["structuredContent"], json!({ "n": 1 }));
}

#[tokio::test]
async fn what_json_does_not_have_is_held_back() {
    #[derive(Serialize, JsonSchema)]
    struct Quotient {
        q: f64,
    }
    held_back(&one(tool(|| async { Structured(Quotient { q: f64::NAN }) }))).await;
    held_back(&one(tool(|| async { Structured(vec![Some(f64::INFINITY)]) }))).await;
    held_back(&one(tool(|| async {
        Structured(Doubled { n: 1, rest: BTreeMap::from([("n".to_owned(), 2)]) })
    })))
    .await;
    assert_eq!(
        called(&one(tool(|| async { Structured(Quotient { q: 2.5 }) })), MODERN).await.text(),
        r#"{"q":2.5}"#
    );
}

#[tokio::test]
async fn a_result_beyond_the_limit_is_held_back_and_the_setting_is_named() {
    let limited = |builder: ToolBuilder<()>| {
        let limits = Limits::default().with_output_bytes(2_000);
        serving(McpRouter::new().tool("t", builder.describe("x"))).limits(limits).build().unwrap()
    };
    let text = limited(tool(|| async { "x".repeat(3_000) }));
    let answer = called(&text, MODERN).await;
    let message = answer.outcome.as_ref().unwrap_err()["message"].as_str().unwrap();
    assert!(answer.code() == Some(-32603) && message.contains("limits.output_bytes"), "{message}");
    assert!(called(&limited(tool(|| async { "x".repeat(1_500) })), MODERN).await.result().is_some());
    for builder in [
        tool(|| async { Structured("x".repeat(3_000)) }),
        returning(CallToolResult::new([Content::image(vec![0; 1_600], "image/png")])),
        tool(|| async { Err::<String, _>(ToolError::new("x".repeat(3_000))) }),
    ] {
        assert_eq!(called(&limited(builder), MODERN).await.code(), Some(-32603));
    }
}

#[tokio::test]
async fn a_result_of_too_many_values_is_held_back() {
    let answer = called(&one(tool(|| async { Structured(vec![0_u8; 70_000]) })), MODERN).await;
    let error = answer.outcome.unwrap_err();
    assert_eq!(error["code"], -32603);
    assert!(error["message"].as_str().unwrap().contains("limits.output_json.tokens"), "{error}");
}

#[tokio::test]
async fn uris_in_content_are_absolute_or_the_result_is_held_back() {
    for content in [
        Content::resource_link(Resource::new("relative/x", "x")),
        Content::resource_link(Resource::new("", "x")),
        Content::resource_link(Resource::new("test://a b", "x")),
        Content::resource(ResourceContents::text("x")),
        Content::resource(ResourceContents::text("x").uri("no scheme")),
    ] {
        held_back(&one(returning(CallToolResult::new([Content::text("fine"), content])))).await;
    }
    let fine = CallToolResult::new([
        Content::resource_link(Resource::new("test://a%20b", "x")),
        Content::resource(ResourceContents::text("x").uri("urn:x")),
    ]);
    assert!(called(&one(returning(fine)), MODERN).await.result().is_some());
}

#[tokio::test]
async fn plain_values_become_text() {
    async fn text(builder: ToolBuilder<()>) -> Value {
        called(&one(builder), MODERN).await.result().unwrap()["content"].clone()
    }
    assert_eq!(text(tool(|| async {})).await, json!([]));
    assert_eq!(text(tool(|| async { "a\n\u{2028}\"\u{0}" })).await[0]["text"], "a\n\u{2028}\"\u{0}");
    assert_eq!(text(tool(|| async { true })).await[0]["text"], "true");
    assert_eq!(text(tool(|| async { i64::MIN })).await[0]["text"], "-9223372036854775808");
    assert_eq!(text(tool(|| async { vec![Content::text("a"), Content::text("b")] })).await[1]["text"], "b");
    assert_eq!(text(tool(|| async { Ok::<_, ToolError>(Vec::<Content>::new()) })).await, json!([]));
}
