//! Arguments of tools: what fits, what is made to fit, and what a caller reads when they do not.

use crate::wire::{MODERN, server, serving};
use mcp_core::{
    context::Context,
    extract::Args,
    json::{JsonLimits, RawJson},
    registry::{McpRouter, tool, tool_args},
    server::{Limits, Server},
    testing::Answer,
    version::ProtocolVersion,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Page {
    q: String,
    #[serde(default)]
    limit: Option<u32>,
    #[serde(default)]
    exact: bool,
    ratio: Option<f64>,
    #[serde(default)]
    tags: Vec<String>,
}

fn offering() -> Server {
    let page = |Args(page): Args<Page>| async move { serde_json::to_string(&page).unwrap() };
    let named = |n: i64, flag: bool, note: Option<String>| async move { format!("{n} {flag} {note:?}") };
    let raw = |Args(Holder { value }): Args<Holder>| async move { value.get().to_owned() };
    server(
        McpRouter::new()
            .tool("page", tool(page).describe("Pages"))
            .tool("named", tool_args(["n", "flag", "note"], named).describe("Names"))
            .tool("raw", tool(raw).describe("Echoes any JSON"))
            .tool("none", tool(|| async { "nothing" }).describe("Takes nothing"))
            .tool(
                "optional",
                tool_args(["a"], |a: Option<i64>| async move { format!("{a:?}") }).describe("Takes little"),
            ),
    )
}

#[derive(Deserialize, JsonSchema)]
struct Holder {
    value: RawJson,
}

/// Where arguments do not fit: the text for the model or the client, by version.
fn unfit(answer: &Answer, version: ProtocolVersion) -> String {
    if version >= ProtocolVersion::V2025_11_25 {
        assert!(answer.is_error(), "{version}: {answer:?}");
        return answer.text().to_owned();
    }
    assert_eq!(answer.code(), Some(-32602), "{version}: {answer:?}");
    answer.outcome.as_ref().unwrap_err()["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn values_that_mean_what_is_declared_pass_in_every_era() {
    let server = offering();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        for (tool, arguments, text) in [
            ("page", json!({ "q": "x" }), r#"{"q":"x","limit":null,"exact":false,"ratio":null,"tags":[]}"#),
            (
                "page",
                json!({ "q": "x", "limit": 3.0, "ratio": "0.5" }),
                r#"{"q":"x","limit":3,"exact":false,"ratio":0.5,"tags":[]}"#,
            ),
            (
                "page",
                json!({ "q": "5", "limit": "7", "ratio": 2 }),
                r#"{"q":"5","limit":7,"exact":false,"ratio":2.0,"tags":[]}"#,
            ),
            (
                "page",
                json!({ "q": "x", "limit": null, "ratio": null }),
                r#"{"q":"x","limit":null,"exact":false,"ratio":null,"tags":[]}"#,
            ),
            ("named", json!({ "n": 1e2, "flag": true }), "100 true None"),
            ("named", json!({ "n": "42", "flag": false, "note": "a" }), "42 false Some(\"a\")"),
            ("named", json!({ "n": -0.0, "flag": false, "note": null }), "0 false None"),
            ("optional", json!({}), "None"),
            ("optional", json!({ "a": 2.0 }), "Some(2)"),
        ] {
            let answer = client.call_tool(tool, arguments.clone()).await;
            assert_eq!(answer.text(), text, "{version} {tool} {arguments}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn values_that_do_not_fit_are_told_by_name_and_type() {
    let server = offering();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        for (tool, arguments, words) in [
            ("named", json!({ "n": 2.5, "flag": true }), &["n", "integer"][..]),
            ("named", json!({ "n": 1, "flag": 1 }), &["flag", "boolean"]),
            ("named", json!({ "n": 1, "flag": "true" }), &["flag", "boolean", "string"]),
            ("named", json!({ "n": 1, "flag": "yes" }), &["flag", "boolean"]),
            ("named", json!({ "n": "four", "flag": true }), &["n", "integer", "string"]),
            ("named", json!({ "n": null, "flag": true }), &["n"]),
            ("named", json!({ "flag": true }), &["n"]),
            ("named", json!({ "n": 1, "flag": true, "extra": 1 }), &["extra"]),
            ("named", json!({ "n": 9_223_372_036_854_775_808_u64, "flag": true }), &["n"]),
            ("page", json!({ "q": 5 }), &["q", "string"]),
            ("page", json!({ "q": "x", "limit": -1 }), &["limit"]),
            ("page", json!({ "q": "x", "tags": "a" }), &["tags", "array"]),
            ("page", json!({ "q": "x", "tags": ["a", 5] }), &["tags"]),
            ("page", json!({ "q": "x", "limt": 5 }), &["limt", "limit"]),
            ("none", json!({ "stray": 1 }), &["stray"]),
            ("optional", json!({ "a": {} }), &["a"]),
        ] {
            let text = unfit(&client.call_tool(tool, arguments.clone()).await, version);
            for word in words {
                assert!(text.contains(word), "{version} {tool} {arguments}: {text}");
            }
        }
    }
}

#[tokio::test]
async fn every_version_reads_the_same_text() {
    let server = offering();
    let mut texts = Vec::new();
    for version in ProtocolVersion::ALL {
        let answer =
            server.client(version).call_tool("named", json!({ "n": "x", "flag": 1, "extra": null })).await;
        texts.push(unfit(&answer, version));
    }
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:?}");
}

#[tokio::test]
async fn arguments_left_out_are_an_empty_object_and_other_shapes_are_refused() {
    let server = offering();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        for params in [
            json!({ "name": "none" }),
            json!({ "name": "none", "arguments": null }),
            json!({ "name": "none", "arguments": {} }),
        ] {
            assert_eq!(client.request("tools/call", params.clone()).await.text(), "nothing", "{params}");
        }
        for arguments in [json!([]), json!("x"), json!(5), json!(false)] {
            let answer =
                client.request("tools/call", json!({ "name": "none", "arguments": arguments })).await;
            assert_eq!(answer.code(), Some(-32602), "{version} {arguments}");
        }
        for params in [json!({}), json!({ "name": 5 }), json!({ "name": "nope" }), json!({ "name": null })] {
            assert_eq!(
                client.request("tools/call", params.clone()).await.code(),
                Some(-32602),
                "{version} {params}"
            );
        }
    }
}

#[tokio::test]
async fn digits_survive_on_their_way_in_and_out() {
    let server = offering();
    for text in [
        "9007199254740993",
        "0.10000000000000001",
        "1e400",
        "-0.0",
        "123456789012345678901234567890.123456789012345678901234567890",
        r#"{"a":[1.10,2e0]}"#,
        r#""\u0041\/""#,
    ] {
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"raw","arguments":{{"value":{text}}}}}}}"#
        );
        let answer = server.client(MODERN).send(message).await;
        assert_eq!(answer.text(), text, "{answer:?}");
    }
}

