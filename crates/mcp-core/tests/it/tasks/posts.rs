//! Tasks of HTTP sessions.

use super::world::{Fates as TaskFates, *};
use crate::sessions::world::{Client as HttpClient, NEWEST, World, pass, request, settle};
use mcp_core::{exchange::Outgoing, ports::SessionLimits, server::Sessions};
use mcp_store::{MemoryEvents, MemorySessions};
use std::future::poll_fn;

const TTL: u64 = 90;

fn world() -> (World, TaskFates) {
    let fates = TaskFates::default();
    let limits = SessionLimits { idle_ttl: Duration::from_secs(TTL), ..SessionLimits::default() };
    let sessions =
        Sessions::new(Arc::new(MemorySessions::new()), Arc::new(MemoryEvents::new())).limits(limits);
    let server = building(&fates, |tasks| tasks).sessions(sessions).build().unwrap();
    (World { server, fates: Default::default() }, fates)
}

async fn begin_task(client: &HttpClient, tool: &str, arguments: Value) -> Value {
    let meta = json!({ "progressToken": "p" });
    let params = json!({ "name": tool, "arguments": arguments, "task": {}, "_meta": meta });
    let begun = client.ask(1, "tools/call", params).await;
    let id = begun.reply["result"]["task"]["taskId"].clone();
    assert!(id.is_string(), "{begun:?}");
    id
}

async fn status(client: &HttpClient, id: &Value) -> Value {
    let seen = client.ask(2, "tasks/get", json!({ "taskId": id })).await;
    seen.reply["result"].get("status").cloned().unwrap_or_else(|| seen.reply["error"]["code"].clone())
}

#[tokio::test(start_paused = true)]
async fn a_session_owns_its_tasks_and_a_principal_has_them_in_every_session() {
    let (world, _) = world();
    let (one, two) = (world.begin(NEWEST).await, world.begin(NEWEST).await);
    let id = begin_task(&one, "work", json!({ "seconds": 60 })).await;
    assert_eq!((status(&one, &id).await, status(&two, &id).await), (json!("working"), json!(-32_602)));
    assert_eq!(two.ask(3, "tasks/list", json!({})).await.reply["result"]["tasks"], json!([]));
    let (one, two) = (world.begin_as(NEWEST, "ada").await, world.begin_as(NEWEST, "ada").await);
    let id = begin_task(&one, "work", json!({ "seconds": 60 })).await;
    assert_eq!(status(&two, &id).await, "working");
    assert_eq!(one.end().await, 204);
    settle().await;
    assert_eq!(status(&two, &id).await, "working", "a principal's task outlives its session");
}

#[tokio::test(start_paused = true)]
async fn a_session_that_ends_takes_its_tasks_along_whichever_way_it_ends() {
    let (world, fates) = world();
    let (deleted, idle) = (world.begin(NEWEST).await, world.begin(NEWEST).await);
    for client in [&deleted, &idle] {
        begin_task(client, "work", json!({ "seconds": 3_000 })).await;
    }
    settle().await;
    assert_eq!(deleted.end().await, 204);
    settle().await;
    assert_eq!((world.server.counts().tasks, fates.dropped.load(Ordering::SeqCst)), (1, 1));
    pass(TTL + 61).await;
    assert_eq!((world.server.counts().tasks, fates.dropped.load(Ordering::SeqCst)), (0, 2));
}

