//! How fast the progress of a call is told.

use super::Context;
use bytes::Bytes;
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

/// A bucket of reports: so many go out at once, then one at each interval.
///
/// A report that comes too early is held, in place of an older one that is held, until its time comes or the call
/// ends. So a client hears of progress at a bounded rate, is never left with an old number while the newest waits,
/// and hears the last one before the reply.
///
/// Spec: 2026-07-28, basic/patterns/progress#implementation-notes.
#[derive(Debug, Default)]
pub(crate) struct Pace(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Reports that went out and do not count as past yet, as of the time beside it.
    spent: u32,
    since: Option<Instant>,
    last: Option<f64>,
    held: Option<(f64, Bytes)>,
}

impl Context {
    /// Tells progress that grows beyond all earlier, now or when its time comes. Everything else is ignored.
    pub(crate) fn report_progress(&self, progress: f64, encode: impl FnOnce() -> Bytes) {
        let scope = &self.0;
        let mut state = scope.pace.lock();
        if !progress.is_finite() || state.last.is_some_and(|last| progress <= last) {
            return;
        }
        state.last = Some(progress);
        if state.may_go(self) {
            state.spent += 1;
            state.held = None;
            scope.outbox.put_progress(progress, encode);
        } else {
            state.held = Some((progress, encode()));
            drop(state);
            // Whoever drives the call has to wait for the time at which it goes out.
            scope.outbox.wake();
        }
    }

    /// When the report that is held may go out; `None` when none is.
    pub(crate) fn progress_is_due(&self) -> Option<Instant> {
        let mut state = self.0.pace.lock();
        state.held.as_ref()?;
        if state.may_go(self) {
            return state.since;
        }
        // A time beyond what the clock can tell never comes.
        state.since.and_then(|since| since.checked_add(self.limits().progress_interval))
    }

    /// Lets the report that is held go out, because its time has come or because nothing follows it.
    pub(crate) fn release_progress(&self) {
        let mut state = self.0.pace.lock();
        state.refill(self);
        if let Some((progress, text)) = state.held.take() {
            state.spent += 1;
            self.0.outbox.put_progress(progress, || text);
        }
    }
}

impl Pace {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn may_go(&mut self, context: &Context) -> bool {
        self.refill(context);
        self.spent < context.limits().progress_burst
    }

    /// Forgets what went out long enough ago.
    fn refill(&mut self, context: &Context) {
        let (now, interval) = (context.runtime().now(), context.limits().progress_interval);
        let since = *self.since.get_or_insert(now);
        let passed = now.saturating_duration_since(since).as_nanos() / interval.as_nanos().max(1);
        let passed = u32::try_from(passed).unwrap_or(u32::MAX);
        self.spent = self.spent.saturating_sub(passed);
        // What is left of an interval counts; where nothing is spent there is nothing to count from.
        self.since = match interval.checked_mul(passed).and_then(|time| since.checked_add(time)) {
            Some(time) if self.spent > 0 => Some(time),
            _ => Some(now),
        };
    }
}
