//! Running a router on a listener: timeouts, limits, and an end within a grace whatever clients do.

mod arriving;
mod connection;
mod lingering;
mod options;
mod streams;

#[cfg(test)]
mod tests;

pub use options::{Exposure, ServeError, ServeOptions};

pub(crate) use arriving::{Arriving, Stalled};
pub(crate) use lingering::Lingering;
pub(crate) use streams::Taking;

use crate::endpoint::Endpoint;
use axum::Router;
use connection::Connections;
use futures_util::future::join_all;
use std::{future::Future, pin::pin, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

/// Serves the router on the listener until `shutdown` completes, then ends within the grace.
///
/// At the shutdown no connection is accepted any more, idle ones are closed, listen streams end with
/// their result, new requests are refused, running calls go on, those of sessions also when their client has gone.
/// At the end of the grace event streams get a
/// `retry` field and whatever still runs is dropped, which cancels it.
///
/// # Errors
/// [`ServeError`] before anything is accepted; failures of single connections are logged only.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    endpoint: &Endpoint,
    options: ServeOptions,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    options.check()?;
    let address = listener.local_addr().map_err(ServeError::Listener)?;
    let verified = endpoint.all().all(|endpoint| endpoint.options().verifier.is_some());
    let guarded = verified || address.ip().is_loopback();
    if !guarded && options.exposure == Exposure::Guarded {
        return Err(ServeError::Unguarded(address));
    }
    let stopping = CancellationToken::new();
    let serving = Connections::new(router, &options, stopping.clone());
    let places = Arc::new(Semaphore::new(options.max_connections));
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = accept(&listener, &places) => accepted,
            Some(_) = connections.join_next() => continue,
        };
        let Some((stream, place)) = accepted else { continue };
        let serving = serving.clone();
        connections.spawn(async move {
            if let Err(error) = serving.run(stream).await {
                tracing::debug!(error, "a connection ended with an error");
            }
            drop(place);
        });
    }
    drop(listener);
    stopping.cancel();
    endpoint.all().for_each(|endpoint| endpoint.server().shut_down());
    tracing::info!(connections = connections.len(), grace = ?options.grace, "shutting down");
    end(endpoint, connections, options.grace).await;
    Ok(())
}

/// Accepts one connection when there is room for it; `None` after a failure that may pass.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            // Answers are small and complete when they are written, so waiting for more only delays them.
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "a connection keeps the delay of small packets");
            }
            Some((stream, place))
        }
        Err(error) => {
            tracing::warn!(%error, "a connection could not be accepted");
            // Out of file descriptors, say: trying again at once would only burn the processor.
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
    }
}

/// Lets calls finish within the grace, then cuts off what is left.
async fn end(endpoint: &Endpoint, mut connections: JoinSet<()>, grace: Duration) {
    /// Enough to write the last event of a stream to a client that reads.
    const LAST_WORDS: Duration = Duration::from_millis(250);
    let all = async {
        finished(&mut connections).await;
        join_all(endpoint.all().map(|endpoint| endpoint.server().detached_calls_ended())).await;
    };
    if tokio::time::timeout(grace, all).await.is_ok() {
        return;
    }
    tracing::warn!(connections = connections.len(), "the grace is over; cancelling what still runs");
    endpoint.cut_streams();
    let tasks = endpoint.all().map(|endpoint| endpoint.server().give_up_tasks());
    let last = async { tokio::join!(finished(&mut connections), join_all(tasks)) };
    let _ = tokio::time::timeout(LAST_WORDS, last).await;
    connections.shutdown().await;
}

async fn finished(connections: &mut JoinSet<()>) {
    while connections.join_next().await.is_some() {}
}
