//! A tool, over HTTP.
//!
//! Run it with `cargo run -p mcp-server --example hello_tool`, then connect a client:
//! `claude mcp add --transport http hello http://127.0.0.1:8080/mcp`. Another address may follow `--`.

use mcp_server::{McpRouter, run_http, server, tool_args};
use std::error::Error;

async fn hello(name: String) -> String {
    format!("Hello, {name}!")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let greet =
        tool_args(["name"], hello).describe("Greets somebody").argument("name", "Whom to greet").read_only();
    let router = McpRouter::new().tool("hello", greet);
    let server = server(router).name("hello").version("1.0.0").build()?;
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".into());
    Ok(run_http(server, address).await?)
}
