//! Running a router on a listener: timeouts, limits, and an end within a grace whatever clients do.

use crate::{
    activity::{Activity, Noting},
    endpoint::Endpoint,
    preface::{self, Version},
    socket::Socket,
};
use axum::Router;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
};
use mcp_core::setting::SettingFaults;
use std::{future::Future, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
    time::Instant,
};
use tokio_util::sync::CancellationToken;

/// Settings of a server on a listener.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// How long running calls may go on after the shutdown began, up to 1 hour; 8 s by default: less than the 10 s after which container runtimes kill.
    pub grace: Duration,
    /// How long a client may take to send a request's head, 100 ms to 1 hour; 30 s by default.
    pub head_timeout: Duration,
    /// How long a client may take nothing of an answer that waits for it, 100 ms to 1 hour; 30 s by default.
    pub write_timeout: Duration,
    /// How long a connection may be idle between requests, 100 ms to 1 day; 2 minutes by default.
    pub idle_timeout: Duration,
    /// Headers of one request, 16 to 1,000; 100 by default. More are answered with 431.
    pub max_headers: usize,
    /// Bytes of a request's head, 8 KiB to 1 MiB; 64 KiB by default. More are answered with 431.
    pub head_bytes: usize,
    /// Connections open at once, 1 to 10,000,000; 10,000 by default. Further ones wait to be accepted.
    pub max_connections: usize,
    /// Requests in flight on one HTTP/2 connection, 1 to 100,000; 250 by default.
    pub max_http2_streams: u32,
    /// Whether everyone who can reach the listener may call.
    pub exposure: Exposure,
}

/// Who may reach an endpoint without credentials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an endpoint is guarded or said to be open")]
pub enum Exposure {
    /// Without a verifier, only this machine: other listeners are refused.
    #[default]
    Guarded,
    /// Whoever reaches the listener. Say this when a proxy, or the application's own layer, checks callers.
    Open,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self {
            grace: Duration::from_secs(8),
            head_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(120),
            max_headers: 100,
            head_bytes: 64 * 1024,
            max_connections: 10_000,
            max_http2_streams: 250,
            exposure: Exposure::Guarded,
        }
    }
}

/// Why a listener is not served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The listener is reachable from other machines and nobody checks callers.
    #[error(
        "{0} can be reached from other machines and callers are not authenticated; configure a verifier, or say `exposure: Exposure::Open`"
    )]
    Unguarded(SocketAddr),
    /// Settings are out of their ranges.
    #[error(transparent)]
    Option(#[from] SettingFaults),
    /// The listener itself failed.
    #[error("the listener failed")]
    Listener(#[source] io::Error),
}

impl ServeOptions {
    fn check(&self) -> Result<(), SettingFaults> {
        let mut faults = SettingFaults::default();
        let hour = Duration::from_secs(3_600);
        faults.within("grace", self.grace, &(Duration::ZERO..=hour));
        faults.within("head_timeout", self.head_timeout, &(Duration::from_millis(100)..=hour));
        faults.within("write_timeout", self.write_timeout, &(Duration::from_millis(100)..=hour));
        let day = Duration::from_secs(86_400);
        faults.within("idle_timeout", self.idle_timeout, &(Duration::from_millis(100)..=day));
        faults.within("max_headers", self.max_headers, &(16..=1_000));
        faults.within("head_bytes", self.head_bytes, &(8 * 1024..=1024 * 1024));
        faults.within("max_connections", self.max_connections, &(1..=10_000_000));
        faults.within("max_http2_streams", self.max_http2_streams, &(1..=100_000));
        faults.finish()
    }
}

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
    let guarded = endpoint.options().verifier.is_some() || address.ip().is_loopback();
    if !guarded && options.exposure == Exposure::Guarded {
        return Err(ServeError::Unguarded(address));
    }
    let builder = Arc::new(connection_builder(&options));
    let stopping = CancellationToken::new();
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
        let connection = Connection {
            router: router.clone(),
            builder: Arc::clone(&builder),
            stopping: stopping.clone(),
            head_deadline: Instant::now() + options.head_timeout,
            write_timeout: options.write_timeout,
            idle_timeout: options.idle_timeout,
        };
        connections.spawn(async move {
            if let Err(error) = connection.run(stream).await {
                tracing::debug!(error, "a connection ended with an error");
            }
            drop(place);
        });
    }
    drop(listener);
    stopping.cancel();
    endpoint.server().shut_down();
    tracing::info!(connections = connections.len(), grace = ?options.grace, "shutting down");
    end(endpoint, connections, options.grace).await;
    Ok(())
}

fn connection_builder(options: &ServeOptions) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(options.head_timeout)
        .max_headers(options.max_headers)
        .max_buf_size(options.head_bytes);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(options.max_http2_streams)
        .max_header_list_size(u32::try_from(options.head_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(Duration::from_secs(30))
        .keep_alive_timeout(Duration::from_secs(20));
    builder
}

/// One connection and what bounds it.
struct Connection {
    router: Router,
    builder: Arc<Builder<TokioExecutor>>,
    stopping: CancellationToken,
    head_deadline: Instant,
    write_timeout: Duration,
    idle_timeout: Duration,
}

impl Connection {
    /// Serves the connection until the client leaves, it is idle for too long, or the server stops.
    async fn run(self, mut stream: TcpStream) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let (version, beginning) = tokio::select! {
            () = self.stopping.cancelled() => return Ok(()),
            version = preface::version(&mut stream, self.head_deadline) => version?,
        };
        // The version is known, so the builder need not look at the first bytes once more.
        let builder = match version {
            Version::Http1 => Builder::clone(&self.builder).http1_only(),
            Version::Http2 => Builder::clone(&self.builder).http2_only(),
        };
        let activity = Activity::begin();
        let service = Noting { router: self.router, activity: Arc::clone(&activity) };
        let socket = TokioIo::new(Socket::new(stream, beginning, self.write_timeout));
        let mut connection = pin!(builder.serve_connection(socket, service));
        let mut closing = false;
        loop {
            let idle_at = activity.idle_at(self.idle_timeout);
            tokio::select! {
                outcome = &mut connection => return outcome,
                () = self.stopping.cancelled(), if !closing => {}
                () = tokio::time::sleep_until(idle_at), if !closing => {
                    if activity.idle_at(self.idle_timeout) > Instant::now() {
                        continue;
                    }
                }
            }
            // What is being answered is finished; nothing further is taken.
            closing = true;
            connection.as_mut().graceful_shutdown();
        }
    }
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
        endpoint.server().detached_calls_ended().await;
    };
    if tokio::time::timeout(grace, all).await.is_ok() {
        return;
    }
    tracing::warn!(connections = connections.len(), "the grace is over; cancelling what still runs");
    endpoint.cut_streams();
    let _ = tokio::time::timeout(LAST_WORDS, finished(&mut connections)).await;
    connections.shutdown().await;
}

async fn finished(connections: &mut JoinSet<()>) {
    while connections.join_next().await.is_some() {}
}
