//! Settings of a server on a listener.

use mcp_core::setting::SettingFaults;
use std::{io, net::SocketAddr, ops::RangeInclusive, time::Duration};

/// Settings of a server on a listener.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// How long running calls may go on after the shutdown began, up to 1 hour; 8 s by default: less than the 10 s
    /// after which container runtimes kill.
    pub grace: Duration,
    /// How long a client may take to send a request's head, 100 ms to 1 hour; 30 s by default.
    pub head_timeout: Duration,
    /// How long a client may send nothing of a request's body while the body is waited for, 100 ms to 1 hour; 30 s
    /// by default, `None` for as long as it likes.
    ///
    /// Without `idle_timeout` it also bounds the time between two requests. The two cannot be switched off together:
    /// nothing else ends a connection whose client sends nothing.
    pub read_timeout: Option<Duration>,
    /// How long a client may take nothing of an answer that waits for it, 100 ms to 1 hour; 30 s by default.
    ///
    /// On HTTP/1 the connection is closed then; on HTTP/2 the stream is reset and the others go on.
    pub write_timeout: Duration,
    /// How long a connection may be idle between requests, 100 ms to 1 day; 2 minutes by default, `None` to leave
    /// that to `read_timeout`.
    ///
    /// An HTTP/2 client is told to go; when it does not within `write_timeout`, the connection is closed.
    pub idle_timeout: Option<Duration>,
    /// How often a quiet HTTP/2 client is asked whether it is still there, 1 s to 1 hour; 30 s by default, `None` for
    /// never. One that does not answer within 20 s is gone.
    pub http2_ping: Option<Duration>,
    /// Headers of one request, 16 to 1,000; 100 by default. More are answered with 431.
    pub max_headers: usize,
    /// Bytes of a request's head, 8 KiB to 1 MiB; 64 KiB by default. More are answered with 431.
    pub head_bytes: usize,
    /// Connections open at once, 1 to 10,000,000; 10,000 by default. Further ones wait to be accepted.
    pub max_connections: usize,
    /// Requests in flight on one HTTP/2 connection, 1 to 100,000; 250 by default.
    pub max_http2_streams: u32,
    /// HTTP/2 streams that a client may have opened and reset before they were taken up, 1 to 10,000; 20 by default.
    /// More end the connection.
    pub max_http2_resets: usize,
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
            read_timeout: Some(Duration::from_secs(30)),
            write_timeout: Duration::from_secs(30),
            idle_timeout: Some(Duration::from_secs(120)),
            http2_ping: Some(Duration::from_secs(30)),
            max_headers: 100,
            head_bytes: 64 * 1024,
            max_connections: 10_000,
            max_http2_streams: 250,
            max_http2_resets: 20,
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
    /// Nothing would end a connection whose client sends nothing.
    #[error(
        "`idle_timeout` and `read_timeout` are both off, and nothing else ends a connection whose client sends nothing: set one of them"
    )]
    NoReadLimit,
    /// Settings are out of their ranges.
    #[error(transparent)]
    Option(#[from] SettingFaults),
    /// The listener itself failed.
    #[error("the listener failed")]
    Listener(#[source] io::Error),
}

impl ServeOptions {
    pub(super) fn check(&self) -> Result<(), ServeError> {
        /// The timeouts of the wire.
        const TIMEOUT: RangeInclusive<Duration> = Duration::from_millis(100)..=Duration::from_secs(3_600);
        let mut faults = SettingFaults::default();
        let hour = Duration::from_secs(3_600);
        faults.within("grace", self.grace, &(Duration::ZERO..=hour));
        faults.within("head_timeout", self.head_timeout, &TIMEOUT);
        if let Some(timeout) = self.read_timeout {
            faults.within("read_timeout", timeout, &TIMEOUT);
        }
        faults.within("write_timeout", self.write_timeout, &TIMEOUT);
        if let Some(timeout) = self.idle_timeout {
            faults.within(
                "idle_timeout",
                timeout,
                &(Duration::from_millis(100)..=Duration::from_secs(86_400)),
            );
        }
        if let Some(interval) = self.http2_ping {
            faults.within("http2_ping", interval, &(Duration::from_secs(1)..=hour));
        }
        faults.within("max_headers", self.max_headers, &(16..=1_000));
        faults.within("head_bytes", self.head_bytes, &(8 * 1024..=1024 * 1024));
        faults.within("max_connections", self.max_connections, &(1..=10_000_000));
        faults.within("max_http2_streams", self.max_http2_streams, &(1..=100_000));
        faults.within("max_http2_resets", self.max_http2_resets, &(1..=10_000));
        faults.finish()?;
        self.idle_limit().map(|_| ()).ok_or(ServeError::NoReadLimit)
    }

    /// How long a connection may be without a request.
    pub(super) fn idle_limit(&self) -> Option<Duration> {
        self.idle_timeout.or(self.read_timeout)
    }
}
