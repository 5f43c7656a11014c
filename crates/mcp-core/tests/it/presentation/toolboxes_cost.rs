//! What toolboxes cost a model's context, against the whole list.

use super::toolboxes::boxed;
use crate::wire::{HANDSHAKE, MODERN, serving};
use mcp_core::{
    extract::Args,
    registry::{McpRouter, Toolbox, tool},
    server::Server,
};
use serde_json::{Value, json};

/// An order, as such tools take it.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema matters")]
struct Order {
    /// The customer's number.
    customer: u64,
    /// What is ordered, by article number.
    articles: Vec<String>,
    /// When it is to be delivered, as a date.
    deliver_on: Option<String>,
    /// Whether the customer is told by mail.
    notify: bool,
}

const PER_BOX: usize = 10;

/// So many tools, ten of them in each toolbox.
fn shop(tools: usize) -> McpRouter<()> {
    (0..tools / PER_BOX).fold(McpRouter::new(), |router, department| {
        let inside = (0..PER_BOX).fold(McpRouter::new(), |inside, number| {
            let order = tool(|_: Args<Order>| async { "done" }).describe(format!(
                "Places an order of kind {number} with department {department} and tells its number"
            ));
            inside.tool(format!("department{department}_order{number}"), order)
        });
        let toolbox = Toolbox::new(
            format!("department{department}"),
            format!("Orders of department {department}: place, change and cancel them"),
        );
        router.merge(inside.toolbox(toolbox))
    })
}

/// About how many tokens a model reads: four bytes are one.
fn tokens(text: &str) -> usize {
    text.len() / 4
}

async fn listed(server: &Server) -> usize {
    let answer = server.client(HANDSHAKE).list_tools().await;
    tokens(&answer.result().unwrap()["tools"].to_string())
}

async fn answered(server: &Server, name: &str, arguments: Value) -> usize {
    tokens(server.client(MODERN).call_tool(name, arguments).await.text())
}

#[tokio::test]
async fn a_session_begins_with_a_few_hundred_tokens_however_many_tools_there_are() {
    println!("| tools | whole list | beginning | `list_toolboxes` | one `open_toolbox` |");
    let mut beginnings = Vec::new();
    for count in [10, 100, 500] {
        let whole = serving(shop(count)).build().unwrap();
        let lean = boxed(shop(count)).build().unwrap();
        let begins = listed(&lean).await + tokens(lean.instructions().unwrap());
        let (told, opened) = (
            answered(&lean, "list_toolboxes", json!({})).await,
            answered(&lean, "open_toolbox", json!({ "name": "department0" })).await,
        );
        println!("| {count} | {} | {begins} | {told} | {opened} |", listed(&whole).await);
        beginnings.push(begins);
    }
    assert!(beginnings.iter().all(|begins| *begins == beginnings[0] && *begins < 600), "{beginnings:?}");
}
