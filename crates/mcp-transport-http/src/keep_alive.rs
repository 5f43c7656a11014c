//! What keeps a quiet stream open, whose silence proxies and clients would take for its end.

use std::{
    future::Future as _,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Instant, Sleep, sleep};

/// A comment, which clients take no notice of.
pub(crate) const COMMENT: &[u8] = b":\n\n";

/// Tells when a stream has said nothing for a whole interval; never without one.
#[derive(Debug)]
pub(crate) struct KeepAlive(Option<(Duration, Pin<Box<Sleep>>)>);

impl KeepAlive {
    /// The first interval begins now.
    pub(crate) fn begin(interval: Option<Duration>) -> Self {
        Self(interval.map(|interval| (interval, Box::pin(sleep(interval)))))
    }

    /// The stream said something: the next interval begins.
    pub(crate) fn said_something(&mut self) {
        if let Some((interval, timer)) = &mut self.0 {
            timer.as_mut().reset(Instant::now() + *interval);
        }
    }

    /// Ready when nothing was said for the whole interval; the next one begins then.
    pub(crate) fn poll_quiet(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some((_, timer)) = &mut self.0 else { return Poll::Pending };
        if timer.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        self.said_something();
        // The timer is set anew and must be polled to be armed.
        context.waker().wake_by_ref();
        Poll::Ready(())
    }
}
