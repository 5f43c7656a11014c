//! Which calls become tasks.

use super::world::*;
use crate::{
    runtime::TestRuntime,
    wire::{Headers, plain, post},
};

#[tokio::test(start_paused = true)]
async fn on_2025_11_25_the_client_decides_within_what_the_tool_supports() {
    let (server, _) = serving();
    let client = core(&server);
    let seconds = json!({ "seconds": 0 });
    for (tool, task, code) in [
        ("plain", json!({}), Some(-32_601)),
        ("must", Value::Null, Some(-32_601)),
        ("work", json!(7), Some(-32_602)),
        ("work", json!({ "ttl": -1 }), Some(-32_602)),
        ("work", json!({ "ttl": "60" }), Some(-32_602)),
        ("work", json!({}), None),
        ("work", json!({ "ttl": null }), None),
        ("must", json!({ "ttl": 0 }), None),
    ] {
        let answer = call_as_task(&client, tool, seconds.clone(), task.clone()).await;
        assert_eq!(answer.code(), code, "{tool} {task}");
        if code.is_none() {
            assert!(!id_of(&answer).is_empty());
        }
    }
    let plain = call(&client, "work", seconds).await;
    assert_eq!(plain.text(), "worked for 0 s", "without `task` the call is answered when it ends");
}

#[tokio::test(start_paused = true)]
async fn arguments_that_do_not_fit_are_an_error_to_who_asks_for_a_task() {
    let (server, _) = serving();
    let refused = call_as_task(&core(&server), "work", json!({ "seconds": "x" }), json!({})).await;
    assert_eq!(refused.code(), Some(-32_602));
    assert!(call(&modern(&server), "work", json!({ "seconds": "x" })).await.is_error());
}

#[tokio::test(start_paused = true)]
async fn a_server_without_task_tools_takes_no_notice_of_tasks() {
    let router =
        McpRouter::<Fates>::new().tool("plain", tool(work).describe("Works")).with_state(Fates::default());
    let server = Server::builder(router, Arc::new(VirtualRuntime::new()))
        .name("test")
        .version("1")
        .tasks(Tasks::new(Arc::new(MemoryTasks::new())))
        .build()
        .unwrap();
    let answer = call_as_task(&core(&server), "plain", json!({ "seconds": 0 }), json!({ "ttl": 5 })).await;
    assert_eq!(answer.text(), "worked for 0 s");
    for (client, methods) in [
        (core(&server), &["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"][..]),
        (modern(&server), &["tasks/get", "tasks/update", "tasks/cancel"][..]),
    ] {
        for method in methods {
            assert_eq!(about(&client, method, "x").await.code(), Some(-32_601), "{method}");
        }
    }
    let discovered = server.client(MODERN).request("server/discover", Value::Null).await;
    assert!(discovered.result().unwrap()["capabilities"].get("extensions").is_none());
}

#[tokio::test(start_paused = true)]
async fn on_2026_07_28_only_a_request_that_declares_the_extension_has_a_task() {
    let (server, _) = serving();
    let declaring = modern(&server);
    let created = call(&declaring, "work", json!({ "seconds": 0 })).await;
    assert_eq!(created.result().unwrap()["resultType"], "task");
    let plain = server.client(MODERN);
    let answer = call(&plain, "work", json!({ "seconds": 1 })).await;
    assert_eq!(answer.result().unwrap()["resultType"], "complete");
    assert_eq!(answer.text(), "worked for 1 s");
    let refused = call(&plain, "must", json!({ "seconds": 0 })).await;
    assert_eq!(refused.code(), Some(-32_021));
    let needed = json!({ "requiredCapabilities": { "extensions": { "io.modelcontextprotocol/tasks": {} } } });
    assert_eq!(refused.outcome.unwrap_err()["data"], needed);
    let legacy = call_as_task(&declaring, "plain", json!({ "seconds": 0 }), json!({ "ttl": 1 })).await;
    assert_eq!(legacy.text(), "worked for 0 s", "`task` means nothing here");
}

