//! The tools that clients of these tests call.

use mcp_core::{
    context::Context,
    extract::{Args, Client, Log, Progress},
    handler::ToolError,
    protocol::LogLevel,
    registry::{McpRouter, resource, tool},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::time::sleep;

/// What became of the handlers that waited.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fates {
    finished: Arc<AtomicUsize>,
    given_up: Arc<AtomicUsize>,
}

impl Fates {
    /// How many ran to their end, and how many were dropped before.
    pub(super) fn count(&self) -> (usize, usize) {
        (self.finished.load(Ordering::SeqCst), self.given_up.load(Ordering::SeqCst))
    }

    fn watch(&self) -> Watch {
        Watch { fates: self.clone(), finished: false }
    }
}

/// Tells the fate of one handler.
struct Watch {
    fates: Fates,
    finished: bool,
}

impl Watch {
    fn finish(&mut self) {
        self.finished = true;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let fate = if self.finished { &self.fates.finished } else { &self.fates.given_up };
        fate.fetch_add(1, Ordering::SeqCst);
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Wait {
    /// The wait in milliseconds.
    ms: u64,
    /// The text.
    text: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Steps {
    /// How many steps.
    n: u32,
    /// The pause before each in milliseconds.
    ms: u64,
}

/// Everything these tests need.
pub(super) fn router(fates: &Fates) -> McpRouter<()> {
    let watched = fates.clone();
    let wait = move |Args(Wait { ms, text }): Args<Wait>| {
        let mut watch = watched.watch();
        async move {
            sleep(Duration::from_millis(ms)).await;
            watch.finish();
            text
        }
    };
    McpRouter::new()
        .tool("wait", tool(wait).describe("Waits, then returns the text"))
        .tool("steps", tool(steps).describe("Reports its progress"))
        .tool("away", tool(away).describe("Sends the client away"))
        .tool("quiet", tool(quiet).describe("Says nothing for long, and can be resumed"))
        .tool("log", tool(log).describe("Logs once at each level"))
        .tool("roots", tool(roots).describe("Asks for the roots"))
        .tool("who", tool(who).describe("Tells the session and the caller"))
        .resource("test://one", resource(|| async { "x" }))
        .resource("test://two", resource(|| async { "x" }))
}

async fn steps(progress: Progress, Args(Steps { n, ms }): Args<Steps>) -> String {
    for step in 1..=n {
        sleep(Duration::from_millis(ms)).await;
        progress.report(f64::from(step), f64::from(n));
    }
    format!("{n} steps")
}

async fn away(context: Context, progress: Progress, Args(Steps { n, ms }): Args<Steps>) -> String {
    context.make_resumable();
    tokio::task::yield_now().await;
    context.close_stream();
    for step in 1..=n {
        sleep(Duration::from_millis(ms)).await;
        progress.report(f64::from(step), f64::from(n));
    }
    format!("{n} steps away")
}

async fn quiet(context: Context, Args(Wait { ms, text }): Args<Wait>) -> String {
    context.make_resumable();
    sleep(Duration::from_millis(ms)).await;
    text
}

async fn log(log: Log) -> &'static str {
    for level in LogLevel::ALL {
        log.send(level, level.as_str());
    }
    "logged"
}

async fn roots(client: Client) -> Result<String, ToolError> {
    Ok(format!("{} roots", client.roots("roots").await?.len()))
}

async fn who(context: Context) -> String {
    let subject = context.principal().map_or("nobody", |principal| principal.subject());
    format!("{} in {}", subject, context.session_id().unwrap_or("no session"))
}
