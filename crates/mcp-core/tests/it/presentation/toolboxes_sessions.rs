//! Toolboxes in sessions over HTTP, wherever the session goes on.

use super::toolboxes::house;
use crate::sessions::{
    moody::Moody,
    world::{Client, NEWEST, REVISIONS, Seen, Stream, VirtualRuntime, pass, request, settle},
};
use mcp_core::{
    ask::state::{StateKey, StateKeys},
    exchange::Outgoing,
    ports::{SessionLimits, SessionStore},
    presentation::{Presentation, Toolboxes},
    server::{Server, Sessions},
};
use mcp_store::{MemoryEvents, MemorySessions};
use serde_json::{Value, json};
use std::{future::poll_fn, sync::Arc};

const TOOLS: &str = "notifications/tools/list_changed";
const PROMPTS: &str = "notifications/prompts/list_changed";

/// A node of a server.
fn node(store: Arc<dyn SessionStore>, change: impl FnOnce(Sessions) -> Sessions) -> Server {
    Server::builder(house(), Arc::new(VirtualRuntime::new()))
        .name("test")
        .version("1")
        .sessions(change(Sessions::new(store, Arc::new(MemoryEvents::new()))))
        .state_keys(StateKeys::new(StateKey::from_bytes([1; 32])))
        .presentation(Presentation::toolboxes(Toolboxes::default()))
        .build()
        .unwrap()
}

fn alone() -> Server {
    node(Arc::new(MemorySessions::new()), |sessions| sessions)
}

async fn begin(server: &Server, version: &str) -> Client {
    Client::visiting(server, version).begun().await
}

/// The same client at another node.
fn at(client: &Client, server: &Server) -> Client {
    Client { server: server.clone(), ..client.clone() }
}

async fn call(client: &Client, name: &str, toolbox: &str) -> Value {
    let params = json!({ "name": name, "arguments": { "name": toolbox } });
    client.ask(1, "tools/call", params).await.reply["result"].clone()
}

/// Whether the tool of an open toolbox is listed.
async fn lists(client: &Client, name: &str) -> bool {
    let answer = client.ask(2, "tools/list", json!({})).await;
    let tools = answer.reply["result"]["tools"].as_array().unwrap().clone();
    tools.iter().any(|tool| tool["name"] == name)
}

async fn said(stream: &mut Stream) -> Vec<String> {
    settle().await;
    let words = stream.ready().0.iter().map(Seen::word).collect::<Vec<_>>();
    words.into_iter().filter(|word| !word.is_empty()).collect()
}

