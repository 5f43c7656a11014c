//! Shared state, described arguments, progress, and a failure that the model can act on.
//!
//! Run it with `cargo run -p mcp-server --example state_and_progress`; the endpoint is
//! `http://127.0.0.1:8080/mcp`. Another address may follow `--`.

use mcp_server::{App, Args, McpRouter, Progress, Structured, ToolError, run_http, server, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

/// What the application shares between calls.
#[derive(Clone, Default)]
struct Oven {
    baked: Arc<AtomicU32>,
}

#[derive(Deserialize, JsonSchema)]
struct Order {
    /// How many loaves to bake, up to 20.
    loaves: u32,
}

#[derive(Serialize, JsonSchema)]
struct Baked {
    /// All loaves since the server started.
    total: u32,
}

async fn bake(
    App(oven): App<Oven>,
    progress: Progress,
    Args(Order { loaves }): Args<Order>,
) -> Result<Structured<Baked>, ToolError> {
    if loaves > 20 {
        return Err(ToolError::new(format!("the oven holds 20 loaves, not {loaves}; order several times")));
    }
    for loaf in 1..=loaves {
        oven.baked.fetch_add(1, Ordering::Relaxed);
        progress.report(loaf.into(), f64::from(loaves)); // never waits
        tokio::task::yield_now().await; // a cancelled call ends here
    }
    Ok(Structured(Baked { total: oven.baked.load(Ordering::Relaxed) }))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let router =
        McpRouter::new().tool("bake", tool(bake).describe("Bakes bread")).with_state(Oven::default());
    let server = server(router).name("bakery").version("1.0.0").build()?;
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".into());
    Ok(run_http(server, address).await?)
}
