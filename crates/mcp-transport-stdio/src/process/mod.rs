//! The stdin and stdout of this process.

mod reader_thread;
#[cfg(unix)]
mod restore;
#[cfg(unix)]
mod streams;
#[cfg(not(unix))]
mod threads;
#[cfg(unix)]
mod waiting;
mod writer_thread;

#[cfg(unix)]
use streams::take;
#[cfg(not(unix))]
use threads::take;

use crate::{
    driver::AtEnd,
    options::{StdioError, StdioOptions},
    serve::{drive, peer},
};
use futures_util::{FutureExt, future::poll_immediate};
use mcp_core::server::Server;
use std::{future::Future, io, pin::pin};
use tokio::sync::oneshot;

/// Serves the client on the other end of this process's stdin and stdout, until either side ends it.
///
/// The end of stdin shuts the server down: listen streams end with their result, requests in flight may finish
/// within [`StdioOptions::grace`]. The `shutdown` future does the same. A client that no longer reads is a normal
/// end as well. The process should then exit with code 0.
///
/// # Who may use the streams
/// The wire belongs to the protocol alone. On Unix the streams are taken over for the rest of the process's life:
/// what handlers print goes to stderr, what they read is empty, and child processes inherit neither end. A second
/// call finds an empty stdin. Elsewhere a handler that prints still corrupts the wire.
///
/// # How bytes are moved
/// * Pipes are read and written by the async runtime. On Linux they are opened anew, so that other processes that
///   share them keep their blocking mode.
/// * Stream sockets likewise; they are put into non-blocking mode until the function returns.
/// * Terminals, files and everything else, and pipes and sockets that are stderr too, get a thread each, because
///   their mode is not ours to change. The reading thread may still wait for input when the function returns;
///   it ends with the process.
///
/// # Errors
/// [`StdioError::Options`] for settings outside their range, [`StdioError::Streams`] when the streams cannot be
/// taken over, [`StdioError::Read`] when reading fails.
///
/// Spec: 2026-07-28, basic/transports/stdio.
pub async fn serve_stdio(
    server: Server,
    options: StdioOptions,
    shutdown: impl Future<Output = ()>,
) -> Result<(), StdioError> {
    options.check()?;
    let mut shutdown = pin!(shutdown.fuse());
    // Polled before anything is answered: from the first answer on, a signal finds its handler in place.
    let ending = poll_immediate(shutdown.as_mut()).await.is_some();
    let streams = take().map_err(StdioError::Streams)?;
    let (end, ended) = oneshot::channel::<()>();
    let peer = peer(&options);
    // As a task of its own the connection runs on the thread that waits for input, which saves a switch of
    // threads for each message.
    let mut serving = AbortOnDrop(tokio::spawn(async move {
        let ended = async move {
            // Without a signal the sender is dropped only together with the whole connection.
            let _ = ended.await;
        };
        drive(server, peer, streams, &options, AtEnd::ShutDown, ended).await
    }));
    let end = (!ending).then_some(end);
    let outcome = tokio::select! {
        biased;
        outcome = &mut serving.0 => outcome,
        () = &mut shutdown => {
            drop(end);
            (&mut serving.0).await
        }
    };
    outcome.unwrap_or_else(|error| Err(StdioError::Streams(io::Error::other(error))))
}

/// A task that does not outlive whoever waits for it.
struct AbortOnDrop<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
