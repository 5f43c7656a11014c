//! One connection and what bounds it.

use super::{ServeOptions, streams::StreamExecutor};
use crate::{
    activity::{Activity, Noting, Standing},
    preface::{self, Version},
    socket::Socket,
};
use axum::Router;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::conn::auto::Builder,
};
use std::{
    error::Error,
    future::{Future as _, poll_fn},
    pin::pin,
    sync::Arc,
    task::Poll,
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

/// How long a quiet HTTP/2 client may take to say that it is there.
const PONG: Duration = Duration::from_secs(20);

/// What every connection of a listener is served with.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    router: Router,
    http1: Arc<Builder<StreamExecutor>>,
    http2: Arc<Builder<StreamExecutor>>,
    stopping: CancellationToken,
    head_timeout: Duration,
    read_timeout: Option<Duration>,
    write_timeout: Duration,
    idle_timeout: Duration,
}

/// What is to become of a connection when nothing happens on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It finishes what it has and takes nothing further.
    Close,
    /// It is dropped.
    Cut,
}

impl Connections {
    pub(super) fn new(router: Router, options: &ServeOptions, stopping: CancellationToken) -> Self {
        let builder = builder(options);
        Self {
            router,
            http1: Arc::new(builder.clone().http1_only()),
            http2: Arc::new(builder.http2_only()),
            stopping,
            head_timeout: options.head_timeout,
            read_timeout: options.read_timeout,
            write_timeout: options.write_timeout,
            // Checked at the start: one of the two is set.
            idle_timeout: options.idle_limit().unwrap_or(options.head_timeout),
        }
    }

    /// Serves the connection until the client leaves, it is idle for too long, or the server stops.
    pub(super) async fn run<S>(self, mut stream: S) -> Result<(), Box<dyn Error + Send + Sync>>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let head_deadline = Instant::now() + self.head_timeout;
        let (version, beginning) = tokio::select! {
            () = self.stopping.cancelled() => return Ok(()),
            version = preface::version(&mut stream, head_deadline) => version?,
        };
        let activity = Activity::begin(version);
        // The version is known, so the builder need not look at the first bytes once more.
        let builder = match version {
            Version::Http1 => &self.http1,
            Version::Http2 => &self.http2,
        };
        let service = Noting {
            router: self.router.clone(),
            activity: Arc::clone(&activity),
            read_timeout: self.read_timeout,
        };
        let socket = Socket::new(stream, beginning, self.write_timeout, Arc::clone(&activity));
        let mut connection = pin!(builder.serve_connection(TokioIo::new(socket), service));
        let mut stopping = pin!(self.stopping.cancelled());
        let mut timer = pin!(sleep_until(Instant::now() + self.idle_timeout));
        let mut closing: Option<Instant> = None;
        poll_fn(|context| {
            loop {
                if let Poll::Ready(outcome) = connection.as_mut().poll(context) {
                    return Poll::Ready(outcome);
                }
                let end = if closing.is_none() && stopping.as_mut().poll(context).is_ready() {
                    End::Close
                } else {
                    let Some((at, end)) = self.next_end(activity.standing(), closing) else {
                        return Poll::Pending;
                    };
                    if timer.deadline() != at {
                        timer.as_mut().reset(at);
                    }
                    if timer.as_mut().poll(context).is_pending() {
                        return Poll::Pending;
                    }
                    end
                };
                if end == End::Cut {
                    tracing::debug!("a connection is cut off: its client sends nothing, or does not leave");
                    return Poll::Ready(Ok(()));
                }
                closing = Some(Instant::now());
                connection.as_mut().graceful_shutdown();
            }
        })
        .await
    }

    /// When the connection ends if nothing happens, and how; not at all while it is at work.
    fn next_end(&self, standing: Standing, closing: Option<Instant>) -> Option<(Instant, End)> {
        match (standing, closing) {
            (Standing::Working, _) => None,
            (Standing::Head { since }, _) => Some((since + self.head_timeout, End::Cut)),
            (Standing::Idle { since }, None) => Some((since + self.idle_timeout, End::Close)),
            (Standing::Idle { since }, Some(told)) => Some((since.max(told) + self.write_timeout, End::Cut)),
        }
    }
}

fn builder(options: &ServeOptions) -> Builder<StreamExecutor> {
    let mut builder = Builder::new(StreamExecutor { write_timeout: options.write_timeout });
    builder
        .http1()
        // The time of a head is taken here: that of the builder would begin when the last answer ended, and cut
        // idle connections off.
        .header_read_timeout(None)
        .max_headers(options.max_headers)
        .max_buf_size(options.head_bytes);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(options.max_http2_streams)
        .max_pending_accept_reset_streams(options.max_http2_resets)
        .max_header_list_size(u32::try_from(options.head_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(options.http2_ping)
        .keep_alive_timeout(PONG);
    builder
}