#[tokio::test]
async fn names_that_are_repeated_are_refused() {
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"raw","arguments":{"value":1,"v\u0061lue":2}}}"#;
    assert_eq!(offering().client(MODERN).send(message).await.code(), Some(-32700));
}

#[tokio::test]
async fn a_refusal_does_not_echo_what_is_large() {
    let server = offering();
    let long = "x".repeat(40_000);
    for arguments in [json!({ "n": long, "flag": true }), json!({ "n": 1, "flag": true, long.clone(): 1 })] {
        let answer = server.client(MODERN).call_tool("named", arguments).await;
        assert!(answer.is_error() && answer.text().len() < 4_000, "{} bytes", answer.text().len());
    }
    let name = server.client(MODERN).call_tool(&long, json!({})).await;
    assert!(name.outcome.unwrap_err().to_string().len() < 1_000);
}

#[tokio::test]
async fn large_arguments_are_rewritten_within_the_limits_of_a_message() {
    let echo = |Args(page): Args<Page>| async move { format!("{} {:?}", page.q.len(), page.limit) };
    let limits = Limits {
        message: JsonLimits { document_bytes: 8 << 20, ..JsonLimits::default() },
        ..Limits::default()
    };
    let server =
        serving(McpRouter::new().tool("page", tool(echo).describe("Pages"))).limits(limits).build().unwrap();
    let long = "x".repeat(3 << 20);
    for limit in [json!(7), json!("7"), json!(7.0)] {
        let answer = server.client(MODERN).call_tool("page", json!({ "q": long, "limit": limit })).await;
        assert_eq!(answer.text(), format!("{} Some(7)", 3 << 20), "{limit}");
    }
}

#[tokio::test]
async fn nesting_up_to_the_limit_neither_overflows_nor_panics() {
    let server = offering();
    for depth in [100, 500, 990] {
        let value = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"raw","arguments":{{"value":{value}}}}}}}"#
        );
        let answer = server.client(MODERN).send(message).await;
        assert!(answer.text() == value || answer.is_error(), "{depth}: {answer:?}");
    }
}

#[tokio::test]
async fn an_authored_schema_is_what_the_arguments_are_held_to() {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer", "minimum": 1, "maximum": 3 } }, "required": ["n"] });
    let handler = |context: Context| async move { context.arguments_text().to_owned() };
    let server = server(McpRouter::new().tool("t", tool(handler).describe("x").input_schema(schema)));
    let client = server.client(MODERN);
    assert_eq!(client.call_tool("t", json!({ "n": 2, "more": [] })).await.text(), r#"{"n":2,"more":[]}"#);
    for arguments in [json!({}), json!({ "n": 0 }), json!({ "n": 4 }), json!({ "n": "x" })] {
        assert!(client.call_tool("t", arguments.clone()).await.is_error(), "{arguments}");
    }
}

#[tokio::test]
async fn extractors_may_follow_named_arguments() {
    let handler = |a: i64, context: Context| async move { format!("{a} {}", context.method()) };
    let server =
        server(McpRouter::new().tool("t", tool_args(["a"], handler).describe("x").argument("a", "A number")));
    let client = server.client(MODERN);
    assert_eq!(client.call_tool("t", json!({ "a": 5 })).await.text(), "5 tools/call");
    let listed = client.list_tools().await;
    assert_eq!(
        listed.result().unwrap()["tools"][0]["inputSchema"]["properties"]["a"]["description"],
        "A number"
    );
    assert_eq!(
        listed.result().unwrap()["tools"][0]["inputSchema"]["properties"].as_object().map(|p| p.len()),
        Some(1)
    );
}
