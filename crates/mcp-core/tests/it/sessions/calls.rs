//! Requests of a session while they are served: cancelled, left alone, side by side.

use super::world::{NEWEST, REVISIONS, World, call, pass, settle, text_of, words};
use futures_util::StreamExt as _;
use mcp_core::exchange::Outgoing;
use serde_json::{Value, json};
use std::{future::poll_fn, task::Poll};

fn wait(id: impl Into<Value>, ms: u64, text: &str) -> Value {
    call(id, "wait", json!({ "ms": ms, "text": text }))
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_cancels_nothing() {
    for version in REVISIONS {
        let world = World::new();
        let client = world.begin(version).await;
        let mut before_it_is_polled = Vec::new();
        for id in 0..3 {
            let mut exchange = client.exchange(&wait(id, 1_000, "x")).await;
            if id > 0 {
                assert!(futures_util::FutureExt::now_or_never(exchange.next()).is_none());
            }
            before_it_is_polled.push(exchange);
        }
        drop(before_it_is_polled);
        drop(client.stream(7, "steps", json!({ "n": 2, "ms": 100 })).await);
        pass(2).await;
        assert_eq!(world.fates.count(), (3, 0), "{version}");
        world.assert_at_rest();
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_request_ends_without_a_reply() {
    for version in REVISIONS {
        let world = World::new();
        let client = world.begin(version).await;
        let waiting = client.exchange(&wait(1, 60_000, "x")).await;
        let waiting = tokio::spawn(waiting.collect::<Vec<_>>());
        let mut stream = client.stream(2, "steps", json!({ "n": 100, "ms": 1_000 })).await;
        let left = client.exchange(&wait(3, 60_000, "x")).await;
        drop(left);
        settle().await;
        for id in [1, 2, 3] {
            assert_eq!(client.cancel(id).await, 202);
        }
        assert!(waiting.await.unwrap().is_empty());
        let said = words(&stream.rest().await);
        assert!(said.iter().all(|word| word.is_empty() || word == "1.0"), "{said:?}");
        settle().await;
        assert_eq!(world.fates.count(), (0, 2));
        world.assert_at_rest();
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_calls_without_a_client_can_be_waited_for() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    // Each of the two kinds is once the last that runs.
    for (ms, steps) in [(1_000, 6), (6_000, 2)] {
        let mut plain = client.exchange(&wait(1, ms, "x")).await;
        let mut stream = client.stream(2, "steps", json!({ "n": steps, "ms": 1_000 })).await;
        assert!(poll_fn(|context| Poll::Ready(plain.poll_message(context).is_pending())).await);
        stream.ready();
        let server = world.server.clone();
        let ended = tokio::spawn(async move { server.detached_calls_ended().await });
        settle().await;
        assert!(ended.is_finished(), "a call that a client waits for is not meant");
        drop((plain, stream));
        let server = world.server.clone();
        let ended = tokio::spawn(async move { server.detached_calls_ended().await });
        pass(3).await;
        assert!(!ended.is_finished(), "one of the two still runs");
        pass(4).await;
        assert!(ended.is_finished());
    }
    world.assert_at_rest();
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_session_is_told_on_the_streams_of_its_calls() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let mut stream = client.stream(1, "steps", json!({ "n": 100, "ms": 1_000 })).await;
    let rest = tokio::spawn(async move { stream.rest().await });
    settle().await;
    assert_eq!(client.end().await, 204);
    let last = rest.await.unwrap().pop().unwrap();
    assert_eq!((last.id, &last.data["id"], &last.data["error"]["code"]), (None, &json!(1), &json!(-32600)));
    world.assert_at_rest();
}

#[tokio::test(start_paused = true)]
async fn a_cancellation_reaches_requests_of_its_session_only() {
    let world = World::new();
    let [one, two] = [world.begin(NEWEST).await, world.begin(NEWEST).await];
    let calls = [one.exchange(&wait(1, 1_000, "one")).await, two.exchange(&wait(1, 1_000, "two")).await];
    let calls = calls.map(|call| tokio::spawn(call.collect::<Vec<_>>()));
    assert_eq!(two.cancel(1).await, 202);
    let [first, second] = calls;
    assert_eq!((first.await.unwrap().len(), second.await.unwrap().len()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_cancellation_that_names_nothing_does_nothing() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let call = tokio::spawn(client.exchange(&wait("1", 1_000, "kept")).await.collect::<Vec<_>>());
    for params in [
        json!({}),
        json!({ "requestId": null }),
        json!({ "requestId": 1 }),
        json!({ "requestId": "2" }),
        json!({ "requestId": ["1"] }),
        json!({ "requestId": 1.5, "reason": 7 }),
        json!([]),
    ] {
        let status = client.notify("notifications/cancelled", params.clone()).await;
        assert!(status == 202 || status == 400, "{params} {status}");
    }
    assert_eq!(call.await.unwrap().len(), 1);
    assert_eq!(client.cancel("1").await, 202, "it may cross the reply");
}

#[tokio::test(start_paused = true)]
async fn two_requests_with_one_id_get_each_its_own_answer() {
    for version in REVISIONS {
        let world = World::new();
        let client = world.begin(version).await;
        let slow = tokio::spawn(client.exchange(&wait(1, 600, "A")).await.collect::<Vec<_>>());
        let fast = client.send(&wait(1, 100, "B")).await;
        assert_eq!(fast.text(), "B");
        let [Outgoing::Reply(reply)] = &slow.await.unwrap()[..] else { panic!() };
        assert_eq!(text_of(&serde_json::from_slice(&reply.body).unwrap()), "A");
        assert_eq!(client.send(&wait(1, 1, "C")).await.text(), "C", "an id may come again");
        world.assert_at_rest();
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_call_says_goes_on_its_own_stream_whoever_else_listens() {
    for version in REVISIONS {
        let world = World::new();
        let client = world.begin(version).await;
        let mut get = client.get().await;
        get.ready();
        let (mut one, mut two) = tokio::join!(
            client.stream(1, "steps", json!({ "n": 2, "ms": 10 })),
            client.stream(2, "steps", json!({ "n": 3, "ms": 10 }))
        );
        let said = |events: &[super::world::Seen]| words(events).join(" ").trim().to_owned();
        assert_eq!(said(&one.rest().await), "1.0 2.0 2 steps");
        assert_eq!(said(&two.rest().await), "1.0 2.0 3.0 3 steps");
        settle().await;
        assert_eq!(get.ready(), (vec![], false));
    }
}

#[tokio::test(start_paused = true)]
async fn the_log_level_is_the_sessions_own() {
    let world = World::new();
    let [quiet, loud] = [world.begin(NEWEST).await, world.begin(NEWEST).await];
    let set = |client: &super::world::Client, level: Value| {
        let client = client.clone();
        async move { client.ask(9, "logging/setLevel", json!({ "level": level })).await }
    };
    assert_eq!(set(&quiet, json!("error")).await.reply["result"], json!({}));
    assert_eq!(set(&loud, json!("debug")).await.status, 200);
    for level in [json!("trace"), json!("ERROR"), json!(""), json!(3), Value::Null] {
        let answer = set(&quiet, level.clone()).await;
        assert_eq!(answer.code(), Some(-32602), "{level}");
    }
    for (client, heard) in [(&quiet, 4), (&loud, 8)] {
        let mut stream = client.stream(1, "log", json!({})).await;
        let said = words(&stream.rest().await);
        assert_eq!(said.iter().filter(|word| *word == "notifications/message").count(), heard);
    }
}

#[tokio::test(start_paused = true)]
async fn the_requests_in_flight_of_a_session_are_bounded() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let most = world.server.limits().requests_in_flight;
    let mut open = Vec::new();
    for id in 0..most {
        open.push(client.exchange(&wait(id, 1_000, "x")).await);
    }
    let refused = client.send(&wait("more", 1, "x")).await;
    assert_eq!(refused.status, 503);
    let other = world.begin(NEWEST).await;
    assert_eq!(other.send(&wait(1, 1, "x")).await.text(), "x", "another session has places of its own");
    drop(open);
    pass(2).await;
    assert_eq!(client.send(&wait("more", 1, "x")).await.text(), "x");
}

#[tokio::test(start_paused = true)]
async fn the_bytes_of_requests_whose_clients_left_are_bounded() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let large = |id: u32| {
        let mut message = wait(id, 1_000, "x");
        message["params"]["_meta"] = json!({ "padding": "x".repeat(3 << 20) });
        message
    };
    for id in 0..21 {
        drop(client.exchange(&large(id)).await);
    }
    assert_eq!(world.server.counts().requests_in_flight, 21, "the clients are gone, the calls are not");
    let refused = client.send(&large(21)).await;
    assert_eq!((refused.status, refused.code()), (503, Some(-32603)));
    let why = refused.reply["error"]["message"].as_str().unwrap();
    assert!(why.contains("limits.bytes_in_flight"), "{why}");
    let other = world.begin(NEWEST).await;
    assert_eq!(other.send(&large(1)).await.text(), "x", "another session has room of its own");
    pass(2).await;
    assert_eq!(client.send(&large(22)).await.text(), "x");
}

#[tokio::test(start_paused = true)]
async fn who_calls_is_never_taken_for_another() {
    let world = World::new();
    let mut clients = Vec::new();
    for number in 0..20 {
        clients.push(world.begin_as(NEWEST, &format!("user{number}")).await);
    }
    for id in 1..=5 {
        let all = clients
            .iter()
            .map(|client| async move { client.send(&call(id, "who", json!({}))).await.text().to_owned() });
        let told = futures_util::future::join_all(all).await;
        for (number, (text, client)) in told.iter().zip(&clients).enumerate() {
            assert_eq!(*text, format!("user{number} in {}", client.id.as_deref().unwrap()));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_takes_no_event_stream_is_asked_nothing() {
    for version in REVISIONS {
        let world = World::new();
        let client = world.begin(version).await;
        let answer = client.clone().plain().send(&call(1, "roots", json!({}))).await;
        assert_eq!(answer.reply["result"]["isError"], true, "{answer:?}");
        let mut stream = client.stream(2, "roots", json!({})).await;
        let asked = stream.message().await.unwrap();
        assert_eq!(asked.data["method"], "roots/list");
        // The answer comes on a connection of its own; that of another session is none.
        let response = json!({ "jsonrpc": "2.0", "id": asked.data["id"], "result": { "roots": [{ "uri": "file:///x" }] } });
        let other = world.begin(version).await;
        assert_eq!(other.send(&response).await.status, 202);
        settle().await;
        assert!(stream.ready().0.is_empty());
        assert_eq!(client.send(&response).await.status, 202);
        assert_eq!(words(&stream.rest().await), ["1 roots"]);
        world.assert_at_rest();
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_is_told_again_where_the_stream_is_resumed_and_answered_from_there() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let mut stream = client.stream(1, "roots", json!({})).await;
    let opening = stream.next().await.unwrap();
    let asked = stream.message().await.unwrap();
    drop(stream);
    pass(5).await;
    let mut resumed = client.resume(opening.id.as_deref().unwrap()).await.unwrap();
    assert_eq!(resumed.message().await.unwrap(), asked);
    let response = json!({ "jsonrpc": "2.0", "id": asked.data["id"], "result": { "roots": [] } });
    assert_eq!(client.send(&response).await.status, 202);
    assert_eq!(words(&resumed.rest().await), ["0 roots"]);
    world.assert_at_rest();
}
