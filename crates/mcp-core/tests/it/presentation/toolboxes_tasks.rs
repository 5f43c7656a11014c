//! Tools that run as tasks, behind a proxy.

use super::toolboxes::boxed;
use crate::{
    sessions::world::{pass, settle},
    tasks::world::*,
};
use mcp_core::presentation::{Presentation, Toolboxes};

fn serving() -> (Server, Fates) {
    let fates = Fates::default();
    let builder = building(&fates, |tasks| tasks);
    (builder.presentation(Presentation::toolboxes(Toolboxes::default())).build().unwrap(), fates)
}

/// The parameters of a call, directly and through the proxy.
fn both(name: &str, arguments: &Value, more: &Value) -> [Value; 2] {
    [
        json!({ "name": name, "arguments": arguments }),
        json!({ "name": "call_tool", "arguments": { "name": name, "arguments": arguments } }),
    ]
    .map(|mut params| {
        params.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        params
    })
}

/// An answer without what differs from one task to the next.
fn alike(answer: &Answer) -> String {
    let mut outcome = answer.outcome.clone();
    if let Ok(result) = &mut outcome {
        for pointer in ["/taskId", "/task/taskId"] {
            if let Some(id) = result.pointer_mut(pointer) {
                *id = json!("id");
            }
        }
    }
    format!("{outcome:?}")
}

#[tokio::test(start_paused = true)]
async fn a_task_through_a_proxy_is_a_task_of_the_tool_in_both_dialects() {
    let (server, _) = serving();
    for (client, more) in
        [(core(&server), json!({ "task": { "ttl": 60_000 } })), (modern(&server), json!({}))]
    {
        for (name, arguments) in [
            ("work", json!({ "seconds": 3 })),
            ("must", json!({ "seconds": 3 })),
            ("fail", json!({})),
            ("break", json!({})),
            ("panic", json!({})),
        ] {
            let mut told = Vec::new();
            for params in both(name, &arguments, &more) {
                let created = client.request("tools/call", params).await;
                let id = id_of(&created);
                let working = get(&client, &id).await.to_string().replace(&id, "id");
                pass(4).await;
                let done = get(&client, &id).await.to_string().replace(&id, "id");
                let result = about(&client, "tasks/result", &id).await;
                let result = format!("{:?}", result.outcome).replace(&id, "id");
                told.push([alike(&created), working, done, result].map(|text| without_times(&text)));
            }
            assert_eq!(told[0], told[1], "{name}");
            assert!(!told[1][0].contains("call_tool"), "{told:?}");
        }
    }
}

/// A text with every time of day in it taken out.
fn without_times(text: &str) -> String {
    text.split("2027-01-15T").map(|part| part.split_once("Z\"").map_or(part, |(_, rest)| rest)).collect()
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_no_task_ends_as_it_does_directly() {
    let (server, _) = serving();
    let clients =
        ProtocolVersion::ALL.map(|version| server.client(version)).into_iter().chain([modern(&server)]);
    for client in clients {
        for (name, arguments, more) in [
            ("plain", json!({ "seconds": 1 }), json!({})),
            ("work", json!({ "seconds": 1 }), json!({})),
            ("must", json!({ "seconds": 1 }), json!({})),
            ("patient", json!({ "seconds": 1 }), json!({})),
            ("plain", json!({ "seconds": 1 }), json!({ "task": {} })),
            ("work", json!({ "seconds": 1 }), json!({ "task": 5 })),
            ("work", json!({ "seconds": 1 }), json!({ "task": { "ttl": -1 } })),
            ("work", json!({}), json!({ "task": {} })),
        ] {
            let [direct, proxied] = both(name, &arguments, &more);
            let direct = client.request("tools/call", direct).await;
            let proxied = client.request("tools/call", proxied).await;
            assert_eq!(
                without_times(&alike(&direct)),
                without_times(&alike(&proxied)),
                "{client:?} {name} {more}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_through_a_proxy_asks_its_client_and_is_cancelled() {
    let (server, fates) = serving();
    let client = modern(&server);
    let [_, params] = both("confirm", &json!({}), &json!({}));
    let id = id_of(&client.request("tools/call", params).await);
    settle().await;
    assert_eq!(get(&client, &id).await["status"], "input_required");
    update(&client, &id, json!({ "sure": accepted(json!({ "sure": true })) })).await;
    settle().await;
    let done = get(&client, &id).await;
    assert_eq!(done["result"]["content"][0]["text"], "sure: true", "{done}");

    let [_, params] = both("work", &json!({ "seconds": 60 }), &json!({ "task": {} }));
    for client in [modern(&server), core(&server)] {
        let id = id_of(&client.request("tools/call", params.clone()).await);
        settle().await;
        about(&client, "tasks/cancel", &id).await;
        settle().await;
        assert_eq!(get(&client, &id).await["status"], "cancelled");
    }
    assert_eq!(fates.dropped.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn who_asks_for_a_task_of_what_a_proxy_does_not_call_reads_an_error() {
    let (server, _) = serving();
    for arguments in [json!({ "name": "nothing" }), json!({})] {
        let params = json!({ "name": "call_tool", "arguments": arguments, "task": {} });
        let refused = core(&server).request("tools/call", params.clone()).await;
        assert_eq!(refused.code(), Some(-32602), "{refused:?}");
        // The extension knows no such member.
        assert!(modern(&server).request("tools/call", params).await.is_error());
    }
}

#[tokio::test(start_paused = true)]
async fn a_proxy_advertises_tasks_where_it_calls_a_tool_that_runs_as_one() {
    let reading = || {
        McpRouter::new().tool(
            "read",
            tool(|| async { "read" }).describe("Reads").read_only().task_support(TaskSupport::Required),
        )
    };
    let writing = || {
        McpRouter::new()
            .tool("write", tool(|| async { "x" }).describe("Writes").task_support(TaskSupport::Optional))
    };
    let none = || McpRouter::new().tool("none", tool(|| async { "x" }).describe("Never a task"));
    let support = Some("optional");
    for (router, read_only, any) in [
        (none(), None, None),
        (writing(), None, support),
        (reading(), support, support),
        (none().merge(reading()), support, support),
    ] {
        let server = boxed(router).tasks(Tasks::new(Arc::new(MemoryTasks::new()))).dynamic().build().unwrap();
        assert_eq!(advertised(&server).await, [read_only, any].map(|support| support.map(str::to_owned)));
        server
            .update(|edit| {
                edit.router(writing_late());
            })
            .unwrap();
        assert_eq!(advertised(&server).await[1].as_deref(), support, "it follows the catalogue");
    }
}

fn writing_late() -> McpRouter<()> {
    McpRouter::new().tool("late", tool(|| async { "x" }).describe("Late").task_support(TaskSupport::Optional))
}

/// What the two proxies say of tasks.
async fn advertised(server: &Server) -> [Option<String>; 2] {
    let listed = core(server).list_tools().await;
    let tools = listed.result().unwrap()["tools"].as_array().unwrap();
    ["call_read_only", "call_tool"].map(|name| {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        tool.pointer("/execution/taskSupport").map(|support| support.as_str().unwrap().to_owned())
    })
}
