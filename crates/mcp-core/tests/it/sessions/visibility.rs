//! What is hidden from a session, wherever the session goes on.

use super::{
    moody::Moody,
    tools::Fates,
    world::{Client, NEWEST, REVISIONS, Seen, Stream, VirtualRuntime, World, pass, settle},
};
use crate::catalogue::visible;
use mcp_core::{
    ask::state::{StateKey, StateKeys},
    page::Lists,
    ports::{SessionLimits, SessionStore},
    server::{Server, Sessions},
};
use mcp_store::{MemoryEvents, MemorySessions};
use serde_json::json;
use std::sync::Arc;

const TOOLS: &str = "notifications/tools/list_changed";

/// A node of a server whose lists differ from session to session.
fn node(store: Arc<dyn SessionStore>, lists: Lists, change: impl FnOnce(Sessions) -> Sessions) -> World {
    let sessions = change(Sessions::new(store, Arc::new(MemoryEvents::new())));
    let server = Server::builder(visible(), Arc::new(VirtualRuntime::new()))
        .name("test")
        .version("1")
        .sessions(sessions)
        .state_keys(StateKeys::new(StateKey::from_bytes([1; 32])))
        .lists(lists.per_connection());
    World { server: server.build().unwrap(), fates: Fates::default() }
}

fn alone() -> World {
    node(Arc::new(MemorySessions::new()), Lists::default(), |sessions| sessions)
}

/// The same client at another node.
fn at(client: &Client, world: &World) -> Client {
    Client { server: world.server.clone(), ..client.clone() }
}

async fn wish(client: &Client, act: &str, kind: &str, name: &str) -> String {
    let arguments = json!({ "act": act, "kind": kind, "name": name });
    client.ask(1, "tools/call", json!({ "name": "change", "arguments": arguments })).await.text().to_owned()
}