#[tokio::test(start_paused = true)]
async fn a_task_that_is_being_made_ends_with_its_session() {
    let fates = TaskFates::default();
    let store = Arc::new(super::moody::MoodyTasks::default());
    let sessions = Sessions::new(Arc::new(MemorySessions::new()), Arc::new(MemoryEvents::new()));
    let server = building_on(&fates, store.clone(), |tasks| tasks).sessions(sessions).build().unwrap();
    let world = World { server, fates: Default::default() };
    let client = world.begin(NEWEST).await;
    store.creating.take(1_000);
    let params = json!({ "name": "work", "arguments": { "seconds": 3_000 }, "task": {} });
    let calling = client.ask(1, "tools/call", params);
    let ending = async {
        settle().await;
        assert_eq!(client.end().await, 204);
    };
    tokio::join!(calling, ending);
    pass(20).await;
    assert_eq!((world.server.counts().tasks, fates.begun.load(Ordering::SeqCst)), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_wait_whose_stream_broke_is_asked_for_again() {
    let (world, _) = world();
    let client = world.begin(NEWEST).await;
    let id = begin_task(&client, "report", json!({})).await;
    let mut exchange = client.exchange(&request(5, "tasks/result", json!({ "taskId": id }))).await;
    let first = poll_fn(|context| exchange.poll_message(context)).await;
    assert!(matches!(first, Some(Outgoing::Notification(_))), "{first:?}");
    drop(exchange);
    settle().await;
    assert_eq!(world.server.counts().requests_in_flight, 0, "nobody waits for a client that is gone");
    let again = client.ask(6, "tasks/result", json!({ "taskId": id })).await;
    assert_eq!(again.text(), "reported");
    let related = &again.reply["result"]["_meta"]["io.modelcontextprotocol/related-task"];
    assert_eq!(related["taskId"], id);
}

#[tokio::test(start_paused = true)]
async fn who_waits_is_told_of_the_end_of_its_session_though_the_task_goes_on() {
    let (world, _) = world();
    let (one, two) = (world.begin_as(NEWEST, "ada").await, world.begin_as(NEWEST, "ada").await);
    let id = begin_task(&one, "work", json!({ "seconds": 600 })).await;
    let waiting = one.ask(5, "tasks/result", json!({ "taskId": id }));
    let ending = async {
        settle().await;
        assert_eq!(one.end().await, 204);
    };
    let both = async { tokio::join!(waiting, ending) };
    let (waited, ()) = tokio::time::timeout(Duration::from_secs(30), both).await.unwrap();
    assert_eq!((waited.status, waited.code()), (404, Some(-32_600)));
    assert_eq!(status(&two, &id).await, "working");
}

#[tokio::test(start_paused = true)]
async fn the_stream_of_a_session_hears_how_its_tasks_go() {
    let (world, _) = world();
    let client = world.begin(NEWEST).await;
    let mut stream = client.get().await;
    settle().await;
    let id = begin_task(&client, "work", json!({ "seconds": 1 })).await;
    let other = world.begin(NEWEST).await;
    let mut silent = other.get().await;
    begin_task(&client, "report", json!({})).await;
    pass(5).await;
    let (heard, ended) = stream.ready();
    assert!(!ended);
    let done = heard.iter().find(|seen| {
        seen.data["method"] == "notifications/tasks/status" && seen.data["params"]["taskId"] == id
    });
    assert_eq!(done.unwrap().data["params"]["status"], "completed");
    assert!(silent.ready().0.iter().all(|seen| seen.data.is_null()));
}

#[tokio::test(start_paused = true)]
async fn what_is_no_id_is_refused_whatever_it_is() {
    let (world, _) = world();
    let client = world.begin(NEWEST).await;
    for id in [json!(7), json!(null), json!([]), json!(true), json!(""), json!("x".repeat(500)), json!("a b")]
    {
        for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
            let refused = client.ask(1, method, json!({ "taskId": id })).await;
            assert_eq!((refused.status, refused.code()), (200, Some(-32_602)), "{method} {id}");
        }
        if !id.is_null() {
            let refused = client.ask(1, "tasks/list", json!({ "cursor": id })).await;
            assert_eq!(refused.code(), Some(-32_602), "{id}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn modern_requests_about_a_task_name_it_in_their_head() {
    let (world, _) = world();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN.as_str(),
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": { "extensions": { "io.modelcontextprotocol/tasks": {} } },
    });
    let ada = |method: &str, name: Option<&str>| {
        let client = world.visitor(MODERN.as_str()).of("ada").header("mcp-method", method);
        name.map_or(client.clone(), |name| client.header("mcp-name", name))
    };
    let call = json!({ "name": "work", "arguments": { "seconds": 60 }, "_meta": meta });
    let begun = ada("tools/call", Some("work")).ask(1, "tools/call", call).await;
    let id = begun.reply["result"]["taskId"].as_str().unwrap_or_else(|| panic!("{begun:?}")).to_owned();
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let params = json!({ "taskId": id, "inputResponses": {}, "_meta": meta });
        for (name, status, code) in
            [(None, 400, Some(-32_020)), (Some("other"), 400, Some(-32_020)), (Some(&*id), 200, None)]
        {
            let answer = ada(method, name).ask(2, method, params.clone()).await;
            assert_eq!((answer.status, answer.code()), (status, code), "{method} {name:?}");
        }
    }
    // Nothing comes before the answer: it need not be a stream.
    let params = json!({ "taskId": id, "_meta": meta });
    let mut exchange = ada("tasks/get", Some(&id)).exchange(&request(3, "tasks/get", params)).await;
    let first = poll_fn(|context| exchange.poll_message(context)).await;
    assert!(matches!(first, Some(Outgoing::Reply(_))), "{first:?}");
}
