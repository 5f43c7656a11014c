//! Tasks of clients that have a session over HTTP.

use super::world::*;
use crate::sessions::world::{Client, NEWEST, pass, settle};
use mcp_core::{ports::SessionLimits, server::Sessions};
use mcp_store::{MemoryEvents, MemorySessions};

/// A server whose sessions end after a minute.
fn serving_sessions() -> (Server, Fates) {
    let fates = Fates::default();
    let sessions = Sessions::new(Arc::new(MemorySessions::new()), Arc::new(MemoryEvents::new()))
        .limits(SessionLimits { idle_ttl: Duration::from_secs(60), ..SessionLimits::default() });
    (building(&fates, |tasks| tasks).sessions(sessions).build().unwrap(), fates)
}

async fn begin(server: &Server) -> Client {
    Client::visiting(server, NEWEST).begun().await
}

async fn begin_task(client: &Client, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments, "task": {} });
    let created = client.ask(1, "tools/call", params).await;
    created.reply["result"]["task"]["taskId"].clone()
}

#[tokio::test(start_paused = true)]
async fn a_session_lasts_while_its_client_waits_for_a_task() {
    let (server, _) = serving_sessions();
    let client = begin(&server).await;
    let id = begin_task(&client, "work", json!({ "seconds": 600 })).await;
    let waited = client.ask(2, "tasks/result", json!({ "taskId": id })).await;
    assert_eq!(waited.text(), "worked for 600 s");
    assert_eq!(client.ask(3, "ping", json!({})).await.status, 200);
    settle().await;
    assert_eq!(server.counts().session_work, 0);
}

#[tokio::test(start_paused = true)]
async fn a_wait_whose_client_left_is_over_and_another_one_is_asked() {
    let (server, _) = serving_sessions();
    let client = Client::visiting(&server, NEWEST);
    let welcome = client.initialize_with(json!({ "elicitation": {} })).await;
    let client = client.naming(welcome.session.as_deref());
    client.notify("notifications/initialized", json!({})).await;
    let id = begin_task(&client, "confirm", json!({})).await;
    settle().await;
    let wait = |number: u32| crate::sessions::world::request(number, "tasks/result", json!({ "taskId": id }));
    let mut first = client.exchange(&wait(2)).await;
    let asked = std::future::poll_fn(|context| first.poll_message(context)).await;
    assert!(matches!(asked, Some(mcp_core::exchange::Outgoing::Request(_))), "{asked:?}");
    drop(first);
    settle().await;
    assert_eq!((server.counts().session_work, server.counts().open_asks), (0, 0));
    let mut second = client.exchange(&wait(3)).await;
    let asked = std::future::poll_fn(|context| second.poll_message(context)).await;
    let Some(mcp_core::exchange::Outgoing::Request(text)) = asked else { panic!("{asked:?}") };
    let question: Value = serde_json::from_slice(&text).unwrap();
    let answer =
        json!({ "jsonrpc": "2.0", "id": question["id"], "result": accepted(json!({ "sure": true })) });
    assert_eq!(client.send(&answer).await.status, 202);
    let reply = std::future::poll_fn(|context| second.poll_message(context)).await;
    let Some(mcp_core::exchange::Outgoing::Reply(reply)) = reply else { panic!("{reply:?}") };
    assert!(String::from_utf8_lossy(&reply.body).contains("sure: true"));
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_session_ends_its_tasks_and_whoever_waits_is_told() {
    let (server, fates) = serving_sessions();
    let client = begin(&server).await;
    let id = begin_task(&client, "work", json!({ "seconds": 600 })).await;
    let waiting = client.ask(2, "tasks/result", json!({ "taskId": id }));
    let ending = async {
        settle().await;
        assert_eq!(client.end().await, 204);
    };
    let (waited, ()) = tokio::join!(waiting, ending);
    assert_eq!((waited.status, waited.code()), (404, Some(-32_600)));
    settle().await;
    assert_eq!((server.counts().tasks, fates.dropped.load(Ordering::SeqCst)), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_forgotten_takes_its_tasks_along() {
    let (server, fates) = serving_sessions();
    let client = begin(&server).await;
    begin_task(&client, "work", json!({ "seconds": 3_000 })).await;
    pass(30).await;
    assert_eq!(server.counts().tasks, 1);
    pass(120).await;
    assert_eq!((server.counts().tasks, fates.dropped.load(Ordering::SeqCst)), (0, 1));
    assert_eq!(client.ask(3, "ping", json!({})).await.status, 404);
}

#[tokio::test(start_paused = true)]
async fn a_principals_task_outlives_its_session() {
    let (server, _) = serving_sessions();
    let client = Client::visiting(&server, NEWEST).of("ada").begun().await;
    let id = begin_task(&client, "work", json!({ "seconds": 5 })).await;
    assert_eq!(client.end().await, 204);
    pass(6).await;
    let again = Client::visiting(&server, NEWEST).of("ada").begun().await;
    let waited = again.ask(2, "tasks/result", json!({ "taskId": id })).await;
    assert_eq!(waited.text(), "worked for 5 s");
    let stranger = Client::visiting(&server, NEWEST).of("bob").begun().await;
    assert_eq!(stranger.ask(2, "tasks/get", json!({ "taskId": id })).await.code(), Some(-32_602));
}
