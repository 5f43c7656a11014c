//! A tool that asks the user something by a form before it goes on.
//!
//! Run it with `cargo run -p mcp-server --example ask_the_user`; the endpoint is
//! `http://127.0.0.1:8080/mcp`. Another address may follow `--`, or `--stdio` for stdin and stdout.
//! The handler is the same for all of them, for clients of 2026-07-28 as for those that begin a session.

use mcp_server::{Args, Client, Elicitation, McpRouter, ToolError, run_http, run_stdio, server, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use std::error::Error;

#[derive(Deserialize, JsonSchema)]
struct Order {
    /// The dish to bring.
    dish: String,
}

/// The form: its fields, their titles and bounds come from this type.
#[derive(Deserialize, JsonSchema)]
struct Wishes {
    /// How hot?
    heat: Heat,
    /// How many portions?
    #[schemars(range(min = 1, max = 12))]
    portions: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Heat {
    Mild,
    Hot,
}

async fn order(client: Client, Args(Order { dish }): Args<Order>) -> Result<String, ToolError> {
    // On 2026-07-28 the handler runs again from here once the user has answered, so nothing is cooked yet.
    match client.elicit::<Wishes>("wishes", format!("How would you like your {dish}?")).await? {
        Elicitation::Accepted(Wishes { heat, portions }) => Ok(format!("{portions} × {dish}, {heat:?}")),
        Elicitation::Declined | Elicitation::Cancelled => {
            Err(ToolError::new("the user does not want it after all; order nothing"))
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().log_internal_errors(false).with_writer(std::io::stderr).init();
    let router = McpRouter::new().tool("order", tool(order).describe("Orders a dish"));
    let server = server(router).name("kitchen").version("1.0.0").build()?;
    match std::env::args().nth(1) {
        Some(flag) if flag == "--stdio" => run_stdio(server).await?,
        address => run_http(server, address.unwrap_or_else(|| "127.0.0.1:8080".into())).await?,
    }
    Ok(())
}
