//! One budget for everything that goes out: every kind of response, notifications, errors, requests to the client.

use crate::wire::{
    HANDSHAKE, LOG_KEY, MODERN, agreeing, ask, drive, modern, plain, post_text, receive, serving, with_meta,
};
use futures_util::StreamExt as _;
use mcp_core::{
    context::Context,
    exchange::Outgoing,
    extract::{Client, Log, Progress},
    handler::{ProtocolError, Structured, ToolError},
    json::{RawJson, WriteFault, to_text},
    protocol::{
        CallToolResult, Content, GetPromptResult, LogLevel, PromptMessage, Resource, ResourceContents,
    },
    registry::{McpRouter, prompt, resource, tool},
    server::{Limits, Server},
    version::ProtocolVersion,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, ser::SerializeSeq as _};
use serde_json::{Map, Value, json};
use std::{
    borrow::Cow,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

const LIMIT: usize = 16 * 1024;

fn limited(router: McpRouter<()>) -> Server {
    serving(router).limits(Limits::default().with_output_bytes(LIMIT)).build().unwrap()
}

/// A sequence that says how far it was written.
struct Endless(Arc<AtomicUsize>);

impl Serialize for Endless {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        loop {
            self.0.fetch_add(1, Ordering::SeqCst);
            sequence.serialize_element("sixteen bytes ..")?;
        }
    }
}

impl JsonSchema for Endless {
    fn schema_name() -> Cow<'static, str> {
        "Endless".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

/// A list in a list in a list.
struct Nested(usize);

impl Serialize for Nested {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(Some(1))?;
        if self.0 > 1 {
            sequence.serialize_element(&Self(self.0 - 1))?;
        }
        sequence.end()
    }
}

impl JsonSchema for Nested {
    fn schema_name() -> Cow<'static, str> {
        "Nested".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

#[tokio::test]
async fn a_value_without_end_is_written_up_to_the_limit_only() {
    let written = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&written);
    let handler = move || {
        let written = Arc::clone(&counted);
        async move { Structured(Endless(written)) }
    };
    let server = limited(McpRouter::new().tool("t", tool(handler).describe("x")));
    let answer = server.client(MODERN).call_tool("t", json!({})).await;
    let error = answer.outcome.unwrap_err();
    assert_eq!(error["code"], -32603);
    assert!(error["message"].as_str().unwrap().contains("limits.output_bytes"), "{error}");
    assert!(written.load(Ordering::SeqCst) <= LIMIT / 16);
}

#[tokio::test]
async fn values_and_nesting_are_bounded_while_they_are_written() {
    let written = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&written);
    let many = move || {
        let written = Arc::clone(&counted);
        async move { Structured(Endless(written)) }
    };
    let router = McpRouter::new()
        .tool("many", tool(many).describe("x"))
        .tool("deep", tool(|| async { Structured(Nested(1_000_000)) }).describe("x"))
        .tool("deepest", tool(|| async { Structured(Nested(100)) }).describe("x"))
        .tool("deeper", tool(|| async { Structured(Nested(101)) }).describe("x"));
    let mut limits = Limits::default();
    limits.output_json.tokens = 2_000;
    limits.output_json.depth = 100;
    let server = serving(router).limits(limits).build().unwrap();
    let client = server.client(MODERN);
    for (name, setting) in [
        ("many", "limits.output_json.tokens"),
        ("deep", "limits.output_json.depth"),
        ("deeper", "limits.output_json.depth"),
    ] {
        let answer = client.call_tool(name, json!({})).await;
        let error = answer.outcome.unwrap_err();
        assert_eq!(error["code"], -32603, "{name}");
        assert!(error["message"].as_str().unwrap().contains(setting), "{error}");
    }
    assert!(written.load(Ordering::SeqCst) <= 2_000);
    assert!(client.call_tool("deepest", json!({})).await.result().is_some());
}

#[test]
fn the_deepest_value_there_may_be_is_written_and_a_deeper_one_overflows_no_stack() {
    assert_eq!(to_text(&Nested(1_000)).unwrap().len(), 2_000);
    assert!(matches!(to_text(&Nested(1_001)), Err(WriteFault::TooDeep { max_depth: 1_000 })));
    assert!(matches!(to_text(&Nested(10_000_000)), Err(WriteFault::TooDeep { .. })));
}

