//! The end of the process on request: the first signal asks for it, the second forces it.

use std::{io, process};
use tokio::signal;

/// What shells report for a process that an interrupt ended.
const INTERRUPTED: i32 = 130;

/// Completes at the first signal to end; a second one ends the process at once.
pub(crate) async fn shutdown() {
    if let Err(error) = signalled().await {
        eprintln!("everything: signals cannot be received: {error}");
        return std::future::pending().await;
    }
    tokio::spawn(async {
        if signalled().await.is_ok() {
            process::exit(INTERRUPTED);
        }
    });
}

#[cfg(unix)]
async fn signalled() -> io::Result<()> {
    use signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn signalled() -> io::Result<()> {
    signal::ctrl_c().await
}
