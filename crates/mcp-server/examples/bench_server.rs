//! The server that is measured beside others: three tools, any number of generated ones, a resource, a prompt.
//!
//! `cargo run --release -p mcp-server --example bench_server -- --http 8000 --tools 300`
//!
//! It writes no log and runs on tokio's default runtime.

use clap::{ArgGroup, Parser};
use mcp_server::{
    Args, Context, McpRouter, Server, Structured, prompt, resource, run_http, run_stdio, server, tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{error::Error, net::SocketAddr};

#[derive(Debug, Parser)]
#[command(group(ArgGroup::new("transport").required(true)))]
struct Arguments {
    /// Serve streamable HTTP on this address, or on this port of 127.0.0.1.
    #[arg(long, value_name = "ADDRESS|PORT", value_parser = address, group = "transport")]
    http: Option<SocketAddr>,

    /// Serve stdin and stdout.
    #[arg(long, group = "transport")]
    stdio: bool,

    /// Add this many generated tools.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    tools: usize,

    /// Answer calls of sessions as event streams that can be resumed.
    #[arg(long)]
    streams: bool,
}

/// Reads an address, or a port of the loopback interface.
fn address(text: &str) -> Result<SocketAddr, String> {
    match text.parse::<u16>() {
        Ok(port) => Ok(SocketAddr::from(([127, 0, 0, 1], port))),
        Err(_) => text.parse().map_err(|_| "neither an address such as 127.0.0.1:8000 nor a port".to_owned()),
    }
}

#[derive(Deserialize, JsonSchema)]
struct Echo {
    text: String,
}

async fn echo(Args(Echo { text }): Args<Echo>) -> String {
    text
}

#[derive(Deserialize, JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

async fn add(Args(Add { a, b }): Args<Add>) -> Structured<Sum> {
    Structured(Sum { sum: a.wrapping_add(b) })
}

#[derive(Deserialize, JsonSchema)]
struct Blob {
    #[schemars(range(max = 1024))]
    kib: usize,
}

async fn blob(Args(Blob { kib }): Args<Blob>) -> String {
    "x".repeat(kib * 1024)
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Exact,
    Prefix,
    Fuzzy,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the query is given back")]
struct Search {
    /// Full-text query
    query: String,
    /// Most entries to return
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    /// Only entries with all of these tags
    tags: Option<Vec<String>>,
    /// How to match
    mode: Option<Mode>,
}

async fn search(Args(Search { query, .. }): Args<Search>) -> String {
    query
}

async fn readme() -> &'static str {
    "benchmark resource"
}

#[derive(Deserialize, JsonSchema)]
struct Greet {
    who: String,
}

async fn greet(Args(Greet { who }): Args<Greet>) -> String {
    format!("Say hello to {who}")
}

async fn echo_as_stream(context: Context, Args(Echo { text }): Args<Echo>) -> String {
    context.make_resumable();
    text
}

async fn add_as_stream(context: Context, args: Args<Add>) -> Structured<Sum> {
    context.make_resumable();
    add(args).await
}

fn built(generated: usize, streams: bool) -> Result<Server, Box<dyn Error>> {
    let (echo, add) =
        if streams { (tool(echo_as_stream), tool(add_as_stream)) } else { (tool(echo), tool(add)) };
    let mut router = McpRouter::new()
        .tool("echo", echo.describe("Return the text unchanged"))
        .tool("add", add.describe("Add two integers"))
        .tool("blob", tool(blob).describe("Return this many KiB of text"))
        .resource("bench://readme", resource(readme).mime_type("text/plain"))
        .prompt("greet", prompt(greet).describe("Greet someone"));
    for index in 0..generated {
        let text = format!(
            "Generated tool number {index}: searches a catalogue and returns the matching entries, newest first."
        );
        router = router.tool(format!("gen_tool_{index:03}"), tool(search).describe(text));
    }
    Ok(server(router).name("bench_server").version("0.0.0").dynamic().build()?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let server = built(arguments.tools, arguments.streams)?;
    match arguments.http {
        Some(address) => run_http(server, address).await?,
        None => run_stdio(server).await?,
    }
    Ok(())
}