#[tokio::test(start_paused = true)]
async fn what_one_session_opens_no_other_one_sees_or_hears_of() {
    for version in REVISIONS {
        let server = alone();
        let (own, other) = (begin(&server, version).await, begin(&server, version).await);
        let (mut of_own, mut of_other) = (own.get().await, other.get().await);
        let opened = call(&own, "open_toolbox", "lights").await;
        assert!(opened["content"][0]["text"].as_str().unwrap().contains("lights_set"), "{version} {opened}");
        assert_eq!(said(&mut of_own).await, [TOOLS, PROMPTS], "{version}");
        assert!(lists(&own, "lights_set").await && !lists(&other, "lights_set").await);
        call(&own, "open_toolbox", "lights").await;
        assert!(said(&mut of_own).await.is_empty(), "it was open already");
        call(&own, "close_toolbox", "lights").await;
        assert_eq!(said(&mut of_own).await, [TOOLS, PROMPTS]);
        assert!(!lists(&own, "lights_set").await);
        assert!(said(&mut of_other).await.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn what_changed_before_the_session_had_a_stream_is_told_on_it() {
    let server = alone();
    let client = begin(&server, NEWEST).await;
    let mut stream = client.get().await;
    drop(stream);
    call(&client, "open_toolbox", "heating").await;
    stream = client.get().await;
    assert_eq!(said(&mut stream).await, [TOOLS]);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_can_hear_of_no_change_is_answered_and_its_lists_stay_as_they_are() {
    for (server, hears) in [
        (alone(), true),
        (node(Arc::new(MemorySessions::new()), |sessions| sessions.without_get_stream()), false),
    ] {
        let welcome = Client::visiting(&server, NEWEST).initialize().await;
        for list in ["tools", "prompts"] {
            let told = &welcome.reply["result"]["capabilities"][list]["listChanged"];
            assert_eq!(told, &json!(hears));
        }
        let client = begin(&server, NEWEST).await;
        let opened = call(&client, "open_toolbox", "lights").await;
        assert!(opened["content"][0]["text"].as_str().unwrap().contains("lights_set"), "{opened}");
        assert_eq!(lists(&client, "lights_set").await, hears);
        assert_eq!(call(&client, "close_toolbox", "lights").await["content"][0]["text"], "closed");
    }
}

#[tokio::test(start_paused = true)]
async fn another_node_lists_what_the_session_has_open_and_tells_its_stream() {
    let store = Arc::new(MemorySessions::new());
    let [here, there] = [(); 2].map(|()| node(Arc::clone(&store) as _, |sessions| sessions));
    let client = begin(&here, NEWEST).await;
    let elsewhere = at(&client, &there);
    let mut stream = elsewhere.get().await;
    call(&client, "open_toolbox", "heating").await;
    assert!(lists(&elsewhere, "heating_set").await);
    assert_eq!(said(&mut stream).await, [TOOLS], "the request brought the news");
    call(&elsewhere, "close_toolbox", "heating").await;
    assert_eq!(said(&mut stream).await, [TOOLS]);
    assert!(!lists(&client, "heating_set").await);
    call(&client, "open_toolbox", "heating").await;
    pass(31).await;
    assert_eq!(said(&mut stream).await, [TOOLS], "without a request it takes half a minute at most");
}

#[tokio::test(start_paused = true)]
async fn a_toolbox_stays_open_while_the_session_lasts_and_no_longer() {
    let server = alone();
    let client = begin(&server, NEWEST).await;
    call(&client, "open_toolbox", "heating").await;
    // The process may forget what the store remembers.
    pass(300).await;
    assert!(lists(&client, "heating_set").await);
    assert_eq!(client.end().await, 204);
    assert!(!lists(&begin(&server, NEWEST).await, "heating_set").await);
}

#[tokio::test(start_paused = true)]
async fn how_many_toolboxes_a_session_has_open_is_bounded() {
    let limits = SessionLimits { open_toolboxes: 1, ..SessionLimits::default() };
    let server = node(Arc::new(MemorySessions::new()), |sessions| sessions.limits(limits));
    let client = begin(&server, NEWEST).await;
    call(&client, "open_toolbox", "lights").await;
    let refused = call(&client, "open_toolbox", "heating").await;
    assert_eq!(refused["isError"], true, "{refused}");
    assert!(refused.to_string().contains("sessions.limits.open_toolboxes"), "{refused}");
    assert!(!lists(&client, "heating_set").await);
    call(&client, "close_toolbox", "lights").await;
    assert_eq!(call(&client, "open_toolbox", "heating").await.get("isError"), None);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_opens_nothing_and_the_model_reads_so() {
    let store = Arc::new(Moody::<MemorySessions>::default());
    let server = node(Arc::clone(&store) as _, |sessions| sessions);
    let client = begin(&server, NEWEST).await;
    let mut stream = client.get().await;
    let message =
        request(1, "tools/call", json!({ "name": "open_toolbox", "arguments": { "name": "lights" } }));
    let mut exchange = client.exchange(&message).await;
    store.mood.fail(true);
    let reply = loop {
        match poll_fn(|context| exchange.poll_message(context)).await {
            Some(Outgoing::Reply(reply)) => break String::from_utf8(reply.body.to_vec()).unwrap(),
            Some(_) => {}
            None => break String::new(),
        }
    };
    store.mood.fail(false);
    assert!(reply.contains("the session could not be changed") && reply.contains("isError"), "{reply}");
    assert!(!lists(&client, "lights_set").await);
    assert!(said(&mut stream).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_call_through_a_proxy_is_streamed_as_any_other() {
    let server = alone();
    let client = begin(&server, NEWEST).await;
    let arguments = json!({ "name": "lights_set", "arguments": { "on": true } });
    let mut stream = client.stream(5, "call_tool", arguments).await;
    let words: Vec<_> = stream.rest().await.iter().map(Seen::word).collect();
    assert_eq!(words.last().map(String::as_str), Some("on: true"), "{words:?}");
}
