//! A tool for a client that starts its servers itself, over stdin and stdout.
//!
//! Build it with `cargo build -p mcp-server --example stdio`, then let a client start it:
//! `claude mcp add adder -- target/debug/examples/stdio`. Stdout is the wire; logs go to stderr.

use mcp_server::{McpRouter, StderrLog, ToolError, run_stdio, server, tool_args};
use std::error::Error;

async fn add_all(numbers: Vec<i64>) -> Result<i64, ToolError> {
    let sum = numbers.iter().try_fold(0_i64, |sum, number| sum.checked_add(*number));
    sum.ok_or_else(|| ToolError::new("the sum does not fit 64 bits; add fewer numbers at a time"))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // A client may leave stderr unread, which must not hold the server up.
    let log = StderrLog::start();
    tracing_subscriber::fmt().log_internal_errors(false).with_writer(move || log.clone()).init();
    let add =
        tool_args(["numbers"], add_all).describe("Adds whole numbers").argument("numbers", "What to add");
    let server = server(McpRouter::new().tool("add_all", add)).name("adder").version("1.0.0").build()?;
    Ok(run_stdio(server).await?)
}
