//! How much sessions may take.

use super::world::{NEWEST, World, call, pass, settle};
use mcp_core::ports::SessionLimits;
use serde_json::json;
use std::time::Duration;

fn with(limits: SessionLimits) -> World {
    World::with(|sessions| sessions.limits(limits))
}

#[tokio::test(start_paused = true)]
async fn sessions_beyond_the_limit_are_refused_until_one_ends() {
    let world = with(SessionLimits { total: 3, ..SessionLimits::default() });
    let first = world.begin(NEWEST).await;
    let _others = [world.begin(NEWEST).await, world.begin(NEWEST).await];
    let refused = world.visitor(NEWEST).initialize().await;
    assert_eq!((refused.status, refused.session), (503, None));
    assert!(refused.reply["error"]["message"].as_str().unwrap().contains("sessions.limits.total"));
    assert_eq!(first.ask(1, "ping", json!({})).await.status, 200);
    assert_eq!(first.end().await, 204);
    assert_eq!(world.visitor(NEWEST).initialize().await.status, 200);
    // Those two were never used: the other two are still there.
    pass(121).await;
    assert_eq!(world.visitor(NEWEST).initialize().await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn one_principal_cannot_take_the_places_of_all() {
    let world = with(SessionLimits { per_principal: 2, ..SessionLimits::default() });
    let ada = world.begin_as(NEWEST, "ada").await;
    world.begin_as(NEWEST, "ada").await;
    let refused = world.visitor(NEWEST).of("ada").initialize().await;
    assert_eq!(refused.status, 503);
    assert!(refused.reply["error"]["message"].as_str().unwrap().contains("sessions.limits.per_principal"));
    world.begin_as(NEWEST, "bob").await;
    assert_eq!(ada.end().await, 204);
    world.begin_as(NEWEST, "ada").await;
}

#[tokio::test(start_paused = true)]
async fn what_a_client_says_of_itself_is_bounded() {
    let world = with(SessionLimits { text_bytes: 1_024, ..SessionLimits::default() });
    let large = json!({ "experimental": { "x": { "y": "z".repeat(2_000) } } });
    let refused = world.visitor(NEWEST).initialize_with(large).await;
    assert_eq!((refused.status, refused.session), (200, None), "to come back later would not help");
    assert_eq!(refused.reply["error"]["code"], -32602);
    assert!(refused.reply["error"]["message"].as_str().unwrap().contains("sessions.limits.text_bytes"));
}

#[tokio::test(start_paused = true)]
async fn subscriptions_are_bounded_and_a_refused_one_leaves_nothing() {
    let world = with(SessionLimits { subscriptions: 1, ..SessionLimits::default() });
    let client = world.begin(NEWEST).await;
    let subscribe = |uri: &str| client.ask(1, "resources/subscribe", json!({ "uri": uri }));
    assert_eq!(subscribe("test://one").await.status, 200);
    let refused = subscribe("test://two").await;
    assert_eq!((refused.status, &refused.reply["error"]["code"]), (200, &json!(-32602)));
    assert!(refused.reply["error"]["message"].as_str().unwrap().contains("sessions.limits.subscriptions"));
    assert_eq!(subscribe("test://one").await.status, 200, "it is subscribed to already");
    let mut stream = client.get().await;
    stream.next().await;
    world.server.notify_resource_updated("test://two");
    world.server.notify_resource_updated("test://one");
    let event = stream.message().await.unwrap();
    assert_eq!(event.data["params"]["uri"], "test://one");
    settle().await;
    assert_eq!(stream.ready().0, []);
}

#[tokio::test(start_paused = true)]
async fn floods_leave_nothing_behind() {
    let world = with(SessionLimits {
        idle_ttl: Duration::from_secs(100),
        opening_ttl: Duration::from_secs(50),
        ..SessionLimits::default()
    });
    for round in 0..200 {
        world.visitor(NEWEST).initialize().await;
        let client = world.begin(NEWEST).await;
        match round % 5 {
            0 => assert_eq!(client.end().await, 204),
            1 => drop(client.get().await),
            2 => drop(client.stream(1, "steps", json!({ "n": 3, "ms": 10 })).await),
            3 => drop(client.exchange(&call(1, "wait", json!({ "ms": 500, "text": "x" }))).await),
            _ => {
                let call = client.exchange(&call("a", "wait", json!({ "ms": 500, "text": "x" }))).await;
                client.cancel("a").await;
                drop(call);
            }
        }
    }
    pass(200).await;
    assert_eq!(world.server.counts(), Default::default());
    assert_eq!(world.fates.count(), (40, 0), "what was cancelled before its first step never began");
}
