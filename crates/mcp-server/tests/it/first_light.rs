//! A tool as a plain async function, tested in process.

use mcp_server::{
    Args, Log, McpRouter, Progress, ProtocolVersion, Structured, ToolError, blocking, server, tool, tool_args,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Pair {
    a: i64,
    b: i64,
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

async fn add(Args(Pair { a, b }): Args<Pair>) -> Structured<Sum> {
    Structured(Sum { sum: a + b })
}

async fn multiply(a: i64, b: i64) -> i64 {
    a * b
}

async fn steps(progress: Progress, log: Log) -> Result<String, ToolError> {
    progress.report(1.0, 2.0);
    log.info("half way");
    progress.report(2.0, 2.0);
    Ok("done".into())
}

async fn fails() -> Result<String, ToolError> {
    let number: i64 = "x".parse()?;
    Ok(number.to_string())
}

fn built() -> mcp_server::Server {
    let router = McpRouter::new()
        .tool("add", tool(add).describe("Adds"))
        .tool("multiply", tool_args(["a", "b"], multiply).describe("Multiplies"))
        .tool("steps", tool(steps).describe("Reports"))
        .tool("fails", tool(fails).describe("Fails"))
        .tool(
            "sync",
            tool(blocking(|Args(Pair { a, b }): Args<Pair>| (a - b).to_string())).describe("Subtracts"),
        )
        .tool("panics", tool(|| async { panic!("secret") as String }).describe("Panics"));
    server(router).name("t").version("1").build().unwrap()
}

#[tokio::test]
async fn every_version_lists_and_calls() {
    let server = built();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let tools = client.list_tools().await;
        assert_eq!(tools.result().unwrap()["tools"].as_array().unwrap().len(), 6, "{version}");
        let sum = client.call_tool("add", json!({ "a": 2, "b": "40" })).await;
        assert_eq!(sum.text(), "{\"sum\":42}", "{version}: {sum:?}");
        assert_eq!(client.call_tool("multiply", json!({ "a": 6, "b": 7.0 })).await.text(), "42");
        assert_eq!(client.call_tool("sync", json!({ "a": 6, "b": 7 })).await.text(), "-1");
        assert_eq!(client.call_tool("panics", json!({})).await.code(), Some(-32603));
        let failed = client.call_tool("fails", json!({})).await;
        assert!(failed.is_error() && !failed.text().contains("digit"), "{failed:?}");
    }
}

#[tokio::test]
async fn progress_and_log_come_before_the_reply() {
    let client = built().client(ProtocolVersion::LATEST);
    let mut meta = serde_json::Map::new();
    meta.insert("progressToken".into(), json!(0));
    meta.insert("io.modelcontextprotocol/logLevel".into(), json!("debug"));
    let answer = client.request_with_meta("tools/call", json!({ "name": "steps" }), meta).await;
    assert_eq!(answer.notifications.len(), 3, "{answer:?}");
    assert_eq!(answer.text(), "done");
}