/// A value that nests so deep, made without recursion.
fn nested(levels: usize) -> Value {
    (0..levels).fold(json!(1), |inner, _| json!([inner]))
}

fn meta(value: Value) -> Map<String, Value> {
    Map::from_iter([("example.com/x".to_owned(), value)])
}

/// Everything that can be asked for, with more in it than may go out.
fn large() -> McpRouter<()> {
    let text = || "x".repeat(LIMIT);
    let wide = || json!(vec![0; 70_000]);
    let mut router = McpRouter::new()
        .tool("text", tool(move || async move { text() }).describe("x"))
        .tool("blocks", tool(|| async { vec![Content::text(""); 20_000] }).describe("x"))
        .tool("image", tool(|| async { Content::image(vec![0; LIMIT], "image/png") }).describe("x"))
        .tool(
            "meta",
            tool(move || async move { CallToolResult::text("x").meta(meta(json!(text()))) }).describe("x"),
        )
        .tool(
            "deep_meta",
            tool(|| async { CallToolResult::text("x").meta(meta(nested(1_100))) }).describe("x"),
        )
        .tool(
            "wide_meta",
            tool(move || async move { CallToolResult::text("x").meta(meta(wide())) }).describe("x"),
        )
        .tool("failure", tool(move || async move { Err::<String, _>(ToolError::new(text())) }).describe("x"))
        .tool(
            "refusal",
            tool(move || async move { Err::<String, _>(ProtocolError::new(-31000, text())) }).describe("x"),
        )
        .tool(
            "data",
            tool(move || async move { Err::<String, _>(ProtocolError::new(-31000, "short").data(wide())) })
                .describe("x"),
        )
        .tool(
            "context",
            tool(move |context: Context| async move {
                context.put_result_meta("example.com/x", json!(text()));
                "x"
            })
            .describe("x"),
        )
        .resource("test://text", resource(move || async move { text() }))
        .resource("test://blob", resource(|| async { vec![0_u8; LIMIT] }))
        .resource(
            "test://meta",
            resource(move || async move { ResourceContents::text("x").meta(meta(wide())) }),
        )
        .prompt("text", prompt(move || async move { text() }))
        .prompt("many", prompt(|| async { vec![PromptMessage::user(""); 20_000] }))
        .prompt(
            "meta",
            prompt(|| async { GetPromptResult::new([PromptMessage::user("x")]).meta(meta(nested(1_100))) }),
        )
        .list_resources(|| async {
            (0..2_000).map(|number| Resource::new(format!("test://{number}"), "x")).collect::<Vec<_>>()
        });
    for number in 0..200 {
        let described = format!("Does {}", "this and that ".repeat(10));
        router = router.tool(format!("tool_{number}"), tool(|| async { "x" }).describe(described));
    }
    router
}

#[tokio::test]
async fn no_response_of_any_kind_is_larger_than_the_limit() {
    let server = serving(large())
        .limits(Limits::default().with_output_bytes(LIMIT))
        .instructions("x".repeat(LIMIT))
        .build()
        .unwrap();
    let tool = |name: &str| ("tools/call", json!({ "name": name }));
    let read = |uri: &str| ("resources/read", json!({ "uri": uri }));
    let get = |name: &str| ("prompts/get", json!({ "name": name }));
    let requests = [
        tool("text"),
        tool("blocks"),
        tool("image"),
        tool("meta"),
        tool("deep_meta"),
        tool("wide_meta"),
        tool("failure"),
        tool("refusal"),
        tool("data"),
        tool("context"),
        read("test://text"),
        read("test://blob"),
        read("test://meta"),
        get("text"),
        get("many"),
        get("meta"),
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("server/discover", json!({})),
        (
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } }),
        ),
    ];
    for version in ProtocolVersion::ALL {
        for (method, params) in &requests {
            let message = if version == MODERN {
                modern(1, method, params.clone())
            } else {
                plain(1, method, params.clone())
            };
            let peer = mcp_core::server::Peer::anonymous(mcp_core::context::Transport::InProcess);
            let mut exchange = server.dispatch(version, message.to_string(), peer).unwrap();
            let Some(Outgoing::Reply(reply)) = exchange.next().await else { panic!("{method}: no reply") };
            assert!(reply.body.len() <= LIMIT, "{version} {method} {params}: {} bytes", reply.body.len());
            let reply = crate::wire::read(&reply.body);
            assert_eq!(reply["id"], 1);
            let error = reply.get("error").unwrap_or_else(|| panic!("{version} {method} {params}: no error"));
            let code = error["code"].as_i64().unwrap();
            assert!([-32603, -32601, -31000].contains(&code), "{version} {method} {params}: {error}");
        }
    }
}

