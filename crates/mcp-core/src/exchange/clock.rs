//! How long a call may go on: its timeout, and the deadline of the request that carries it.

use crate::{context::Context as CallContext, ports::BoxFuture, registry::TimeLimit};
use std::{
    fmt,
    task::{Context, Poll},
    time::{Duration, Instant},
};

/// The time of a call.
///
/// The timeout is measured from the moment the request was taken up, and stands still while the handler waits for
/// the client: asking has limits of its own, and on 2026-07-28 nobody waits at all. The deadline is that of the
/// whole request and stands still for nothing. A call that ends at its first poll arms no timer.
pub(super) struct Clock {
    timeout: Option<(Duration, &'static str)>,
    deadline: Option<Instant>,
    /// What the call had taken when it last began to wait for its client.
    taken: Duration,
    /// Since when the timeout runs on; `None` while the call waits for its client.
    running: Option<Instant>,
    timer: Option<BoxFuture<()>>,
}

/// Which bound a call reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expiry {
    /// Its own, by this setting.
    Timeout { after: Duration, setting: &'static str },
    /// That of the request which carries it.
    Deadline,
}

impl Clock {
    pub(super) fn new(context: &CallContext, limit: TimeLimit) -> Self {
        let timeout = match limit {
            TimeLimit::Server => context.limits().call_timeout.map(|after| (after, "limits.call_timeout")),
            TimeLimit::Own(after) => Some((after, "timeout, where it is registered")),
            TimeLimit::Never => None,
        };
        let running = Some(context.0.started);
        Self { timeout, deadline: None, taken: Duration::ZERO, running, timer: None }
    }

    /// Ends the call at this time at the latest.
    pub(super) fn end_by(&mut self, deadline: Instant) {
        self.deadline = Some(self.deadline.map_or(deadline, |earlier| earlier.min(deadline)));
        self.timer = None;
    }

    /// Polled whenever the handler waits; ready when it has waited too long.
    pub(super) fn poll(&mut self, context: &CallContext, task: &mut Context<'_>) -> Poll<Expiry> {
        if self.timeout.is_none() && self.deadline.is_none() {
            return Poll::Pending;
        }
        let asking = context.root().0.asks.is_asking();
        if asking == self.running.is_some() {
            self.turn(context.runtime().now());
        }
        let Some((end, expiry)) = self.end() else { return Poll::Pending };
        let timer = self.timer.get_or_insert_with(|| context.runtime().sleep_until(end));
        timer.as_mut().poll(task).map(|()| expiry)
    }

    /// The call begins to wait for its client, or goes on.
    fn turn(&mut self, now: Instant) {
        match self.running.take() {
            Some(since) => self.taken += now.saturating_duration_since(since),
            None => self.running = Some(now),
        }
        self.timer = None;
    }

    /// The bound that comes first.
    fn end(&self) -> Option<(Instant, Expiry)> {
        let timeout = self.timeout.zip(self.running).and_then(|((after, setting), since)| {
            // A time beyond what the clock can tell never comes.
            let end = since.checked_add(after.saturating_sub(self.taken))?;
            Some((end, Expiry::Timeout { after, setting }))
        });
        let deadline = self.deadline.map(|end| (end, Expiry::Deadline));
        match (timeout, deadline) {
            (Some(timeout), Some(deadline)) => Some(if timeout.0 < deadline.0 { timeout } else { deadline }),
            (timeout, deadline) => timeout.or(deadline),
        }
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Clock")
            .field("timeout", &self.timeout)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}
