//! Calls of derived tools: everything that the original can do.

use super::{arguments, listed};
use crate::{
    runtime::TestRuntime,
    sessions::world::VirtualRuntime,
    wire::{HANDSHAKE, MODERN, agreeing, drive, modern, post, serving, with_meta},
};
use mcp_core::{
    context::{Context, Transport},
    extract::{Client, Progress},
    handler::ToolError,
    page::Lists,
    registry::{McpRouter, derive, tool, tool_args},
    server::{Peer, Server, TaskSupport, Tasks},
    version::ProtocolVersion,
    view::Listed,
};
use mcp_store::MemoryTasks;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

#[derive(Deserialize, JsonSchema)]
struct Sure {
    sure: bool,
}

async fn delete(path: String, force: bool, client: Client) -> Result<String, ToolError> {
    let Sure { sure } = client.elicit::<Sure>("sure", format!("Delete {path}?")).await?.require()?;
    let kept = client.remember("kept", async { format!("{path}!") }).await?;
    Ok(format!("{kept} {sure} {force}"))
}

#[tokio::test]
async fn a_derived_tool_asks_in_every_way_that_its_original_does() {
    let router = McpRouter::new()
        .tool("delete", tool_args(["path", "force"], delete).describe("Deletes").destructive())
        .through(
            derive("delete")
                .name("remove")
                .argument("path", |path| path.rename("what"))
                .argument("force", |force| force.fixed(true)),
        );
    let server = Server::builder(router, Arc::new(TestRuntime)).name("test").version("1").build().unwrap();
    for (version, live) in [(MODERN, false), (HANDSHAKE, false), (HANDSHAKE, true)] {
        let client = server
            .client(version)
            .with_capabilities(json!({ "elicitation": { "form": {} } }))
            .answering(|_| json!({ "action": "accept", "content": { "sure": true } }));
        let client = if live { client.live() } else { client };
        let answer = client.call_tool("remove", json!({ "what": "x" })).await;
        assert_eq!(answer.text(), "x! true true", "{version} {live}");
        assert_eq!(answer.asked.len(), 1);
        assert_eq!(answer.asked[0]["params"]["message"], "Delete x?");
    }
}

