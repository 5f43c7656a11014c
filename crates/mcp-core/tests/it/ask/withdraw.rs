//! An ask that is dropped is withdrawn.

use super::fixture::{Live, Rounds, finish, is_waiting, keys, sent, server};
use crate::wire::{HANDSHAKE, MODERN};
use mcp_core::{
    extract::{App, Client},
    handler::ToolError,
    registry::{McpRouter, tool},
    server::Server,
};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tokio::sync::Notify;

/// Waits for an answer until a bell rings.
async fn until_the_bell(client: Client, App(bell): App<Arc<Notify>>) -> Result<&'static str, ToolError> {
    tokio::select! {
        biased;
        roots = client.roots("r") => roots.map(|_| "answered").map_err(Into::into),
        () = bell.notified() => Ok("rung"),
    }
}

/// Is answered at once by something else.
async fn overtaken(client: Client) -> &'static str {
    tokio::select! {
        biased;
        _ = client.roots("r") => "answered",
        () = std::future::ready(()) => "overtaken",
    }
}

async fn within_a_second(client: Client) -> &'static str {
    match tokio::time::timeout(Duration::from_secs(1), client.roots("r")).await {
        Ok(_) => "answered",
        Err(_) => "too late",
    }
}

/// Asks again and again, and drops each ask in the poll that put it.
async fn fickle(client: Client) -> &'static str {
    for number in 0..10_000 {
        let mut ask = Box::pin(client.roots(number.to_string()));
        assert!(is_waiting(&mut ask).await);
    }
    "done"
}

fn offering(bell: &Arc<Notify>) -> Server {
    let router = McpRouter::new()
        .tool("bell", tool(until_the_bell).describe("."))
        .tool("overtaken", tool(overtaken).describe("."))
        .tool("second", tool(within_a_second).describe("."))
        .tool("fickle", tool(fickle).describe("."));
    server(router.with_state(Arc::clone(bell)))
}

#[tokio::test]
async fn a_client_that_was_asked_hears_that_the_ask_is_dropped() {
    let bell = Arc::default();
    let server = offering(&bell);
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut call = live.call(1, "bell");
    let asked = sent(&mut call);
    assert!(asked.reply.is_none());
    bell.notify_one();
    let rest = sent(&mut call);
    assert_eq!(rest.text(), "rung");
    let [cancelled] = &rest.notifications[..] else { panic!("{rest:?}") };
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], asked.request()["id"]);
    live.answer(asked.request(), json!({ "roots": [] }));
}

#[tokio::test]
async fn an_ask_that_is_dropped_before_it_went_out_never_goes_out() {
    let server = offering(&Arc::default());
    let mut live = Live::begin(&server, HANDSHAKE).await;
    for name in ["overtaken", "fickle"] {
        let all = finish(&mut live.call(1, name)).await;
        assert!(all.requests.is_empty() && all.notifications.is_empty(), "{name}");
        let modern = Rounds::of_tool(&server, name).begin().await;
        assert_eq!(modern.result()["resultType"], "complete", "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_around_an_ask_fires_live_and_never_ends_a_round() {
    let server = offering(&Arc::default());
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let rest = finish(&mut live.call(1, "second")).await;
    assert_eq!((rest.text(), rest.requests.len()), ("too late", 1));
    assert_eq!(rest.notifications[0]["params"]["requestId"], rest.request()["id"]);

    let began = tokio::time::Instant::now();
    let call = Rounds::of_tool(&server, "second");
    let ended = call.begin().await;
    assert_eq!((keys(&ended), began.elapsed()), (vec!["r"], Duration::ZERO));
    tokio::time::advance(Duration::from_secs(600)).await;
    assert_eq!(call.retry(&ended, json!({ "r": { "roots": [] } })).await.text(), "answered");
}

#[tokio::test]
async fn a_select_over_an_ask_goes_the_way_of_the_ask_in_rounds() {
    let bell: Arc<Notify> = Arc::default();
    let server = offering(&bell);
    let call = Rounds::of_tool(&server, "bell");
    let ended = call.begin().await;
    bell.notify_one();
    // What was ready when the handler ran again decides, as in any select.
    assert_eq!(call.retry(&ended, json!({ "r": { "roots": [] } })).await.text(), "answered");
    assert_eq!(call.retry(&ended, json!({})).await.text(), "rung");
    assert!(server.client(MODERN).list_tools().await.result().is_some());
}
