//! The server that the tests start as a child process.
//!
//! Run it with `cargo run -p mcp-transport-stdio --example stdio_child`; it ends with its stdin, or on SIGTERM.

#![expect(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "the tools misbehave on purpose, and a fixture that cannot be built is a failed test"
)]

#[path = "../tests/tools/mod.rs"]
mod tools;

use mcp_transport_stdio::{StdioError, StdioOptions, serve_stdio};
use std::{future::pending, sync::atomic::Ordering, time::Duration};

fn main() -> Result<(), StdioError> {
    // A banner of this kind is what the takeover must keep off the wire; it comes before it, so it goes to stderr.
    eprintln!("the child starts");
    let mut options = StdioOptions::default();
    if let Some(ms) = std::env::var("GRACE_MS").ok().and_then(|ms| ms.parse().ok()) {
        options.grace = Duration::from_millis(ms);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(StdioError::Streams)?;
    let outcome = runtime.block_on(serve_stdio(tools::built(), options, terminated()));
    println!("what is printed afterwards goes to stderr as well");
    eprintln!("hanging: {}", tools::HANGING.load(Ordering::SeqCst));
    outcome
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(_) => pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    pending().await
}