#[tokio::test]
async fn the_text_copy_of_structured_content_counts() {
    let handler = || async { Structured("x".repeat(LIMIT * 2 / 3)) };
    let server = limited(McpRouter::new().tool("t", tool(handler).describe("x")));
    let modern = server.client(MODERN).call_tool("t", json!({})).await;
    assert_eq!(modern.code(), Some(-32603), "twice two thirds");
    // A string is no structured content before 2026-07-28, so there is the text alone.
    assert!(server.client(HANDSHAKE).call_tool("t", json!({})).await.result().is_some());
}

#[tokio::test]
async fn a_completion_beyond_the_limit_is_held_back() {
    #[derive(serde::Deserialize, JsonSchema)]
    struct City {
        #[expect(dead_code, reason = "only its name matters")]
        city: String,
    }
    let router = McpRouter::new().prompt(
        "p",
        prompt(|_: mcp_core::extract::Args<City>| async { "x" })
            .complete("city", || async { vec!["x".repeat(LIMIT)] }),
    );
    let params =
        json!({ "ref": { "type": "ref/prompt", "name": "p" }, "argument": { "name": "city", "value": "" } });
    let answer = limited(router).client(MODERN).request("completion/complete", params).await;
    assert_eq!(answer.code(), Some(-32603));
}

#[tokio::test]
async fn an_error_that_is_too_large_keeps_its_code_and_loses_its_data_first() {
    let router = McpRouter::new()
        .tool(
            "data",
            tool(|| async {
                Err::<String, _>(ProtocolError::new(-31000, "short").data(json!("x".repeat(LIMIT))))
            })
            .describe("x"),
        )
        .tool(
            "message",
            tool(|| async { Err::<String, _>(ProtocolError::new(-32602, "x".repeat(LIMIT))) }).describe("x"),
        )
        .tool(
            "deep",
            tool(|| async { Err::<String, _>(ProtocolError::new(-31000, "x").data(nested(1_000))) })
                .describe("x"),
        );
    let client = limited(router).client(MODERN);
    let outcome = async |name: &str| client.call_tool(name, json!({})).await.outcome.unwrap_err();
    assert_eq!(outcome("data").await, json!({ "code": -31000, "message": "short" }));
    assert_eq!(outcome("message").await, json!({ "code": -32602, "message": "Invalid params" }));
    assert_eq!(outcome("deep").await, json!({ "code": -31000, "message": "x" }));
}

#[tokio::test]
async fn an_oversized_id_is_answered_with_a_bounded_error() {
    let server = limited(McpRouter::new().tool("t", tool(|| async { "x" }).describe("x")));
    // The quotes count.
    let longest = "i".repeat(1_022);
    let message = modern(longest.clone(), "tools/call", json!({ "name": "t" }));
    let answered = crate::wire::post(&server, &message, &agreeing(&message)).await;
    assert_eq!((answered.reply["id"].clone(), answered.text()), (json!(longest), "x"));
    for length in [1_023, 1 << 20] {
        let message = modern("i".repeat(length), "tools/call", json!({ "name": "t" }));
        let answered = post_text(&server, message.to_string(), &agreeing(&message)).await;
        assert_eq!((answered.status, answered.code()), (400, -32600), "{length}");
        assert!(answered.reply["id"].is_null() && answered.reply.to_string().len() < 1_024);
    }
}

#[tokio::test]
async fn the_smallest_limit_leaves_room_for_the_longest_id() {
    let router = McpRouter::new().tool("t", tool(|| async { "x".repeat(2_000) }).describe("x"));
    let server = serving(router).limits(Limits::default().with_output_bytes(1_024)).build().unwrap();
    let id = "i".repeat(1_022);
    let message = modern(id.clone(), "tools/call", json!({ "name": "t" }));
    let answered = crate::wire::post(&server, &message, &agreeing(&message)).await;
    assert_eq!((answered.code(), answered.reply["id"].clone()), (-32603, json!(id)));
}

