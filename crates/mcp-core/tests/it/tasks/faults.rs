//! Tasks whose store fails or takes its time, and tasks whose client leaves at the wrong moment.

use super::{moody::MoodyTasks, world::*};
use crate::sessions::world::{NEWEST, World, pass, settle};
use bytes::Bytes;
use futures_util::FutureExt as _;
use mcp_core::{connection::Connection, exchange::Outgoing, ports::TaskLimits, server::Limits};
use std::future::poll_fn;

fn moody() -> (Server, Fates, Arc<MoodyTasks>) {
    let store = Arc::new(MoodyTasks::default());
    let (server, fates) = serving_on(store.clone());
    (server, fates, store)
}

/// A task that asks, with its id.
async fn asking(client: &TestClient, tool: &str) -> String {
    let id = id_of(&call(client, tool, json!({})).await);
    settle().await;
    assert_eq!(get(client, &id).await["status"], "input_required");
    id
}

#[tokio::test(start_paused = true)]
async fn an_answer_counts_though_its_client_leaves_before_the_store_took_it() {
    let (server, _, store) = moody();
    let client = modern(&server);
    let id = asking(&client, "confirm").await;
    store.stepping.take(1_000);
    {
        let updating = update(&client, &id, json!({ "sure": accepted(json!({ "sure": true })) }));
        assert!(tokio::time::timeout(Duration::from_millis(500), updating).await.is_err());
    }
    store.stepping.take(0);
    pass(2).await;
    assert_eq!(get(&client, &id).await["result"]["content"][0]["text"], "sure: true");
}