async fn tools(client: &Client) -> Vec<String> {
    let answer = client.ask(2, "tools/list", json!({})).await;
    let tools = answer.reply["result"]["tools"].as_array().unwrap().clone();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

async fn said(stream: &mut Stream) -> Vec<String> {
    settle().await;
    let words = stream.ready().0.iter().map(Seen::word).collect::<Vec<_>>();
    words.into_iter().filter(|word| !word.is_empty()).collect()
}

#[tokio::test(start_paused = true)]
async fn what_one_session_hides_no_other_one_misses_or_hears_of() {
    for version in REVISIONS {
        let world = alone();
        let (own, other) = (world.begin(version).await, world.begin(version).await);
        let (mut of_own, mut of_other) = (own.get().await, other.get().await);
        assert_eq!(wish(&own, "hide", "tag", "x").await, "done");
        assert_eq!(tools(&own).await, ["change", "b"], "{version}");
        assert_eq!(tools(&other).await, ["change", "a", "b"]);
        let lists = [TOOLS, "notifications/prompts/list_changed", "notifications/resources/list_changed"];
        assert_eq!(said(&mut of_own).await, lists);
        assert!(said(&mut of_other).await.is_empty());
        assert_eq!(wish(&own, "hide", "tool", "a").await, "done");
        assert!(said(&mut of_own).await.is_empty(), "it was hidden already");
    }
}

#[tokio::test(start_paused = true)]
async fn that_lists_change_is_advertised_to_sessions_with_a_stream() {
    for (world, changes) in [
        (alone(), true),
        (
            node(Arc::new(MemorySessions::new()), Lists::default(), |sessions| sessions.without_get_stream()),
            false,
        ),
    ] {
        let welcome = world.visitor(NEWEST).initialize().await;
        let told = &welcome.reply["result"]["capabilities"]["tools"]["listChanged"];
        assert_eq!(told, &json!(changes));
    }
}

#[tokio::test(start_paused = true)]
async fn another_node_lists_what_the_session_sees_and_tells_its_stream() {
    let store = Arc::new(MemorySessions::new());
    let [here, there] =
        [(); 2].map(|()| node(Arc::clone(&store) as _, Lists::default(), |sessions| sessions));
    let client = here.begin(NEWEST).await;
    let elsewhere = at(&client, &there);
    let mut stream = elsewhere.get().await;
    assert!(said(&mut stream).await.is_empty());
    assert_eq!(wish(&client, "hide", "tool", "a").await, "done");
    assert_eq!(tools(&elsewhere).await, ["change", "b"]);
    assert_eq!(said(&mut stream).await, [TOOLS], "the request brought the news");
    assert_eq!(tools(&elsewhere).await, ["change", "b"]);
    assert!(said(&mut stream).await.is_empty(), "once");
    assert_eq!(wish(&client, "unhide", "tool", "a").await, "done");
    pass(31).await;
    assert_eq!(said(&mut stream).await, [TOOLS], "without a request it takes half a minute at most");
    assert_eq!(tools(&elsewhere).await, ["change", "a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_hidden_stays_hidden_while_the_session_lasts_and_no_longer() {
    let world = alone();
    let client = world.begin(NEWEST).await;
    assert_eq!(wish(&client, "hide", "tool", "a").await, "done");
    // The process may forget what the store remembers.
    pass(300).await;
    assert_eq!(tools(&client).await, ["change", "b"]);
    assert_eq!(client.end().await, 204);
    assert_eq!(tools(&world.begin(NEWEST).await).await, ["change", "a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn how_much_a_session_hides_is_bounded() {
    for (limits, setting) in [
        (SessionLimits { hidden: 1, ..SessionLimits::default() }, "sessions.limits.hidden"),
        (SessionLimits { text_bytes: 1_024, ..SessionLimits::default() }, "sessions.limits.text_bytes"),
    ] {
        let world =
            node(Arc::new(MemorySessions::new()), Lists::default(), |sessions| sessions.limits(limits));
        let client = world.begin(NEWEST).await;
        let long = "x".repeat(900);
        assert_eq!(wish(&client, "hide", "tool", &long).await, "done");
        let refused = wish(&client, "hide", "tag", &long).await;
        assert!(refused.contains(setting), "{refused}");
        assert_eq!(wish(&client, "unhide", "tool", &long).await, "done");
        assert_eq!(wish(&client, "hide", "tool", "a").await, "done");
        assert_eq!(tools(&client).await, ["change", "b"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_hides_nothing_and_says_so_to_the_handler() {
    let store = Arc::new(Moody::<MemorySessions>::default());
    let world = node(Arc::clone(&store) as _, Lists::default(), |sessions| sessions);
    let client = world.begin(NEWEST).await;
    let mut stream = client.get().await;
    let call = super::world::request(
        1,
        "tools/call",
        json!({
            "name": "change", "arguments": { "act": "hide", "kind": "tool", "name": "a" },
        }),
    );
    let exchange = client.exchange(&call).await;
    store.mood.fail(true);
    let answer = drive(exchange).await;
    store.mood.fail(false);
    assert!(answer.contains("the session could not be changed"), "{answer}");
    assert_eq!(tools(&client).await, ["change", "a", "b"]);
    assert!(said(&mut stream).await.is_empty());
}

async fn drive(mut exchange: mcp_core::exchange::Exchange) -> String {
    loop {
        match std::future::poll_fn(|context| exchange.poll_message(context)).await {
            Some(mcp_core::exchange::Outgoing::Reply(reply)) => {
                return String::from_utf8(reply.body.to_vec()).unwrap();
            }
            Some(_) => {}
            None => return String::new(),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_cursor_is_of_one_session_and_of_every_node_of_it() {
    let store = Arc::new(MemorySessions::new());
    let paged = || Lists::default().page_size(1);
    let [here, there] = [(); 2].map(|()| node(Arc::clone(&store) as _, paged(), |sessions| sessions));
    let (client, stranger) = (here.begin(NEWEST).await, here.begin(NEWEST).await);
    let first = client.ask(1, "tools/list", json!({})).await;
    let cursor = first.reply["result"]["nextCursor"].clone();
    assert!(cursor.is_string(), "{first:?}");
    assert_eq!(wish(&client, "hide", "tool", "a").await, "done");
    let next = at(&client, &there).ask(2, "tools/list", json!({ "cursor": cursor })).await;
    assert_eq!(next.reply["result"]["tools"][0]["name"], "b", "{next:?}");
    let refused = stranger.ask(3, "tools/list", json!({ "cursor": cursor })).await;
    assert_eq!(refused.code(), Some(-32602));
}
