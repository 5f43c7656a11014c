//! How long sessions last, and what their end ends.

use super::{
    tools::Fates,
    world::{NEWEST, REVISIONS, World, call, pass, serving, settle, words},
};
use mcp_core::ports::{EventLimits, SessionLimits};
use mcp_store::{MemoryEvents, MemorySessions};
use serde_json::json;
use std::{sync::Arc, time::Duration};

const TTL: u64 = 90;

/// Sessions that may be idle for a minute and a half.
fn short() -> World {
    World::with(|sessions| {
        sessions.limits(SessionLimits {
            idle_ttl: Duration::from_secs(TTL),
            opening_ttl: Duration::from_secs(20),
            ..SessionLimits::default()
        })
    })
}

#[tokio::test(start_paused = true)]
async fn a_handshake_that_nothing_follows_is_forgotten_soon() {
    let world = short();
    let mut client = world.visitor(NEWEST);
    client.id = client.initialize().await.session;
    let mut other = world.visitor(NEWEST);
    other.id = other.initialize().await.session;
    pass(19).await;
    assert_eq!(client.notify("notifications/initialized", json!({})).await, 202);
    pass(1).await;
    assert_eq!(other.ask(1, "ping", json!({})).await.status, 404);
    pass(TTL - 2).await;
    assert_eq!(client.ask(1, "ping", json!({})).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn an_idle_session_ends_and_one_that_is_used_does_not() {
    let world = short();
    let idle = world.begin(NEWEST).await;
    let used = world.begin(NEWEST).await;
    for _ in 0..4 {
        pass(TTL - 1).await;
        assert_eq!(used.ask(1, "ping", json!({})).await.status, 200);
    }
    assert_eq!(idle.ask(1, "ping", json!({})).await.status, 404);
    assert_eq!((idle.open().await.unwrap_err().status, idle.end().await), (404, 404));
    pass(TTL).await;
    assert_eq!(used.ask(1, "ping", json!({})).await.status, 404);
    pass(61).await;
    assert_eq!(world.server.counts(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn of_a_session_that_may_be_idle_for_seconds_nothing_is_kept_for_longer() {
    let world = World::with(|sessions| sessions.idle_ttl(Duration::from_secs(4)));
    let client = world.begin(NEWEST).await;
    assert_eq!(client.ask(1, "ping", json!({})).await.status, 200);
    assert_eq!(world.server.counts().live_sessions, 1);
    pass(10).await;
    assert_eq!(world.server.counts(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn a_session_with_a_call_is_not_idle_and_is_idle_from_its_end_on() {
    for version in REVISIONS {
        let world = short();
        let client = world.begin(version).await;
        let answer = client.send(&call(1, "wait", json!({ "ms": TTL * 5 * 1000, "text": "late" }))).await;
        assert_eq!(answer.text(), "late");
        pass(TTL - 1).await;
        assert_eq!(client.ask(2, "ping", json!({})).await.status, 200);
        pass(TTL).await;
        assert_eq!(client.ask(3, "ping", json!({})).await.status, 404);
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_with_a_call_whose_client_went_away_is_not_idle() {
    let world = short();
    let client = world.begin(NEWEST).await;
    let mut exchange = client.exchange(&call(1, "wait", json!({ "ms": TTL * 3 * 1000, "text": "x" }))).await;
    futures_util::FutureExt::now_or_never(futures_util::StreamExt::next(&mut exchange));
    drop(exchange);
    pass(TTL * 3 - 1).await;
    assert_eq!((world.server.counts().session_work, world.fates.count()), (1, (0, 0)));
    pass(1).await;
    assert_eq!((world.server.counts().session_work, world.fates.count()), (0, (1, 0)));
    pass(TTL - 1).await;
    assert_eq!(client.ask(2, "ping", json!({})).await.status, 200);
    pass(TTL).await;
    assert_eq!(client.ask(3, "ping", json!({})).await.status, 404);
}

#[tokio::test(start_paused = true)]
async fn a_session_with_an_open_stream_is_not_idle_and_ends_after_it() {
    let world = short();
    let client = world.begin(NEWEST).await;
    let mut stream = client.get().await;
    pass(TTL * 4).await;
    world.server.notify_tools_changed();
    assert_eq!(words(&[stream.message().await.unwrap()]), ["notifications/tools/list_changed"]);
    drop(stream);
    pass(TTL - 1).await;
    assert_eq!(client.ask(2, "ping", json!({})).await.status, 200);
    pass(TTL + 31).await;
    assert_eq!(world.server.counts(), Default::default(), "the keeper ends what waits for changes");
    assert_eq!(client.ask(3, "ping", json!({})).await.status, 404);
}

#[tokio::test(start_paused = true)]
async fn the_end_cancels_calls_ends_streams_and_forgets_events() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let mut get = client.get().await;
    let mut call_stream = client.stream(1, "steps", json!({ "n": 9, "ms": 1_000 })).await;
    let opening = call_stream.next().await.unwrap().id.unwrap();
    let waiting = client.exchange(&call(2, "wait", json!({ "ms": 60_000, "text": "x" }))).await;
    let waiting = tokio::spawn(futures_util::StreamExt::collect::<Vec<_>>(waiting));
    let left = client.exchange(&call(3, "wait", json!({ "ms": 60_000, "text": "x" }))).await;
    drop(left);
    settle().await;
    assert_eq!(world.server.counts().requests_in_flight, 3);
    assert_eq!(client.end().await, 204);
    assert!(get.rest().await.iter().all(|event| event.data.is_null()));
    call_stream.rest().await;
    let told = waiting.await.unwrap();
    let [mcp_core::exchange::Outgoing::Reply(reply)] = &told[..] else { panic!("{told:?}") };
    assert_eq!(reply.status, 404);
    settle().await;
    assert_eq!(world.server.counts(), Default::default());
    assert_eq!(world.fates.count(), (0, 2));
    assert_eq!(client.ask(4, "ping", json!({})).await.status, 404);
    assert_eq!(client.resume(&opening).await.unwrap_err().status, 404);
    assert_eq!(client.end().await, 404);
}

#[tokio::test(start_paused = true)]
async fn what_comes_while_its_session_ends_is_not_served_on() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let exchange = client.exchange(&call(1, "wait", json!({ "ms": 60_000, "text": "x" }))).await;
    assert_eq!(client.end().await, 204);
    let told: Vec<_> = futures_util::StreamExt::collect(exchange).await;
    let [mcp_core::exchange::Outgoing::Reply(reply)] = &told[..] else { panic!("{told:?}") };
    assert_eq!(reply.status, 404);
    settle().await;
    assert_eq!(world.server.counts(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn a_session_is_kept_by_the_process_that_works_for_it_wherever_it_began() {
    let (store, events) = (Arc::new(MemorySessions::new()), Arc::new(MemoryEvents::new()));
    let ttl = Duration::from_secs(TTL);
    let begins = World::on(store.clone(), events.clone(), |sessions| sessions.idle_ttl(ttl));
    let mut client = begins.begin(NEWEST).await;
    let works = World::on(store, events, |sessions| sessions.idle_ttl(ttl));
    client.server = works.server.clone();
    let answer = client.send(&call(1, "wait", json!({ "ms": TTL * 3 * 1000, "text": "far" }))).await;
    assert_eq!(answer.text(), "far");
    assert_eq!(client.ask(2, "ping", json!({})).await.status, 200);
    pass(TTL + 91).await;
    assert_eq!(works.server.counts(), Default::default(), "who did not begin it forgets it all the same");
}

#[tokio::test(start_paused = true)]
async fn the_end_on_one_node_ends_the_work_on_another() {
    let (store, events) = (Arc::new(MemorySessions::new()), Arc::new(MemoryEvents::new()));
    let one = World::on(store.clone(), events.clone(), |sessions| sessions);
    let two = World::on(store, events, |sessions| sessions);
    let client = one.begin(NEWEST).await;
    let mut there = client.clone();
    there.server = two.server.clone();
    let mut stream = there.get().await;
    let call = there.exchange(&call(1, "wait", json!({ "ms": 600_000, "text": "x" }))).await;
    let call = tokio::spawn(futures_util::StreamExt::collect::<Vec<_>>(call));
    assert_eq!(client.end().await, 204);
    stream.rest().await;
    assert_eq!(call.await.unwrap().len(), 1);
    settle().await;
    assert_eq!(two.server.counts(), Default::default());
    assert_eq!(two.fates.count(), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn the_stream_of_a_call_that_nobody_hears_is_kept_until_its_end() {
    let world = World::with(|sessions| {
        sessions.event_limits(EventLimits { age: Duration::from_secs(60), ..EventLimits::default() })
    });
    let client = world.begin(NEWEST).await;
    let mut stream = client.stream(1, "quiet", json!({ "ms": 600_000, "text": "at last" })).await;
    let opening = stream.next().await.unwrap().id.unwrap();
    drop(stream);
    pass(630).await;
    let mut resumed = client.resume(&opening).await.unwrap();
    assert_eq!(words(&resumed.rest().await), ["at last"]);
}

#[tokio::test(start_paused = true)]
async fn the_keeper_ends_with_its_server() {
    let fates = Fates::default();
    let store = Arc::new(MemorySessions::new());
    let server = serving(&fates, store.clone(), Arc::new(MemoryEvents::new())).build().unwrap();
    let world = World { server, fates };
    world.begin(NEWEST).await;
    drop(world);
    pass(60).await;
    assert_eq!(Arc::strong_count(&store), 1);
}
