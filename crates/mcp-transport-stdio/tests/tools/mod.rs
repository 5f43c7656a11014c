//! The tools that the tests call, in their process and in a child.

use mcp_server::{
    Args, Limits, Log, McpRouter, Progress, Server, ToolError, blocking, server, tool, tool_args,
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// How many calls of `never` have begun and not ended.
pub(crate) static HANGING: AtomicUsize = AtomicUsize::new(0);

struct Hanging;

impl Drop for Hanging {
    fn drop(&mut self) {
        // Whoever does not wait for the end of a call sees it hang.
        std::thread::sleep(Duration::from_millis(50));
        HANGING.fetch_sub(1, Ordering::SeqCst);
    }
}

#[derive(Deserialize, JsonSchema)]
struct Wait {
    ms: u64,
}

async fn slow_echo(ms: u64, text: String) -> String {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    text
}

async fn never() -> String {
    HANGING.fetch_add(1, Ordering::SeqCst);
    let _hanging = Hanging;
    std::future::pending().await
}

async fn reports(count: u64, progress: Progress, log: Log) -> String {
    for done in 0..count {
        progress.report(done as f64 + 1.0, count as f64);
        tokio::task::yield_now().await;
    }
    log.info("reported");
    "done".to_owned()
}

fn blocks(Args(Wait { ms }): Args<Wait>) -> String {
    std::thread::sleep(Duration::from_millis(ms));
    "blocked".to_owned()
}

/// What no handler should do: it writes to the process's own streams and reads from them.
async fn prints(text: String) -> Result<String, ToolError> {
    use std::io::{Read as _, Write as _};
    println!("{text}");
    print!("{text}");
    std::io::stdout().flush()?;
    eprintln!("{text}");
    let mut stolen = String::new();
    std::io::stdin().read_to_string(&mut stolen)?;
    let child = std::process::Command::new("sh").args(["-c", "echo from a child; cat"]).status()?;
    Ok(format!("{} {}", stolen.len(), child.success()))
}

pub(crate) fn built() -> Server {
    let router = McpRouter::new()
        .tool("echo", tool_args(["text"], async |text: String| text).describe("Echoes"))
        .tool("slow_echo", tool_args(["ms", "text"], slow_echo).describe("Echoes late"))
        .tool("blob", tool_args(["bytes"], async |bytes: usize| "b".repeat(bytes)).describe("Makes text"))
        .tool("reports", tool_args(["count"], reports).describe("Reports progress"))
        .tool("never", tool(never).describe("Hangs"))
        .tool("panic", tool(panics).describe("Panics"))
        .tool("prints", tool_args(["text"], prints).describe("Prints"))
        .tool("block", tool(blocking(blocks)).describe("Blocks a thread"));
    let mut limits = Limits::default().with_output_bytes(32 << 20);
    limits.message.document_bytes = 16 << 20;
    server(router).name("fixture").version("1").dynamic().limits(limits).build().unwrap()
}

async fn panics() -> String {
    panic!("the secret is in /etc/passwd")
}
