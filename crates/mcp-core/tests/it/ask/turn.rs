//! An ask is polled within its own handler's poll, or fails, in every era.

use super::fixture::{Live, everywhere, is_waiting, says_everywhere, sent, server, serving, told};
use crate::wire::HANDSHAKE;
use futures_util::FutureExt as _;
use mcp_core::{
    context::Context,
    extract::{App, Client},
    handler::blocking,
    registry::{McpRouter, tool},
};
use std::sync::{Arc, Mutex};

const OUTSIDE: &str = "Err(OutsideHandler)";

async fn in_a_task(client: Client) -> String {
    tokio::spawn(async move { told(client.roots("r").await) }).await.unwrap()
}

#[expect(clippy::disallowed_methods, reason = "a handler may start a thread, whatever the core does")]
async fn on_another_thread(client: Client) -> String {
    std::thread::spawn(move || told(client.roots("r").now_or_never().unwrap())).join().unwrap()
}

async fn in_blocking_work(client: Client) -> String {
    tokio::task::spawn_blocking(move || told(client.roots("r").now_or_never().unwrap())).await.unwrap()
}

#[tokio::test]
async fn an_ask_in_a_task_on_a_thread_or_in_blocking_work_fails_in_every_era() {
    let router = McpRouter::new()
        .tool("task", tool(in_a_task).describe("."))
        .tool("thread", tool(on_another_thread).describe("."))
        .tool("work", tool(in_blocking_work).describe("."))
        .tool(
            "blocking",
            tool(blocking(|context: Context| told(context.client().roots("r").now_or_never().unwrap())))
                .describe("."),
        );
    let server = server(router);
    for name in ["task", "thread", "work", "blocking"] {
        says_everywhere(&server, name, OUTSIDE).await;
        for (client, answer) in everywhere(&server, name).await {
            assert!(answer.asked.is_empty(), "{name} {client}");
        }
    }
}

#[tokio::test]
async fn the_same_ask_within_the_handler_is_answered() {
    let router = McpRouter::new().tool(
        "here",
        tool(|client: Client| async move { client.roots("r").await.map(|roots| roots.len()).unwrap_or(99) })
            .describe("."),
    );
    says_everywhere(&server(router), "here", "1").await;
}

#[tokio::test]
async fn an_ask_that_moves_to_a_task_after_it_was_sent_fails_there_and_is_withdrawn() {
    async fn moves(client: Client) -> String {
        let mut ask = Box::pin(client.roots("r"));
        assert!(is_waiting(&mut ask).await);
        // What was asked is taken before the task gets to it.
        tokio::task::yield_now().await;
        tokio::spawn(async move { told(ask.await) }).await.unwrap()
    }
    let server = server(McpRouter::new().tool("move", tool(moves).describe(".")));
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut call = live.call(1, "move");
    let request = sent(&mut call).request().clone();
    let rest = super::fixture::finish(&mut call).await;
    assert_eq!(rest.text(), OUTSIDE);
    assert_eq!(rest.notifications[0]["method"], "notifications/cancelled");
    assert_eq!(rest.notifications[0]["params"]["requestId"], request["id"]);
}

#[tokio::test]
async fn an_ask_of_another_call_fails() {
    type Lent = Arc<Mutex<Option<Client>>>;
    let router = McpRouter::new()
        .tool(
            "lend",
            tool(|client: Client, App(lent): App<Lent>| async move {
                *lent.lock().unwrap() = Some(client);
                std::future::pending::<&'static str>().await
            })
            .describe("."),
        )
        .tool(
            "borrow",
            tool(|App(lent): App<Lent>| async move {
                let client = lent.lock().unwrap().clone().unwrap();
                told(client.roots("r").await)
            })
            .describe("."),
        );
    let server = serving(router.with_state(Lent::default())).build().unwrap();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut lender = live.call(1, "lend");
    assert!(sent(&mut lender).reply.is_none());
    let mut borrower = live.call(2, "borrow");
    assert_eq!(sent(&mut borrower).text(), OUTSIDE);
}

#[tokio::test]
async fn a_call_made_within_a_handler_does_not_end_its_turn() {
    async fn outer(context: Context, client: Client) -> String {
        let inner = context.server().client(HANDSHAKE).call_tool("inner", serde_json::json!({})).await;
        format!("{} {}", inner.text(), client.roots("r").await.map(|roots| roots.len()).unwrap_or(99))
    }
    let router = McpRouter::new()
        .tool("outer", tool(outer).describe("."))
        .tool("inner", tool(|| async { "inner" }).describe("."));
    says_everywhere(&server(router), "outer", "inner 1").await;
}
