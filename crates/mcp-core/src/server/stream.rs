//! The streams of sessions over HTTP: GET opens and resumes them, DELETE ends the session.

use super::{Peer, Server};
use crate::{
    admit::{self, RequestHead},
    exchange::{Events, Reply},
    lower, session,
};

/// What became of an HTTP GET.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a stream is opened, refused, or not offered")]
pub enum Opened {
    /// The events of the stream.
    Stream(Events),
    /// The error to answer with.
    Refused(Reply),
    /// There is no stream for GET: 405.
    NotOffered,
}

/// What became of an HTTP DELETE.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a session ends, or it does not")]
pub enum Ended {
    /// The session is no more: 204 without a body.
    Session,
    /// The error to answer with.
    Refused(Reply),
    /// There are no sessions to end: 405.
    NotOffered,
}

impl Server {
    /// Opens the stream of a session, or resumes one of its streams after the event of `Last-Event-ID`.
    ///
    /// Cancel-safe: a future that is dropped has opened nothing.
    ///
    /// Spec: 2025-11-25, basic/transports#listening-for-messages-from-the-server.
    pub async fn open_stream(&self, head: &dyn RequestHead, peer: Peer) -> Opened {
        let Some(host) = self.sessions().filter(|_| self.concerns_session(head)) else {
            return Opened::NotOffered;
        };
        match session::open_stream(self, host, head, peer).await {
            Ok(Some(events)) => Opened::Stream(events),
            Ok(None) => Opened::NotOffered,
            Err(refusal) => {
                refusal.log();
                Opened::Refused(lower::refusal(None, &refusal, None))
            }
        }
    }

    /// Ends a session: its calls are cancelled, its streams end, its events are forgotten.
    ///
    /// Cancel-safe: where the future is dropped after the record is gone, what runs here for the session ends
    /// within half a minute, and its events expire.
    ///
    /// Spec: 2025-11-25, basic/transports#session-management.
    pub async fn end_session(&self, head: &dyn RequestHead, peer: Peer) -> Ended {
        let Some(host) = self.sessions().filter(|_| self.concerns_session(head)) else {
            return Ended::NotOffered;
        };
        match session::end(self, host, head, peer.principal.as_deref()).await {
            Ok(()) => Ended::Session,
            Err(refusal) => {
                refusal.log();
                Ended::Refused(lower::refusal(None, &refusal, None))
            }
        }
    }

    /// Tells whether a request names a session, as only handshake clients do.
    fn concerns_session(&self, head: &dyn RequestHead) -> bool {
        session::is_named(head) && !admit::names_modern_version(head)
    }
}