#[tokio::test]
async fn a_made_value_is_made_again_in_each_round() {
    let made = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&made);
    let router =
        McpRouter::new().tool("delete", tool_args(["path", "force"], delete).describe("Deletes")).through(
            derive("delete")
                .name("remove")
                .argument("path", |path| path.fixed("x"))
                .argument("force", |force| {
                    force.fixed_by(move |_| Ok(counting.fetch_add(1, Ordering::Relaxed) > 0))
                }),
        );
    let client = serving(router).build().unwrap().client(MODERN);
    let client = client
        .with_capabilities(json!({ "elicitation": { "form": {} } }))
        .answering(|_| json!({ "action": "accept", "content": { "sure": true } }));
    assert_eq!(client.call_tool("remove", json!({})).await.text(), "x! true true");
    assert_eq!(made.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn progress_is_told_on_the_stream_of_the_call() {
    let steps = tool_args(["steps"], |steps: u8, progress: Progress| async move {
        progress.report(f64::from(steps), 4.0);
        "done"
    });
    let router = McpRouter::new()
        .tool("steps", steps.describe("Steps"))
        .through(derive("steps").name("three").argument("steps", |steps| steps.fixed(3)));
    let server = serving(router).build().unwrap();
    let call =
        with_meta(modern(1, "tools/call", json!({ "name": "three" })), json!({ "progressToken": "t" }));
    let answered = post(&server, &call, &agreeing(&call)).await;
    assert_eq!(answered.text(), "done");
    assert_eq!(
        answered.notifications[0]["params"],
        json!({ "progressToken": "t", "progress": 3.0, "total": 4.0 })
    );
}

#[tokio::test(start_paused = true)]
async fn the_time_that_a_call_may_take_is_the_original_s() {
    let hangs = tool_args(["a"], |_: u8| async { pending::<String>().await });
    let router = McpRouter::new()
        .tool("hangs", hangs.describe("Hangs").timeout(Duration::from_secs(3)))
        .through(derive("hangs").name("copy").argument("a", |a| a.fixed(1)));
    let server = serving(router).build().unwrap();
    let begun = tokio::time::Instant::now();
    let call = modern(1, "tools/call", json!({ "name": "copy" }));
    let exchange = server.dispatch(MODERN, call.to_string(), Peer::anonymous(Transport::InProcess)).unwrap();
    let answer = drive(exchange).await;
    assert_eq!(answer.result()["isError"], true);
    assert_eq!(begun.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn calls_go_on_as_tasks_where_those_of_the_original_do() {
    let work = tool_args(["seconds"], |seconds: u64, context: Context| async move {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        format!("{seconds} {}", context.is_task())
    });
    let router = McpRouter::new()
        .tool("work", work.describe("Works").task_support(TaskSupport::Required))
        .through(derive("work").name("brief").argument("seconds", |seconds| seconds.rename("s").at_most(9)));
    let server = Server::builder(router, Arc::new(VirtualRuntime::new()))
        .name("test")
        .version("1")
        .tasks(Tasks::new(Arc::new(MemoryTasks::new())))
        .build()
        .unwrap();
    let client = server.client(ProtocolVersion::V2025_11_25);
    assert_eq!(listed(&client, "brief").await["execution"]["taskSupport"], "required");
    let call = |arguments: Value| {
        client.request("tools/call", json!({ "name": "brief", "arguments": arguments, "task": {} }))
    };
    assert_eq!(call(json!({ "s": 10 })).await.code(), Some(-32602), "it never became a task");
    let begun = call(json!({ "s": 2 })).await;
    let id = begun.result().unwrap()["task"]["taskId"].clone();
    let result = client.request("tasks/result", json!({ "taskId": id })).await;
    assert_eq!(result.text(), "2 true");
}

#[tokio::test]
async fn unfit_arguments_are_told_as_each_version_tells_them() {
    let add = tool_args(["a", "b"], |a: i64, b: i64| async move { a + b });
    let router = McpRouter::new()
        .tool("add", add.describe("Adds"))
        .through(derive("add").name("next").argument("a", |a| a.rename("n")).argument("b", |b| b.fixed(1)));
    let server = serving(router).build().unwrap();
    let text = "argument `n`: expected integer, got boolean true";
    let old = server.client(ProtocolVersion::V2025_06_18);
    let refused = old.call_tool("next", json!({ "n": true })).await;
    assert_eq!(refused.code(), Some(-32602));
    assert!(refused.outcome.unwrap_err()["message"].as_str().unwrap().contains(text));
    for version in [MODERN, HANDSHAKE] {
        let answer = server.client(version).call_tool("next", json!({ "n": true })).await;
        assert_eq!((answer.text(), answer.is_error()), (text, true));
    }
    assert_eq!(old.call_tool("next", json!({ "n": 41 })).await.text(), "42");
}

#[tokio::test]
async fn headers_repeat_the_published_arguments() {
    let schema = json!({
        "type": "object",
        "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "table": { "type": "string" },
        },
        "required": ["region", "table"],
    });
    let query = tool(|context: Context| async move { context.arguments_text().to_owned() });
    let router = McpRouter::new().tool("query", query.describe("Queries").input_schema(schema)).through(
        derive("query")
            .name("users")
            .argument("region", |region| region.rename("where").one_of(["eu", "us"]))
            .argument("table", |table| table.fixed("users")),
    );
    let server = serving(router).build().unwrap();
    let call = modern(1, "tools/call", json!({ "name": "users", "arguments": { "where": "eu" } }));
    let right = post(&server, &call, &agreeing(&call).with("mcp-param-region", "eu")).await;
    assert_eq!(right.text(), r#"{"where":"eu"}"#);
    let wrong = post(&server, &call, &agreeing(&call).with("mcp-param-region", "us")).await;
    assert_eq!(wrong.status, 400);
}

#[tokio::test]
async fn what_the_client_s_model_calls_is_derived_all_the_same() {
    let run = tool(|client: Client| async move {
        let request = mcp_core::protocol::SamplingRequest::new(100)
            .message(mcp_core::protocol::SamplingMessage::user("Go"));
        let run = client.sample_with_tools("run", request, ["next"]).await?;
        Ok::<_, ToolError>(format!(
            "{:?}",
            run.calls().iter().map(|call| call.name().to_owned()).collect::<Vec<_>>()
        ))
    });
    let add = tool_args(["a", "b"], |a: i64, b: i64| async move { a + b });
    let router = McpRouter::new()
        .tool("run", run.describe("Runs"))
        .tool("add", add.describe("Adds"))
        .through(derive("add").name("next").argument("a", |a| a.rename("n")).argument("b", |b| b.fixed(1)));
    let client = serving(router).build().unwrap().client(MODERN);
    let client = client.with_capabilities(json!({ "sampling": { "tools": {} } })).answering(|asked| {
        let text = asked.params.to_string();
        match text.contains("tool_result") {
            true => {
                assert!(text.contains("42"), "{text}");
                json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "done" } })
            }
            false => {
                assert!(text.contains("\"n\"") && !text.contains("\"b\""), "{text}");
                json!({
                    "role": "assistant", "model": "m", "stopReason": "toolUse",
                    "content": [{ "type": "tool_use", "id": "1", "name": "next", "input": { "n": 41 } }],
                })
            }
        }
    });
    assert_eq!(client.call_tool("run", json!({})).await.text(), "[\"next\"]");
}

#[tokio::test]
async fn policies_see_a_derived_tool_as_a_tool_of_its_own() {
    let add = tool_args(["a"], |a: i64| async move { a });
    let router = McpRouter::new()
        .tool("add", add.describe("Adds").tag("internal"))
        .through(derive("add").name("copy").tag("public"));
    let policy = |_, tool: Listed| async move { tool.has_tag("public") };
    let server = serving(router).lists(Lists::default().tool_filter(policy)).build().unwrap();
    let client = server.client(MODERN);
    let list = client.request("tools/list", json!({})).await;
    assert_eq!(list.result().unwrap()["tools"].as_array().unwrap().len(), 1);
    assert_eq!(arguments(&listed(&client, "copy").await), ["a"]);
}
