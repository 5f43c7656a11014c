//! A call through a proxy does what a direct one does, whatever becomes of it.

use super::toolboxes::boxed;
use crate::wire::{HANDSHAKE, MODERN, drive, modern, plain, receive, shaken};
use futures_util::FutureExt as _;
use mcp_core::{
    context::Context,
    extract::{Args, Client, Log, Progress},
    handler::{ProtocolError, Structured, ToolError},
    overflow::Overflow,
    protocol::{CallToolResult, Content},
    registry::{McpRouter, Toolbox, tool, tool_args},
    server::{Limits, Server},
    testing::{Answer, TestClient},
    version::ProtocolVersion,
};
use serde_json::{Map, Value, json};
use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Sum {
    /// What comes out.
    sum: i64,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sure {
    sure: bool,
}

async fn ask(client: Client) -> Result<String, ToolError> {
    let one = client.elicit::<Sure>("one", "Sure of one?").await?.require()?.sure;
    let kept = client.remember("kept", async { 7 }).await?;
    let two = client.elicit::<Sure>("two", "Sure of two?").await?.require()?.sure;
    Ok(format!("{one} {kept} {two}"))
}

async fn report(progress: Progress, log: Log, context: Context) -> CallToolResult {
    for step in 1..=3 {
        progress.report(f64::from(step), 3.0);
    }
    log.error("something");
    context.put_result_meta("key", json!(1));
    CallToolResult::new([Content::text("reported"), Content::image(vec![1, 2], "image/png")])
}

/// Drops with its future.
struct Fate(Arc<AtomicUsize>);

impl Drop for Fate {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn router(dropped: &Arc<AtomicUsize>) -> McpRouter<()> {
    let dropped = Arc::clone(dropped);
    let hang = move || {
        let fate = Fate(Arc::clone(&dropped));
        async move {
            let _fate = fate;
            pending::<&'static str>().await
        }
    };
    let add = tool_args(["a", "b"], async |a: i64, b: i64| Structured(Sum { sum: a + b })).describe("Adds");
    let inside = McpRouter::new()
        .tool("add", add.read_only())
        .tool(
            "fails",
            tool(|| async { Err::<&str, _>(ToolError::new("the disk is full")) }).describe("Fails"),
        )
        .tool(
            "breaks",
            tool(async || "x".parse::<u8>().map(|_| "x").map_err(ToolError::from)).describe("Breaks"),
        )
        .tool(
            "refuses",
            tool(|| async {
                Err::<&str, _>(ProtocolError::new(-31_000, "broken").data(json!({ "part": 7 })))
            })
            .describe("Refuses"),
        )
        .tool(
            "forbidden",
            tool(|| async { Err::<&str, _>(ProtocolError::forbidden(["read"])) }).describe("F"),
        )
        .tool("panics", tool(async || -> &'static str { panic!("on purpose") }).describe("Panics"))
        .tool("hangs", tool(hang).describe("Hangs").timeout(Duration::from_secs(5)))
        .tool("asks", tool(ask).describe("Asks"))
        .tool("reports", tool(report).describe("Reports"))
        .tool(
            "unfit",
            tool(|| async { Structured(Sum { sum: 1 }) })
                .describe("Returns what its schema does not allow")
                .output_schema(json!({ "type": "object", "required": ["total"] })),
        )
        .tool("large", tool(|| async { "x".repeat(5_000) }).describe("Returns too much"))
        .tool(
            "any",
            tool(|Args(sent): Args<Map<String, Value>>| async move { json!(sent).to_string() })
                .describe("Any")
                .input_schema(json!({ "type": "object" })),
        );
    McpRouter::new().merge(inside.toolbox(Toolbox::new("box", "Everything")))
}

fn serving(dropped: &Arc<AtomicUsize>) -> Server {
    let limits = Limits::default().with_output_bytes(4_096);
    boxed(router(dropped)).limits(limits).build().unwrap()
}

/// What a call comes to, directly and through the proxy.
async fn both(client: &TestClient, name: &str, arguments: Value) -> [Answer; 2] {
    let meta = Map::from_iter([("progressToken".to_owned(), json!("token"))]);
    let call = |params: Value| client.request_with_meta("tools/call", params, meta.clone());
    let direct = call(json!({ "name": name, "arguments": arguments })).await;
    let arguments = json!({ "name": name, "arguments": arguments });
    [direct, call(json!({ "name": "call_tool", "arguments": arguments })).await]
}

#[tokio::test(start_paused = true)]
async fn every_outcome_is_the_same_in_every_revision() {
    let server = serving(&Arc::default());
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        for (name, arguments, holds) in [
            ("add", json!({ "a": 2, "b": 40 }), "42"),
            ("add", json!({ "a": "2", "b": 40.0 }), "42"),
            ("add", json!({ "a": 2 }), "b"),
            ("add", json!({ "a": 2, "b": [], "c": 1 }), "c"),
            ("fails", json!({}), "the disk is full"),
            ("fails", json!({ "stray": 1 }), "stray"),
            ("breaks", json!({}), "Details are in the server's log"),
            ("refuses", json!({}), "-31000"),
            ("forbidden", json!({}), "insufficient scope"),
            ("panics", json!({}), ""),
            ("hangs", json!({}), "5s"),
            ("asks", json!({}), "elicit"),
            ("reports", json!({}), "reported"),
            ("unfit", json!({}), "-32603"),
            ("large", json!({}), "limits.output_bytes"),
            ("any", json!({ "name": "x", "arguments": { "_meta": 1 }, "ü\n\"": null }), "arguments"),
        ] {
            let [direct, proxied] = both(&client, name, arguments).await;
            assert_eq!(direct, proxied, "{version} {name}");
            let text = format!("{:?}", direct);
            assert!(text.contains(holds), "{version} {name}: {text}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn progress_and_log_go_out_under_the_clients_token() {
    let server = serving(&Arc::default());
    for version in ProtocolVersion::ALL {
        let [direct, proxied] = both(&server.client(version), "reports", json!({})).await;
        assert_eq!(direct, proxied, "{version}");
        let progress = proxied.notifications.iter().filter(|said| said["method"] == "notifications/progress");
        let tokens: Vec<_> = progress.map(|said| said["params"]["progressToken"].clone()).collect();
        assert_eq!(tokens, vec![json!("token"); 3], "{version}");
    }
}

#[tokio::test]
async fn a_tool_asks_through_a_proxy_in_both_eras_and_on_both_channels() {
    let server = serving(&Arc::default());
    for version in ProtocolVersion::ALL {
        let answering =
            server.client(version).answering(|_| json!({ "action": "accept", "content": { "sure": true } }));
        // Older revisions have no such question.
        let asks = version >= ProtocolVersion::V2025_06_18;
        for client in [answering.clone(), answering.live()] {
            let [direct, proxied] = both(&client, "asks", json!({})).await;
            assert_eq!(direct, proxied, "{version}");
            let came_to = (proxied.text() == "true 7 true", proxied.asked.len());
            assert_eq!(came_to, if asks { (true, 2) } else { (false, 0) }, "{version}");
        }
        let declining = server.client(version).answering(|_| json!({ "action": "decline" }));
        let [direct, proxied] = both(&declining, "asks", json!({})).await;
        assert_eq!(direct, proxied, "{version}");
    }
}

#[tokio::test]
async fn the_state_that_a_client_carries_belongs_to_the_tool_and_not_to_the_proxy() {
    let server = serving(&Arc::default());
    let client = server.client(MODERN).with_capabilities(json!({ "elicitation": {} }));
    let direct = json!({ "name": "asks", "arguments": {} });
    let proxied = json!({ "name": "call_tool", "arguments": { "name": "asks", "arguments": {} } });
    let answer = |params: &Value, asked: &Answer| {
        let result = asked.result().unwrap();
        assert_eq!(result["resultType"], "input_required", "{result}");
        let keys = result["inputRequests"].as_object().unwrap().keys();
        let accept = json!({ "action": "accept", "content": { "sure": true } });
        let mut params = params.clone();
        params["inputResponses"] =
            keys.map(|key| (key.clone(), accept.clone())).collect::<Map<_, _>>().into();
        params["requestState"] = result["requestState"].clone();
        params
    };
    for rounds in
        [[&proxied, &proxied, &proxied], [&proxied, &direct, &proxied], [&direct, &proxied, &direct]]
    {
        let mut last = client.request("tools/call", rounds[0].clone()).await;
        for params in &rounds[1..] {
            last = client.request("tools/call", answer(params, &last)).await;
        }
        assert_eq!(last.text(), "true 7 true", "{last:?}");
    }
    // Nor does it open for anything else that the proxy calls.
    let asked = client.request("tools/call", proxied).await;
    for other in [
        json!({ "name": "call_tool", "arguments": { "name": "any", "arguments": {} } }),
        json!({ "name": "any", "arguments": {} }),
    ] {
        let refused = client.request("tools/call", answer(&other, &asked)).await;
        assert_eq!(refused.code(), Some(-32602), "{refused:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_through_a_proxy_is_cancelled_like_any_other() {
    let call = json!({ "name": "call_tool", "arguments": { "name": "hangs" } });
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    for version in ProtocolVersion::ALL {
        let dropped = Arc::default();
        let server = serving(&dropped);
        let (mut connection, message) = match version {
            MODERN => (crate::wire::connect(&server), modern(7, "tools/call", call.clone())),
            _ => (shaken(&server, version).await, plain(7, "tools/call", call.clone())),
        };
        let exchange = receive(&mut connection, &message).unwrap();
        let mut running = Box::pin(drive(exchange));
        assert!(running.as_mut().now_or_never().is_none(), "{version}: it hangs");
        assert!(receive(&mut connection, &cancel).is_none());
        let answered = running.await;
        assert_eq!(answered.reply, Value::Null, "{version}: a cancelled call is not answered");
        assert_eq!((dropped.load(Ordering::SeqCst), connection.in_flight()), (1, 0), "{version}");
    }
}

#[tokio::test]
async fn calls_through_a_proxy_come_in_batches_too() {
    let server = serving(&Arc::default());
    let mut connection = shaken(&server, ProtocolVersion::V2025_03_26).await;
    let call = |id: u8, a: i64| {
        let arguments = json!({ "name": "add", "arguments": { "a": a, "b": 1 } });
        plain(id, "tools/call", json!({ "name": "call_read_only", "arguments": arguments }))
    };
    let batch = json!([call(1, 1), call(2, 2), plain(3, "tools/call", json!({ "name": "call_tool" }))]);
    let answered = drive(receive(&mut connection, &batch).unwrap()).await;
    let replies = answered.reply.as_array().unwrap();
    let of = |id: u8| replies.iter().find(|reply| reply["id"] == id).unwrap();
    assert_eq!(of(1)["result"]["content"][0]["text"], r#"{"sum":2}"#);
    assert_eq!(of(2)["result"]["content"][0]["text"], r#"{"sum":3}"#);
    assert_eq!(of(3)["error"]["code"], -32602);
}

#[tokio::test]
async fn what_is_too_large_becomes_a_resource_through_a_proxy_too() {
    let limits = Limits::default().with_output_bytes(4_096);
    let server =
        boxed(router(&Arc::default())).limits(limits).overflow(Overflow::new().all_tools()).build().unwrap();
    for version in [HANDSHAKE, MODERN] {
        let [direct, proxied] = both(&server.client(version), "large", json!({})).await;
        for answer in [&direct, &proxied] {
            assert!(format!("{answer:?}").contains("overflow://"), "{version} {answer:?}");
        }
        let shape = |answer: &Answer| {
            let blocks = answer.result().unwrap()["content"].as_array().unwrap();
            blocks.iter().map(|block| block["type"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(shape(&direct), shape(&proxied));
    }
}
