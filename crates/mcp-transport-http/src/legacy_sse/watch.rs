//! What ends a session beside its client: no handshake, nobody who reads, the end of the server.
//!
//! A task of its own, because a stream that nobody reads is not polled and could not notice.

use super::session::LegacySession;
use mcp_core::server::Server;
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

/// How often within the time for a stall the reader is looked at.
const LOOKS: u32 = 4;

/// Watches a session until it is over.
pub(super) async fn watch(
    session: Arc<LegacySession>,
    server: Server,
    cut: CancellationToken,
    stall_timeout: Duration,
) {
    let reason = tokio::select! {
        () = session.ended.cancelled() => return,
        () = cut.cancelled() => "the grace is over",
        () = stalls(&session, stall_timeout) => "nobody reads its stream (setting: legacy_sse.stall_timeout)",
        () = no_handshake(&session, server.session_limits().opening_ttl) => {
            "it did not shake hands in time (setting: sessions.limits.opening_ttl)"
        }
        () = shutdown(&session, &server) => return,
    };
    tracing::debug!(session = ?session.key, reason, "a session of HTTP+SSE is ended");
    session.end();
}

/// Completes when messages have waited for as long as they may, and the stream came for none of them.
async fn stalls(session: &LegacySession, timeout: Duration) {
    let mut since = Instant::now();
    let (mut seen, _) = session.progress();
    loop {
        sleep(timeout / LOOKS).await;
        let (looks, waiting) = session.progress();
        if looks != seen || !waiting {
            (seen, since) = (looks, Instant::now());
        } else if since.elapsed() >= timeout {
            return;
        }
    }
}

/// Completes when the time for the handshake is over without one.
async fn no_handshake(session: &LegacySession, within: Duration) {
    sleep_until(Instant::now() + within).await;
    if session.has_shaken_hands() {
        std::future::pending::<()>().await;
    }
}

/// Lets the session finish what it has begun once the server shuts down; it ends with its stream.
async fn shutdown(session: &LegacySession, server: &Server) {
    server.shutdown_begun().await;
    session.drain();
    // Until the grace is over, or the reader stalls.
    std::future::pending::<()>().await;
}
