//! What is open at a server now.

use super::Server;
use std::sync::atomic::Ordering;

/// How much is open in this process, at one moment; all of it returns to zero when clients and calls are gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// HTTP sessions that this process has to do with; those in the store may be more.
    pub live_sessions: usize,
    /// Calls and streams of HTTP sessions.
    pub session_work: usize,
    /// Requests of HTTP sessions that are being served.
    pub requests_in_flight: usize,
    /// Requests to clients of HTTP sessions that they have not answered.
    pub open_asks: usize,
    /// Listen streams and handshake clients that hear of changes.
    pub subscriptions: usize,
    /// Tasks whose handlers run.
    pub tasks: usize,
    /// Calls, reads, lists and other requests that a handler serves, of every version over every transport; one
    /// that goes on as a task counts until the task ends.
    pub calls: usize,
}

impl Server {
    /// Counts a call that begins.
    pub(crate) fn call_begins(&self) {
        self.0.calls.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a call that is over.
    pub(crate) fn call_ends(&self) {
        self.0.calls.fetch_sub(1, Ordering::Relaxed);
    }

    /// Counts what is open now.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let tasks = self.tasks().map_or(0, |host| host.all().len());
        let calls = self.0.calls.load(Ordering::Relaxed);
        let mut counts =
            Counts { subscriptions: self.subscribers().len(), tasks, calls, ..Counts::default() };
        for session in self.sessions().map(|host| host.all()).unwrap_or_default() {
            counts.live_sessions += 1;
            counts.session_work += session.work();
            counts.requests_in_flight += session.live.in_flight.len();
            counts.open_asks += session.live.questions.len();
        }
        counts
    }
}