#[tokio::test(start_paused = true)]
async fn an_answer_reaches_the_handler_though_the_store_is_away_and_is_told_when_it_is_back() {
    let (server, _, store) = moody();
    let client = modern(&server);
    // Its handler waits for two seconds only.
    let id = asking(&client, "ask_a_while").await;
    store.stepping.fail(true);
    update(&client, &id, json!({ "sure": accepted(json!({ "sure": true })) })).await.result().unwrap();
    settle().await;
    assert_eq!(get(&client, &id).await["status"], "input_required", "the store knows nothing else");
    pass(20).await;
    store.stepping.fail(false);
    pass(31).await;
    assert_eq!(get(&client, &id).await["status"], "working");
    pass(100).await;
    assert_eq!(get(&client, &id).await["result"]["content"][0]["text"], "answered: true");
    assert_eq!(server.counts().tasks, 0);
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_taken_back_while_it_is_asked_again_is_not_left_behind() {
    let (server, _, store) = moody();
    let client = modern(&server);
    let id = asking(&client, "ask_a_while").await;
    pass(1).await;
    // The store is told of the question that is put again, and takes its time over it.
    store.stepping.take(5_000);
    let unfit = update(&client, &id, json!({ "sure": 7 }));
    let meanwhile = async {
        settle().await;
        store.stepping.take(0);
    };
    let (updated, ()) = tokio::join!(unfit, meanwhile);
    updated.result().unwrap();
    settle().await;
    let seen = get(&client, &id).await;
    assert_eq!(seen["status"], "working", "the handler waits for nothing any more: {seen}");
    about(&client, "tasks/cancel", &id).await;
}

#[tokio::test(start_paused = true)]
async fn a_store_that_never_answers_keeps_no_call_beyond_its_time() {
    for (version, tool) in [(MODERN, "work"), (MODERN, "patient"), (CORE, "work")] {
        let (fates, store) = (Fates::default(), Arc::new(MoodyTasks::default()));
        let limits = Limits { call_timeout: Some(Duration::from_secs(30)), ..Limits::default() };
        let server = building_on(&fates, store.clone(), |tasks| tasks).limits(limits).build().unwrap();
        store.creating.take(1_000_000);
        let client = if version == MODERN { modern(&server) } else { core(&server) };
        let calling = call_as_task(&client, tool, json!({ "seconds": 10_000 }), json!({}));
        let answer = tokio::time::timeout(Duration::from_secs(600), calling).await.expect("an answer");
        assert_eq!(answer.result().unwrap()["isError"], true, "{answer:?}");
        assert_eq!(fates.begun.load(Ordering::SeqCst), fates.dropped.load(Ordering::SeqCst));
        pass(1_100).await;
        assert_eq!(server.counts().tasks, 0, "nobody knows the task that came of it");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_nobody_was_told_of_ends() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN.as_str(),
        "io.modelcontextprotocol/clientCapabilities": { "extensions": { "io.modelcontextprotocol/tasks": {} } },
        "progressToken": 1,
    });
    let params = json!({ "name": "say_then_detach", "arguments": {}, "_meta": meta });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    for (taken, tasks) in [(0, 0), (1, 0), (2, 1)] {
        let (server, fates, _) = moody();
        let mut connection = Connection::new(server.clone(), Peer::anonymous(Transport::Stdio));
        let mut exchange = connection.receive(Bytes::from(message.to_string())).unwrap();
        for _ in 0..taken {
            let told = poll_fn(|context| exchange.poll_message(context)).await.unwrap();
            assert!(matches!(told, Outgoing::Notification(_) | Outgoing::Reply(_)));
        }
        drop(exchange);
        settle().await;
        assert_eq!(server.counts().tasks, tasks, "{taken} messages were taken");
        let ended = fates.begun.load(Ordering::SeqCst) - fates.dropped.load(Ordering::SeqCst);
        assert_eq!(ended, tasks, "{taken} messages were taken");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_while_its_task_is_made_leaves_no_task() {
    let (server, fates, store) = moody();
    store.creating.take(1_000);
    let client = modern(&server);
    let leaving =
        tokio::time::timeout(Duration::from_millis(500), call(&client, "work", json!({ "seconds": 60 })));
    assert!(leaving.await.is_err());
    pass(2).await;
    assert_eq!((server.counts().tasks, fates.begun.load(Ordering::SeqCst)), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn odd_ways_to_become_a_task_come_to_the_same() {
    let (server, _, store) = moody();
    store.creating.take(100);
    let client = modern(&server);
    let id = id_of(&call(&client, "detach_oddly", json!({})).await);
    pass(2).await;
    update(&client, &id, json!({ "sure": accepted(json!({ "sure": true })) })).await.result().unwrap();
    settle().await;
    assert_eq!(get(&client, &id).await["result"]["content"][0]["text"], "true true true true true");
    store.creating.fail(true);
    let failed = call(&client, "detach_oddly", json!({})).await;
    assert_eq!(failed.result().unwrap()["isError"], true, "{failed:?}");
}

#[tokio::test(start_paused = true)]
async fn all_that_a_task_asks_is_within_what_may_go_out() {
    let fates = Fates::default();
    let limits = Limits::default().with_output_bytes(4_096);
    let server = building(&fates, |tasks| tasks).limits(limits).build().unwrap();
    let client = modern(&server);
    let id = asking(&client, "ask_at_length").await;
    let asked = get(&client, &id).await;
    let keys: Vec<_> = asked["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["one"]);
    update(&client, &id, json!({ "one": accepted(json!({ "sure": true })) })).await.result().unwrap();
    settle().await;
    let done = get(&client, &id).await["result"]["content"][0]["text"].to_string();
    assert!(done.contains("limits.output_bytes"), "{done}");
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_refuses_and_loses_nothing() {
    let (server, _, store) = moody();
    let client = core(&server);
    let id = id_of(&call_as_task(&client, "work", json!({ "seconds": 5 }), json!({})).await);
    store.loading.fail(true);
    for method in ["tasks/get", "tasks/result", "tasks/list"] {
        assert_eq!(about(&client, method, &id).await.code(), Some(-32_603), "{method}");
    }
    store.stepping.fail(true);
    assert_eq!(about(&client, "tasks/cancel", &id).await.code(), Some(-32_603));
    // The handler ends while the store is away, and its result is not lost.
    pass(20).await;
    assert_eq!(server.counts().tasks, 1, "the store is told again and again");
    store.loading.fail(false);
    store.stepping.fail(false);
    let waited = about(&client, "tasks/result", &id).await;
    assert_eq!(waited.text(), "worked for 5 s");
    assert!(about(&client, "tasks/result", &id).now_or_never().is_some());
    assert_eq!(server.counts().tasks, 0);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_the_store_took_though_it_said_otherwise_is_not_working_for_ever() {
    let (server, _, store) = moody();
    store.created.fail(true);
    let client = core(&server);
    let refused = call_as_task(&client, "work", json!({ "seconds": 1 }), json!({})).await;
    assert_eq!(refused.code(), Some(-32_603));
    pass(2).await;
    let listed = client.request("tasks/list", json!({})).await;
    assert_eq!(listed.result().unwrap()["tasks"][0]["status"], "cancelled");
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_session_ended_while_the_store_was_away_makes_room_when_it_is_back() {
    let sessions = mcp_core::server::Sessions::new(
        Arc::new(mcp_store::MemorySessions::new()),
        Arc::new(mcp_store::MemoryEvents::new()),
    );
    let (fates, store) = (Fates::default(), Arc::new(MoodyTasks::default()));
    let tasks = |tasks: Tasks| tasks.limits(TaskLimits { total: 1, ..TaskLimits::default() });
    let server = building_on(&fates, store.clone(), tasks).sessions(sessions).build().unwrap();
    let world = World { server, fates: Default::default() };
    let (one, two) = (world.begin(NEWEST).await, world.begin(NEWEST).await);
    let call = json!({ "name": "work", "arguments": { "seconds": 600 }, "task": {} });
    one.ask(1, "tools/call", call.clone()).await;
    settle().await;
    store.stepping.fail(true);
    assert_eq!(one.end().await, 204);
    store.stepping.fail(false);
    assert_eq!(fates.begun.load(Ordering::SeqCst), 1);
    pass(40).await;
    assert_eq!((world.server.counts().tasks, fates.dropped.load(Ordering::SeqCst)), (0, 1));
    let begun = two.ask(1, "tools/call", call).await;
    assert!(begun.reply["result"]["task"].is_object(), "{begun:?}");
}
