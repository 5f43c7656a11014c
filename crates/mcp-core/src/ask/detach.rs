//! A call that becomes a task, as the future its handler awaits.

use super::{AskError, Turn};
use crate::context::Context;
use std::{fmt, future::Future, pin::Pin, task::Poll};

/// Waits until the call is a task; see [`Client::detach`](crate::extract::Client::detach).
#[must_use = "a call becomes a task only where this is awaited"]
pub struct Detach(Context);

impl Detach {
    pub(crate) fn new(context: Context) -> Self {
        Self(context)
    }
}

impl Future for Detach {
    type Output = Result<bool, AskError>;

    fn poll(self: Pin<&mut Self>, context: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        if !Turn::is_of(self.0.root()) {
            return Poll::Ready(Err(AskError::OutsideHandler));
        }
        self.0.root().0.task.poll_detach(context.waker())
    }
}

impl fmt::Debug for Detach {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Detach").finish_non_exhaustive()
    }
}
