//! The order of the handshake in sessions, where it is enforced: POSTs overtake each other.

use super::{
    tools::Fates,
    world::{Client, NEWEST, REVISIONS, World, call, pass, serving, settle},
};
use mcp_core::server::Lifecycle;
use mcp_store::{MemoryEvents, MemorySessions};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

fn enforcing_on(store: &Arc<MemorySessions>) -> World {
    let fates = Fates::default();
    let server = serving(&fates, Arc::clone(store) as _, Arc::new(MemoryEvents::new()));
    World { server: server.lifecycle(Lifecycle::enforced()).build().unwrap(), fates }
}

fn enforcing() -> World {
    enforcing_on(&Arc::new(MemorySessions::new()))
}

/// A client whose handshake was answered and that has said nothing since.
async fn answered(world: &World, version: &str) -> Client {
    let mut client = world.visitor(version);
    client.id = client.initialize().await.session;
    client
}

fn echo(id: u32) -> Value {
    call(id, "wait", json!({ "ms": 0, "text": "there" }))
}

#[tokio::test(start_paused = true)]
async fn requests_that_overtake_initialized_are_served_once_it_is_there() {
    for version in REVISIONS {
        let world = enforcing();
        let client = answered(&world, version).await;
        let begin = tokio::time::Instant::now();
        let (one, list, level, status) = tokio::join!(
            async { client.send(&echo(1)).await },
            client.ask(2, "tools/list", json!({})),
            client.ask(3, "logging/setLevel", json!({ "level": "error" })),
            async {
                pass(1).await;
                client.notify("notifications/initialized", json!({})).await
            },
        );
        assert_eq!((one.text(), one.status, status), ("there", 200, 202), "{version}");
        assert!(list.reply["result"]["tools"].is_array(), "{list:?}");
        assert_eq!(level.reply["result"], json!({}));
        assert_eq!(begin.elapsed().as_secs(), 1, "as soon as it is there");
        world.assert_at_rest();
    }
}

#[tokio::test(start_paused = true)]
async fn without_initialized_a_request_is_refused_and_ping_is_not() {
    let world = enforcing();
    let client = answered(&world, NEWEST).await;
    let begin = tokio::time::Instant::now();
    assert_eq!(client.ask(1, "ping", json!({})).await.reply["result"], json!({}));
    assert_eq!(begin.elapsed(), Duration::ZERO);
    let refused = client.send(&echo(2)).await;
    assert_eq!((refused.code(), begin.elapsed().as_secs()), (Some(-32600), 2));
    let said = refused.reply["error"]["message"].as_str().unwrap();
    assert!(said.contains("`notifications/initialized`"), "{said}");
    assert_eq!(client.notify("notifications/roots/list_changed", json!({})).await, 202);
    world.assert_at_rest();
}

#[tokio::test(start_paused = true)]
async fn what_was_said_to_another_node_counts() {
    let store = Arc::new(MemorySessions::new());
    let (here, there) = (enforcing_on(&store), enforcing_on(&store));
    let client = answered(&here, NEWEST).await;
    let elsewhere = there.visitor(NEWEST).naming(client.id.as_deref());
    let (reply, status) = tokio::join!(async { client.send(&echo(1)).await }, async {
        pass(1).await;
        elsewhere.notify("notifications/initialized", json!({})).await
    });
    assert_eq!((reply.text(), status), ("there", 202));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_while_its_request_waits_cancels_nothing() {
    let world = enforcing();
    let client = answered(&world, NEWEST).await;
    drop(client.exchange(&echo(1)).await);
    assert_eq!(client.notify("notifications/initialized", json!({})).await, 202);
    settle().await;
    assert_eq!(world.fates.count(), (1, 0), "it ran to its end");
    world.assert_at_rest();
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_session_ends_the_wait() {
    let world = enforcing();
    let client = answered(&world, NEWEST).await;
    let (reply, ()) = tokio::join!(async { client.send(&echo(1)).await }, async {
        settle().await;
        client.end().await;
    });
    assert_eq!((reply.status, world.fates.count()), (404, (0, 0)));
    world.assert_at_rest();
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_brings_initialized_with_its_requests_is_served() {
    let world = enforcing();
    let client = answered(&world, "2025-03-26").await;
    let batch = json!([{ "jsonrpc": "2.0", "method": "notifications/initialized" }, echo(1)]);
    let begin = tokio::time::Instant::now();
    let reply = client.send(&batch).await;
    assert_eq!(reply.reply[0]["result"]["content"][0]["text"], "there", "{reply:?}");
    assert_eq!(begin.elapsed(), Duration::ZERO);
}
