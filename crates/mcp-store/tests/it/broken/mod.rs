//! The contract catches stores that break it.

mod events;
mod sessions;
mod tasks;

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::{Context, Poll, Waker},
};

/// Runs what waits for nothing but its turn.
fn run(future: impl Future<Output = ()>) {
    let mut future = pin!(future);
    while future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {}
}

/// What a check of the contract complains about; `None` when it passes.
fn complaint(check: impl Future<Output = ()>) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(|| run(check))).err()?;
    Some(panic.downcast_ref::<String>().cloned().unwrap_or_default())
}

/// Lets every other caller go on, as waiting for a network does.
async fn others_go_on() {
    let mut waited = false;
    poll_fn(|context| {
        if waited {
            return Poll::Ready(());
        }
        waited = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
