//! A prompt with a required and an optional argument, the latter completed.
//!
//! Run it with `cargo run -p mcp-server --example prompt`; the endpoint is `http://127.0.0.1:8080/mcp`.
//! Another address may follow `--`.

use mcp_server::{Args, McpRouter, PromptMessage, Typed, prompt, run_http, server};
use schemars::JsonSchema;
use serde::Deserialize;
use std::error::Error;

#[derive(Deserialize, JsonSchema)]
struct Review {
    /// The code to review.
    code: String,
    /// What to look at most: bugs, speed or names.
    focus: Option<String>,
}

async fn review(Args(Review { code, focus }): Args<Review>) -> Vec<PromptMessage> {
    let focus = focus.as_deref().unwrap_or("bugs");
    vec![
        PromptMessage::user(format!("Review this code. Look at {focus} first.\n\n{code}")),
        PromptMessage::assistant("I will name each finding with its line."),
    ]
}

async fn focuses(Typed(typed): Typed) -> Vec<&'static str> {
    ["bugs", "names", "speed"].into_iter().filter(|focus| focus.starts_with(&typed)).collect()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let review = prompt(review).describe("Asks for a code review").complete("focus", focuses);
    let server =
        server(McpRouter::new().prompt("review", review)).name("reviews").version("1.0.0").build()?;
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".into());
    Ok(run_http(server, address).await?)
}
