//! Batches within sessions of the revision that has them.

use super::world::{World, call, request, settle, words};
use futures_util::StreamExt as _;
use serde_json::{Value, json};

const BATCHING: &str = "2025-03-26";

#[tokio::test(start_paused = true)]
async fn a_batch_is_answered_with_an_array_and_one_without_requests_is_accepted() {
    let world = World::new();
    let client = world.begin(BATCHING).await;
    let batch = json!([
        request(1, "ping", json!({})),
        { "jsonrpc": "2.0", "method": "notifications/x" },
        request(2, "nope", json!({})),
        request(3, "logging/setLevel", json!({ "level": "error" })),
        { "jsonrpc": "2.0", "id": 77, "result": {} },
    ]);
    let answer = client.send(&batch).await;
    let told: Vec<_> = answer.reply.as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
    assert_eq!((answer.status, told), (200, vec![json!(1), json!(2), json!(3)]));
    let silent = json!([{ "jsonrpc": "2.0", "method": "x" }, { "jsonrpc": "2.0", "id": 7, "result": {} }]);
    assert_eq!(client.send(&silent).await.status, 202);
    let refused = client.send(&json!([])).await;
    assert_eq!((refused.status, refused.code()), (400, Some(-32600)));
    for version in ["2025-06-18", "2025-11-25"] {
        let refused = world.begin(version).await.send(&batch).await;
        assert_eq!((refused.status, refused.code()), (400, Some(-32600)), "{version}");
    }
    world.assert_at_rest();
}

#[tokio::test(start_paused = true)]
async fn what_a_batch_says_on_its_way_is_kept_with_its_reply() {
    let world = World::new();
    let client = world.begin(BATCHING).await;
    let batch = json!([
        call(1, "steps", json!({ "n": 2, "ms": 1_000 })),
        call(2, "wait", json!({ "ms": 1_500, "text": "x" })),
    ]);
    let mut exchange = client.exchange(&batch).await;
    let first = exchange.next().await;
    let mut stream = super::world::Stream(exchange.into_events(first));
    let seen = stream.next().await.unwrap();
    assert_eq!(seen.word(), "1.0");
    drop(stream);
    super::world::pass(10).await;
    let rest = client.resume(seen.id.as_deref().unwrap()).await.unwrap().rest().await;
    assert_eq!(words(&rest[..1]), ["2.0"]);
    let reply = rest[1].data.as_array().unwrap();
    assert_eq!((rest.len(), reply.len(), &reply[0]["id"], &reply[1]["id"]), (2, 2, &json!(1), &json!(2)));
    world.assert_at_rest();
}

#[tokio::test(start_paused = true)]
async fn one_request_of_a_batch_is_cancelled_alone() {
    let world = World::new();
    let client = world.begin(BATCHING).await;
    let wait = |id: u32| call(id, "wait", json!({ "ms": 5_000, "text": id.to_string() }));
    let sent = client.clone();
    let both = tokio::spawn(async move { sent.send(&json!([wait(1), wait(2)])).await });
    settle().await;
    // The cancellation may itself stand in a batch.
    let cancel =
        json!([{ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }]);
    assert_eq!(client.send(&cancel).await.status, 202);
    let answer = both.await.unwrap();
    let told: Vec<Value> = answer.reply.as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
    assert_eq!(told, [2]);
    assert_eq!(world.fates.count(), (1, 1));
    world.assert_at_rest();
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_session_answers_every_call_of_a_batch() {
    let world = World::new();
    let client = world.begin(BATCHING).await;
    let wait = |id: u32| call(id, "wait", json!({ "ms": 60_000, "text": "x" }));
    let sent = client.clone();
    let batch = json!([wait(1), request(2, "ping", json!({})), wait(3)]);
    let waiting = tokio::spawn(async move { sent.send(&batch).await });
    settle().await;
    assert_eq!(client.end().await, 204);
    let answer = waiting.await.unwrap();
    let entries = answer.reply.as_array().unwrap();
    let errors: Vec<_> = entries.iter().map(|entry| entry["error"].is_object()).collect();
    assert_eq!(errors, [true, false, true], "{entries:?}");
    settle().await;
    assert_eq!(world.server.counts(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn a_batch_whose_client_leaves_goes_on() {
    let world = World::new();
    let client = world.begin(BATCHING).await;
    let wait = |id: u32| call(id, "wait", json!({ "ms": 500, "text": "x" }));
    drop(client.exchange(&json!([wait(1), wait(2)])).await);
    super::world::pass(1).await;
    assert_eq!(world.fates.count(), (2, 0));
    world.assert_at_rest();
}
