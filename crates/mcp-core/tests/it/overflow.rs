//! Results that are too large, kept as resources that are read in parts.

use crate::wire::{MODERN, serving};
use mcp_core::{
    context::{Context, Transport},
    handler::Structured,
    overflow::Overflow,
    principal::Principal,
    protocol::{CallToolResult, Content},
    registry::{McpRouter, tool},
    server::{Limits, Peer, Server},
    testing::{Answer, TestClient},
    version::ProtocolVersion,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

const LIMIT: usize = 64 * 1024;

/// Lines that tell themselves apart, with characters of several bytes.
fn long() -> String {
    (1..=10_000).map(|number| format!("line {number}: \u{fc}ber \u{1f600}\n")).collect()
}

#[derive(Serialize, JsonSchema)]
struct Rows {
    rows: Vec<BTreeMap<String, usize>>,
}

fn rows() -> Rows {
    Rows { rows: (0..10_000).map(|number| BTreeMap::from([("number".to_owned(), number)])).collect() }
}

fn router() -> McpRouter<()> {
    let mixed = async || {
        CallToolResult::new([
            Content::text("short"),
            Content::text(long()),
            Content::image(vec![1, 2, 3], "image/png"),
            Content::text("after"),
        ])
    };
    McpRouter::new()
        .tool("long", tool(async || long()).describe("x").overflow_to_resource())
        .tool("mixed", tool(mixed).describe("x").overflow_to_resource())
        .tool("quoted", tool(async || "\"".repeat(LIMIT * 2 / 3)).describe("x").overflow_to_resource())
        .tool("rows", tool(async || Structured(rows())).describe("x").overflow_to_resource())
        .tool(
            "image",
            tool(async || Content::image(vec![0; LIMIT], "image/png")).describe("x").overflow_to_resource(),
        )
        .tool("huge", tool(async || "x".repeat(1 << 20)).describe("x").overflow_to_resource())
        .tool("small", tool(async || "small").describe("x").overflow_to_resource())
        .tool("plain", tool(async || long()).describe("x"))
        .tool("plain_rows", tool(async || Structured(rows())).describe("x"))
        .tool(
            "reads",
            tool(async |context: Context| {
                let uri = context.arguments_text().to_owned();
                let uri = serde_json::from_str::<Value>(&uri)?["uri"].as_str().unwrap_or_default().to_owned();
                let found = context.read_resource(&uri).await.is_ok();
                Ok::<_, mcp_core::handler::ToolError>(found.to_string())
            })
            .describe("x")
            .input_schema(json!({ "type": "object" })),
        )
}

fn server_with(overflow: Overflow) -> Server {
    let mut limits = Limits::default().with_output_bytes(LIMIT);
    limits.output_json.tokens = 10_000;
    serving(router()).limits(limits).overflow(overflow.item_bytes(1 << 19)).build().unwrap()
}

fn server() -> Server {
    server_with(Overflow::new())
}

fn caller(server: &Server, subject: &str) -> TestClient {
    let principal = Some(Arc::new(Principal::new(subject)));
    server.client(MODERN).with_peer(Peer { principal, ..Peer::anonymous(Transport::InProcess) })
}

/// The URI of the link in a result.
fn uri(answer: &Answer) -> String {
    let content = answer.result().unwrap()["content"].as_array().unwrap();
    let link = content.iter().find(|block| block["type"] == "resource_link").unwrap();
    link["uri"].as_str().unwrap().to_owned()
}

async fn read(client: &TestClient, uri: &str) -> Result<Value, Value> {
    let answer = client.request("resources/read", json!({ "uri": uri })).await;
    answer.outcome.map(|result| result["contents"][0].clone())
}

/// Reads a resource part by part, as each says where the next one is.
async fn whole(client: &TestClient, from: &str) -> String {
    let (mut text, mut next) = (String::new(), from.to_owned());
    loop {
        let part = read(client, &next).await.unwrap();
        text.push_str(part["text"].as_str().unwrap());
        match part["_meta"]["overflow/range"]["next"].as_str() {
            Some(uri) => next = uri.to_owned(),
            None => return text,
        }
    }
}

#[tokio::test]
async fn a_text_that_is_too_large_is_a_summary_and_a_link_that_is_read_in_parts() {
    let server = server();
    let client = server.client(MODERN);
    let answer = client.call_tool("long", json!({})).await;
    assert!(!answer.is_error());
    let uri = uri(&answer);
    let summary = answer.text();
    for told in ["line 1: ", &long().len().to_string(), "10001 lines", &uri, "600s", "resources/read"] {
        assert!(summary.contains(told), "{told} in {summary}");
    }
    let link = &answer.result().unwrap()["content"][1];
    assert_eq!((&link["mimeType"], &link["size"]), (&json!("text/plain"), &json!(long().len())));
    assert_eq!(whole(&client, &uri).await, long());
    let first = read(&client, &uri).await.unwrap();
    let range = &first["_meta"]["overflow/range"];
    assert_eq!((&range["offset"], &range["total"]), (&json!(0), &json!(long().len())));
    assert_eq!(first["uri"], uri);
}

#[tokio::test]
async fn ranges_of_bytes_and_of_lines_are_read() {
    let server = server();
    let client = server.client(MODERN);
    let uri = uri(&client.call_tool("long", json!({})).await);
    let text = async |query: &str| read(&client, &format!("{uri}?{query}")).await.unwrap()["text"].clone();
    assert_eq!(text("offset=5&length=4").await, "1: \u{fc}"[..3].to_owned());
    assert_eq!(text("line=7777&lines=1").await, "line 7777: \u{fc}ber \u{1f600}\n");
    assert_eq!(text("line=9999&lines=5").await.as_str().unwrap().lines().count(), 2);
    assert_eq!(text("offset=99999999").await, "");
    // Never more than may be read at once.
    assert!(text("offset=1&length=99999999").await.as_str().unwrap().len() <= LIMIT / 8);
    for query in ["offset=x", "line=0", "page=2", "offset=1&line=1"] {
        let error = read(&client, &format!("{uri}?{query}")).await.unwrap_err();
        assert_eq!(error["code"], -32602, "{query}");
        assert!(error["message"].as_str().unwrap().contains("offset"), "{error}");
    }
}

#[tokio::test]
async fn structure_that_is_too_large_is_kept_as_json_and_its_tool_publishes_no_output_schema() {
    let server = server();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let answer = client.call_tool("rows", json!({})).await;
        let result = answer.result().unwrap();
        assert!(result.get("structuredContent").is_none() && answer.text().contains("JSON"), "{version}");
        let tools = client.list_tools().await;
        let listed = tools.result().unwrap()["tools"].as_array().unwrap().clone();
        let schema = |name: &str| {
            listed.iter().find(|tool| tool["name"] == name).unwrap().get("outputSchema").is_some()
        };
        assert!(!schema("rows"), "{version}");
        assert_eq!(schema("plain_rows"), version >= ProtocolVersion::V2025_06_18, "{version}");
    }
    let client = server.client(MODERN);
    let uri = uri(&client.call_tool("rows", json!({})).await);
    let text = whole(&client, &uri).await;
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), serde_json::to_value(rows()).unwrap());
}

