//! Nothing stays of asks that nobody answers.

use super::fixture::{Live, Rounds, keys, sent, server, serving};
use crate::wire::HANDSHAKE;
use mcp_core::{
    extract::{App, Client},
    handler::ToolError,
    registry::{McpRouter, tool},
    server::Counts,
};
use serde_json::json;
use std::sync::Arc;

/// Whatever holds a handler holds one of these.
type Token = Arc<()>;

async fn holds(client: Client, App(token): App<Token>) -> Result<usize, ToolError> {
    client.remember("k", async { "x".repeat(100) }).await?;
    let roots = client.roots("r").await?;
    drop(token);
    Ok(roots.len())
}

async fn wide(client: Client) -> String {
    let asks = (0..64).map(|number| client.roots(number.to_string()));
    let all = futures_util::future::join_all(asks).await;
    all.iter().filter(|one| one.is_ok()).count().to_string()
}

async fn page(client: Client, App(_): App<Token>) -> Result<String, ToolError> {
    let id = client.elicitation_id("page");
    client.elicit_url("page", "Open", "https://example.com").await?.require()?;
    Ok(id)
}

fn router(token: &Token) -> McpRouter<()> {
    McpRouter::new()
        .tool("hold", tool(holds).describe("."))
        .tool("wide", tool(wide).describe("."))
        .tool("page", tool(page).describe("."))
        .with_state(Arc::clone(token))
}

#[tokio::test]
async fn abandoned_rounds_leave_nothing() {
    let token = Token::default();
    let server = server(router(&token));
    let before = Arc::strong_count(&token);
    let call = Rounds::of_tool(&server, "hold");
    for _ in 0..2_000 {
        let ended = call.begin().await;
        assert_eq!(keys(&ended), ["r"]);
    }
    assert_eq!((Arc::strong_count(&token), server.counts()), (before, Counts::default()));
}

#[tokio::test]
async fn calls_that_are_given_up_while_they_ask_leave_nothing() {
    let token = Token::default();
    let server = server(router(&token));
    let before = Arc::strong_count(&token);
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let open = server.counts();
    for id in 0..2_000 {
        let mut call = live.call(id, "hold");
        assert_eq!((sent(&mut call).requests.len(), server.counts().calls), (1, 1), "call {id}");
        if id % 2 == 0 {
            let params = json!({ "requestId": id });
            live.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
            assert!(sent(&mut call).reply.is_none());
        }
    }
    assert_eq!((Arc::strong_count(&token), live.0.in_flight(), server.counts()), (before, 0, open));
    // All places for open asks are free.
    let mut call = live.call("wide", "wide");
    let asked = sent(&mut call).requests;
    assert_eq!(asked.len(), 64);
    for request in &asked {
        live.answer(request, json!({ "roots": [] }));
    }
    assert_eq!(sent(&mut call).text(), "64");
}

#[tokio::test]
async fn pages_that_nobody_completes_are_forgotten_and_hold_no_client() {
    let token = Token::default();
    let server = serving(router(&token)).build().unwrap();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut ids = Vec::new();
    for id in 0..10_050 {
        let mut call = live.call(id, "page");
        let request = sent(&mut call).request().clone();
        ids.push(request["params"]["elicitationId"].as_str().unwrap().to_owned());
    }
    assert!(!server.complete_elicitation(&ids[0]), "the oldest");
    assert!(!server.complete_elicitation(&ids[49]));
    assert!(server.complete_elicitation(&ids[50]));
    assert!(server.complete_elicitation(&ids[10_049]));
    assert!(live.change().is_some() && live.change().is_some() && live.change().is_none());
    assert_eq!(server.counts().subscriptions, 1);
    drop(live);
    assert_eq!(server.counts(), Counts::default());
    assert!(!server.complete_elicitation(&ids[10_048]));
}
