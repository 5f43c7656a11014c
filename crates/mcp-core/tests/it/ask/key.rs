//! Keys name the questions of a call.

use super::fixture::{Name, Rounds, everywhere, is_waiting, keys, says_everywhere, server, told, willing};
use mcp_core::{
    ask::AskError,
    extract::Client,
    handler::ToolError,
    protocol::Elicitation,
    registry::{McpRouter, tool},
};
use serde_json::json;

fn name(outcome: Result<Elicitation<Name>, AskError>) -> String {
    match outcome {
        Ok(answer) => answer.accepted().map_or_else(|| "no".to_owned(), |Name { name }| name),
        Err(error) => told::<()>(Err(error)),
    }
}

#[tokio::test]
async fn two_open_asks_with_one_key_are_an_error_in_every_era() {
    async fn same(client: Client) -> String {
        let (one, other) = tokio::join!(client.roots("k"), client.roots("k"));
        format!("{} {}", one.is_ok(), told(other))
    }
    async fn different(client: Client) -> String {
        let (one, other) = tokio::join!(client.roots("k"), client.elicit::<Name>("k", "Who?"));
        format!("{} {}", one.is_ok(), told(other))
    }
    async fn over_rounds(client: Client) -> String {
        let (one, other) = tokio::join!(client.roots("k"), client.roots("k"));
        let third = client.roots("other").await;
        format!("{} {} {}", one.is_ok(), told(other), third.is_ok())
    }
    let router = McpRouter::new()
        .tool("same", tool(same).describe("."))
        .tool("different", tool(different).describe("."))
        .tool("rounds", tool(over_rounds).describe("."));
    let server = server(router);
    says_everywhere(&server, "same", "true Err(DuplicateKey(\"k\"))").await;
    says_everywhere(&server, "different", "true Err(DuplicateKey(\"k\"))").await;
    says_everywhere(&server, "rounds", "true Err(DuplicateKey(\"k\")) true").await;
}

#[tokio::test]
async fn a_key_that_was_answered_cannot_ask_something_else() {
    async fn handler(client: Client) -> String {
        let first = name(client.elicit::<Name>("k", "first").await);
        let second = name(client.elicit::<Name>("k", "second").await);
        format!("{first}, {second}")
    }
    let server = server(McpRouter::new().tool("twice", tool(handler).describe(".")));
    for (client, answer) in everywhere(&server, "twice").await {
        let asked = answer.asked.len();
        match client.starts_with("2024") || client.starts_with("2025-03") {
            true => assert_eq!(asked, 0, "{client}"),
            false => assert_eq!((asked, answer.text()), (1, "first, Err(DuplicateKey(\"k\"))"), "{client}"),
        }
    }
}

#[tokio::test]
async fn the_same_question_again_has_the_same_answer_without_being_put_twice() {
    async fn handler(client: Client) -> Result<String, ToolError> {
        let mut roots = 0;
        for _ in 0..3 {
            roots += client.roots("k").await?.len();
        }
        Ok(roots.to_string())
    }
    let server = server(McpRouter::new().tool("again", tool(handler).describe(".")));
    for (client, answer) in everywhere(&server, "again").await {
        assert_eq!((answer.asked.len(), answer.text()), (1, "3"), "{client}");
    }
}

#[tokio::test]
async fn a_key_is_free_again_when_its_ask_was_withdrawn() {
    async fn handler(client: Client) -> String {
        let mut first = Box::pin(client.elicit::<Name>("k", "first"));
        let pending = is_waiting(&mut first).await;
        drop(first);
        format!("{pending} {}", name(client.elicit::<Name>("k", "second").await))
    }
    let server = server(McpRouter::new().tool("free", tool(handler).describe(".")));
    for version in [crate::wire::MODERN, crate::wire::HANDSHAKE] {
        let client = server.client(version).answering(willing);
        let rounds = client.call_tool("free", json!({})).await;
        assert_eq!((rounds.asked.len(), rounds.text()), (1, "true second"), "{version}");
        let live = client.live().call_tool("free", json!({})).await;
        assert_eq!((live.asked.len(), live.text()), (1, "true second"), "{version}");
    }
}

#[tokio::test]
async fn keys_have_1_to_128_bytes() {
    async fn handler(client: Client) -> String {
        let mut told = Vec::new();
        for key in ["", &"x".repeat(129), &"é".repeat(65)] {
            told.push(client.roots(key).await.is_err_and(|error| matches!(error, AskError::InvalidKey)));
        }
        for key in ["x", &"x".repeat(128), &"é".repeat(64), "a.b c\"\\/\u{2028}\n"] {
            told.push(client.roots(key).await.is_ok());
        }
        told.into_iter().all(|one| one).to_string()
    }
    let server = server(McpRouter::new().tool("keys", tool(handler).describe(".")));
    says_everywhere(&server, "keys", "true").await;
}

#[tokio::test]
async fn a_key_of_any_letters_goes_out_and_comes_back() {
    let key = "a.b \"c\"\\/\u{2028}\n\u{1F980}";
    let handler = move |client: Client| async move { client.roots(key).await.map(|_| "done") };
    let handler = move |client: Client| {
        let answer = handler(client);
        async move { Ok::<_, ToolError>(answer.await?) }
    };
    let call = Rounds::of_tool(&server(McpRouter::new().tool("odd", tool(handler).describe("."))), "odd");
    let ended = call.begin().await;
    assert_eq!(keys(&ended), [key]);
    assert_eq!(call.retry(&ended, json!({ key: { "roots": [] } })).await.text(), "done");
}