#[tokio::test]
async fn notifications_of_a_call_share_a_budget_and_the_reply_has_its_own() {
    let handler = |progress: Progress, log: Log| async move {
        for step in 0..1_000 {
            progress.report_with(f64::from(step), None, "a sentence of some length, so that it counts");
            log.info("another one, which is not short either");
            tokio::task::yield_now().await;
        }
        log.info(&"x".repeat(LIMIT));
        "y".repeat(LIMIT - 1_000)
    };
    let limits = Limits { notification_bytes: 8_000, ..Limits::default().with_output_bytes(LIMIT) };
    let router = McpRouter::new().tool("chatty", tool(handler).describe("x"));
    let server = serving(router).limits(limits).build().unwrap();
    let message = with_meta(
        plain(1, "tools/call", json!({ "name": "chatty" })),
        json!({ "progressToken": 1, LOG_KEY: "debug" }),
    );
    let peer = mcp_core::server::Peer::anonymous(mcp_core::context::Transport::InProcess);
    let answered = drive(server.dispatch(MODERN, message.to_string(), peer).unwrap()).await;
    let said: usize = answered.notifications.iter().map(|message| message.to_string().len()).sum();
    assert!((7_000..=8_000).contains(&said), "{said}");
    assert_eq!(answered.text().len(), LIMIT - 1_000, "the reply is never dropped");
}

#[tokio::test]
async fn what_a_handler_says_is_bounded_like_what_it_returns() {
    let raw = format!("[{}0]", "0,".repeat(70_000));
    let handler = move |context: Context, log: Log, progress: Progress| {
        let raw = RawJson::parse(&raw);
        async move {
            let written = Arc::new(AtomicUsize::new(0));
            let fault = context.notify("notifications/x", &Endless(Arc::clone(&written))).unwrap_err();
            assert!(matches!(fault, WriteFault::TooManyTokens { .. }), "{fault:?}");
            assert!(matches!(
                context.notify("x", &json!({ "a": nested(1_100) })),
                Err(WriteFault::TooDeep { .. })
            ));
            log.send(LogLevel::Info, &nested(1_100));
            log.send(LogLevel::Info, &Endless(written));
            if let Ok(raw) = raw {
                log.send(LogLevel::Info, &raw);
            }
            progress.report_with(1.0, None, &"x".repeat(3 << 20));
            "x"
        }
    };
    let server = serving(McpRouter::new().tool("t", tool(handler).describe("x"))).build().unwrap();
    let meta = json!({ "progressToken": 1 }).as_object().unwrap().clone();
    let answer = server.client(HANDSHAKE).request_with_meta("tools/call", json!({ "name": "t" }), meta).await;
    assert!(answer.result().is_some(), "{answer:?}");
    let params: Vec<_> = answer.notifications.iter().map(|message| &message["params"]).collect();
    assert_eq!(params, [&json!({ "progressToken": 1, "progress": 1.0 })], "progress without its sentence");
}

#[tokio::test]
async fn a_question_that_is_too_large_is_not_asked() {
    let handler = |client: Client| async move {
        match client.elicit_url("q", "x".repeat(LIMIT), "https://example.com").await {
            Ok(_) => Ok("asked".to_owned()),
            Err(error) => Err(ToolError::new(error.to_string())),
        }
    };
    let server = limited(McpRouter::new().tool("t", tool(handler).describe("x")));
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": { "url": {} } }, "clientInfo": { "name": "c", "version": "1" } });
    let mut connection = crate::wire::connect(&server);
    ask(&mut connection, &plain("hello", "initialize", params)).await;
    receive(&mut connection, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let answered = ask(&mut connection, &plain(1, "tools/call", json!({ "name": "t" }))).await;
    assert!(answered.text().contains("limits.output_bytes"), "{answered:?}");
    let mut message = modern(1, "tools/call", json!({ "name": "t" }));
    message["params"]["_meta"][crate::wire::CAPABILITIES_KEY] = json!({ "elicitation": { "url": {} } });
    let answered = crate::wire::post(&server, &message, &agreeing(&message)).await;
    assert!(answered.code() == -32603 && answered.message().contains("limits.output_bytes"), "{answered:?}");
}
