//! Tools that take their time: waiting, blocking, panicking, reporting, logging.

use super::{super::RunsTasks, on_request};
use mcp_server::{Args, Log, LogLevel, McpRouter, Progress, ToolError, blocking, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use std::{fs::OpenOptions, io::Write as _, path::PathBuf, time::Duration};
use tokio::time::sleep;

/// How long after its result `wild_progress` reports once more.
const AFTERTHOUGHT: Duration = Duration::from_millis(200);

const KIB: usize = 1024;

pub(super) fn tools(runs: RunsTasks) -> McpRouter<()> {
    McpRouter::new()
        .tool("slow_echo", on_request(tool(slow_echo).describe("Waits, then returns the text"), runs))
        .tool("block", tool(blocking(block)).describe("Blocks a thread"))
        .tool("panic", tool(panics).describe("Panics"))
        .tool("progress", on_request(tool(reports).describe("Reports its progress"), runs))
        .tool("wild_progress", tool(wild_reports).describe("Reports progress against the rules"))
        .tool(
            "tick_file",
            on_request(
                tool(tick_file).describe("Appends lines to a file, and reports each, until it is cancelled"),
                runs,
            ),
        )
        .tool("log_all", tool(log_all).describe("Logs once at each level, then much"))
}

#[derive(Deserialize, JsonSchema)]
struct SlowEcho {
    /// The wait in milliseconds.
    ms: u64,
    /// The text.
    text: String,
}

async fn slow_echo(Args(SlowEcho { ms, text }): Args<SlowEcho>) -> String {
    sleep(Duration::from_millis(ms)).await;
    text
}

#[derive(Deserialize, JsonSchema)]
struct Block {
    /// How long the thread is held, in milliseconds.
    ms: u64,
}

fn block(Args(Block { ms }): Args<Block>) -> String {
    std::thread::sleep(Duration::from_millis(ms));
    format!("A thread was blocked for {ms} ms.")
}

#[allow(clippy::panic, clippy::allow_attributes, reason = "what becomes of a panic is the point")]
async fn panics() -> String {
    panic!("a secret that stays on the server")
}

#[derive(Deserialize, JsonSchema)]
struct Paced {
    /// How many reports.
    n: u32,
    /// The pause before each, in milliseconds.
    gap_ms: u64,
}

async fn reports(progress: Progress, Args(Paced { n, gap_ms }): Args<Paced>) -> String {
    for done in 1..=n {
        sleep(Duration::from_millis(gap_ms)).await;
        progress.report(f64::from(done), f64::from(n));
    }
    format!("{n} reports")
}

async fn wild_reports(progress: Progress) -> &'static str {
    for done in [1.0, 3.0, 2.0] {
        progress.report(done, 3.0);
    }
    for done in [3.0, 3.5, f64::NAN] {
        progress.report(done, 5.0);
    }
    tokio::spawn(async move {
        sleep(AFTERTHOUGHT).await;
        progress.report(9.0, 5.0);
    });
    "Reported wildly."
}

#[derive(Deserialize, JsonSchema)]
struct Ticks {
    /// The file; it is made when it does not exist.
    path: PathBuf,
    /// How many lines.
    n: u32,
    /// The pause after each, in milliseconds.
    gap_ms: u64,
}

async fn tick_file(
    progress: Progress,
    Args(Ticks { path, n, gap_ms }): Args<Ticks>,
) -> Result<String, ToolError> {
    for tick in 1..=n {
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        writeln!(file, "{tick}")?;
        progress.report(f64::from(tick), f64::from(n));
        sleep(Duration::from_millis(gap_ms)).await;
    }
    Ok(format!("{n} ticks"))
}

#[derive(Deserialize, JsonSchema)]
struct LogAll {
    /// How many KiB of debug messages follow, one message each.
    kib: Option<u32>,
}

async fn log_all(log: Log, Args(LogAll { kib }): Args<LogAll>) -> &'static str {
    for level in LogLevel::ALL {
        log.send(level, level.as_str());
    }
    for _ in 0..kib.unwrap_or_default() {
        log.debug(&"x".repeat(KIB));
        // A reader that keeps up gets every message.
        tokio::task::yield_now().await;
    }
    "Everything was logged."
}