#[tokio::test]
async fn only_what_is_too_large_goes_and_everything_else_stays_in_its_place() {
    let server = server();
    let client = server.client(MODERN);
    let answer = client.call_tool("mixed", json!({})).await;
    let content = answer.result().unwrap()["content"].as_array().unwrap();
    let kinds: Vec<_> = content.iter().map(|block| block["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["text", "text", "resource_link", "image", "text"]);
    assert_eq!((content[0]["text"].clone(), content[4]["text"].clone()), (json!("short"), json!("after")));
    assert_eq!(client.call_tool("small", json!({})).await.text(), "small");
    // Escapes count: the text alone would fit.
    assert!(client.call_tool("quoted", json!({})).await.text().contains("too large"));
}

#[tokio::test]
async fn revisions_without_links_are_told_the_uri() {
    let server = server();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let answer = client.call_tool("long", json!({})).await;
        let content = answer.result().unwrap()["content"].as_array().unwrap().clone();
        let has_links = version >= ProtocolVersion::V2025_06_18;
        assert_eq!(content[1]["type"], if has_links { "resource_link" } else { "text" }, "{version}");
        let told = content[1][if has_links { "uri" } else { "text" }].as_str().unwrap();
        let at = told.find("overflow://").unwrap();
        let uri: String = told[at..].chars().take_while(|character| *character != ')').collect();
        assert!(
            read(&client, &uri).await.unwrap()["text"].as_str().unwrap().starts_with("line 1"),
            "{version}"
        );
    }
}

#[tokio::test]
async fn what_was_made_for_another_caller_looks_unknown() {
    let server = server();
    let (ada, bob) = (caller(&server, "ada"), caller(&server, "bob"));
    let uri = uri(&ada.call_tool("long", json!({})).await);
    assert!(read(&ada, &uri).await.is_ok());
    let unknown = read(&ada, "overflow://00000000000000000000000000000000").await.unwrap_err();
    for client in [&bob, &server.client(MODERN)] {
        for uri in [uri.clone(), format!("{uri}?offset=x"), format!("{uri}?line=1")] {
            let error = read(client, &uri).await.unwrap_err();
            assert_eq!((&error["code"], &error["message"]), (&unknown["code"], &unknown["message"]));
        }
        assert_eq!(client.call_tool("reads", json!({ "uri": uri })).await.text(), "false");
    }
    assert_eq!(ada.call_tool("reads", json!({ "uri": uri })).await.text(), "true");
}

#[tokio::test(start_paused = true)]
async fn it_is_kept_for_its_time_and_no_longer() {
    let server = server_with(Overflow::new().ttl(Duration::from_secs(60)));
    let client = server.client(MODERN);
    let uri = uri(&client.call_tool("long", json!({})).await);
    tokio::time::advance(Duration::from_secs(59)).await;
    assert!(read(&client, &uri).await.is_ok());
    tokio::time::advance(Duration::from_secs(1)).await;
    assert!(read(&client, &uri).await.is_err());
}

#[tokio::test]
async fn without_consent_or_place_a_result_is_held_back_as_ever() {
    let server = server();
    let client = server.client(MODERN);
    for (name, setting) in [
        ("plain", "limits.output_bytes"),
        ("plain_rows", "limits.output_json.tokens"),
        // Neither text nor structure.
        ("image", "limits.output_bytes"),
        // Larger than one resource may be.
        ("huge", "limits.output_bytes"),
    ] {
        let error = client.call_tool(name, json!({})).await.outcome.unwrap_err();
        assert_eq!(error["code"], -32603, "{name}");
        assert!(error["message"].as_str().unwrap().contains(setting), "{name}: {error}");
    }
}

#[tokio::test]
async fn the_server_may_want_it_for_every_tool_but_not_for_structure_that_is_promised() {
    let server = server_with(Overflow::new().all_tools());
    let client = server.client(MODERN);
    assert!(client.call_tool("plain", json!({})).await.text().contains("too large"));
    assert_eq!(client.call_tool("plain_rows", json!({})).await.code(), Some(-32603));
    let server = server_with(Overflow::new().all_tools().above(8 * 1024));
    let client = server.client(MODERN);
    assert!(client.call_tool("quoted", json!({})).await.text().contains("too large"));
    assert_eq!(client.call_tool("small", json!({})).await.text(), "small");
}

#[test]
fn a_server_whose_results_may_overflow_offers_resources() {
    let one = |overflow: bool| {
        let tool = tool(async || "x").describe("x");
        McpRouter::new().tool("t", if overflow { tool.overflow_to_resource() } else { tool })
    };
    let offers = |server: Server| {
        let answer = futures_util::FutureExt::now_or_never(
            server.client(MODERN).request("server/discover", json!({})),
        );
        answer.unwrap().result().unwrap()["capabilities"].get("resources").is_some()
    };
    assert!(!offers(serving(one(false)).build().unwrap()));
    assert!(offers(serving(one(true)).build().unwrap()));
    assert!(offers(serving(one(false)).overflow(Overflow::new().all_tools()).build().unwrap()));
}

#[test]
fn settings_outside_their_ranges_are_named() {
    let overflow = Overflow::new()
        .above(1)
        .range_bytes(1)
        .item_bytes(1)
        .per_owner(0)
        .entries(0)
        .total_bytes(1)
        .ttl(Duration::ZERO);
    let faults = serving(router()).overflow(overflow).build().unwrap_err().to_string();
    for setting in ["above", "range_bytes", "item_bytes", "per_owner", "entries", "total_bytes", "ttl"] {
        assert!(faults.contains(&format!("overflow.{setting}:")), "{setting} in {faults}");
    }
}