#[tokio::test(start_paused = true)]
async fn an_older_client_is_answered_when_the_call_ends() {
    let (server, _) = serving();
    for version in [ProtocolVersion::V2024_11_05, ProtocolVersion::V2025_03_26, ProtocolVersion::V2025_06_18]
    {
        let client = server.client(version);
        let answer = call_as_task(&client, "work", json!({ "seconds": 1 }), json!({})).await;
        assert_eq!(answer.text(), "worked for 1 s", "{version:?}");
        assert_eq!(call(&client, "must", json!({ "seconds": 1 })).await.code(), Some(-32_601), "{version:?}");
        assert_eq!(about(&client, "tasks/get", "x").await.code(), Some(-32_601), "{version:?}");
        let listed = client.list_tools().await;
        assert!(!listed.result().unwrap().to_string().contains("execution"), "{version:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_fast_call_of_a_patient_tool_is_answered_and_a_slow_one_becomes_a_task() {
    let (server, fates) = serving();
    let client = modern(&server);
    assert_eq!(call(&client, "patient", json!({ "seconds": 1 })).await.text(), "worked for 1 s");
    let begin = tokio::time::Instant::now();
    let slow = call(&client, "patient", json!({ "seconds": 30 })).await;
    assert_eq!(begin.elapsed().as_secs(), 2);
    let id = id_of(&slow);
    tokio::time::sleep(Duration::from_secs(29)).await;
    assert_eq!(get(&client, &id).await["result"]["content"][0]["text"], "worked for 30 s");
    assert_eq!(fates.begun.load(Ordering::SeqCst), 2, "the handler goes on and is not run again");
}

#[tokio::test(start_paused = true)]
async fn a_handler_asks_first_and_becomes_a_task_then() {
    let (server, _) = serving();
    let client = modern(&server);
    let first = call(&client, "ask_then_detach", json!({})).await;
    let result = first.result().unwrap();
    assert_eq!(result["resultType"], "input_required");
    assert!(result.get("taskId").is_none());
    let answers = json!({ "name": accepted(json!({ "name": "Ada" })) });
    let params = json!({
        "name": "ask_then_detach", "arguments": {},
        "inputResponses": answers, "requestState": result["requestState"],
    });
    let second = client.request("tools/call", params).await;
    let result = second.result().unwrap();
    assert_eq!(result["resultType"], "task");
    assert!(result.get("requestState").is_none() && result.get("inputRequests").is_none());
    let id = id_of(&second);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let text = &get(&client, &id).await["result"]["content"][0]["text"];
    assert_eq!(text, "hello Ada, as a task: true");
}

#[tokio::test(start_paused = true)]
async fn detaching_changes_nothing_for_a_client_without_tasks() {
    let (server, _) = serving();
    for version in [MODERN, CORE, ProtocolVersion::V2025_06_18] {
        let client = server.client(version).answering(|_| accepted(json!({ "name": "Ada" })));
        let answer = call(&client, "ask_then_detach", json!({})).await;
        assert_eq!(answer.text(), "hello Ada, as a task: false", "{version:?}");
    }
}

#[test]
fn a_tool_that_runs_as_a_task_needs_a_server_that_keeps_tasks() {
    let faults = Server::builder(router(&Fates::default()), Arc::new(TestRuntime))
        .name("test")
        .version("1")
        .build()
        .unwrap_err()
        .to_string();
    assert!(faults.contains("tool `must`") && faults.contains(".tasks("), "{faults}");
    assert!(!faults.contains("tool `plain`"), "{faults}");
}

#[tokio::test(start_paused = true)]
async fn a_handshake_caller_without_session_and_name_has_no_task() {
    let server = building(&Fates::default(), |tasks| tasks).build().unwrap();
    let head = Headers::default().with("mcp-protocol-version", "2025-11-25");
    let call = |name: &str| {
        plain(1, "tools/call", json!({ "name": name, "arguments": { "seconds": 1 }, "task": {} }))
    };
    assert_eq!(post(&server, &call("work"), &head).await.text(), "worked for 1 s");
    assert_eq!(post(&server, &call("must"), &head).await.code(), -32_601);
}
