//! The runtime port on tokio, whose clock tests pause and advance.

use mcp_core::ports::{BoxFuture, Runtime};
use std::time::Instant;

/// Runs on the tokio runtime of the test; random bytes count up.
#[derive(Debug)]
pub(crate) struct TestRuntime;

impl Runtime for TestRuntime {
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        buffer.iter_mut().zip(0..).for_each(|(byte, value)| *byte = value);
    }

    fn spawn(&self, future: BoxFuture<()>) {
        tokio::spawn(future);
    }

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        tokio::task::spawn_blocking(work);
    }

    fn sleep_until(&self, deadline: Instant) -> BoxFuture<()> {
        Box::pin(tokio::time::sleep_until(deadline.into()))
    }
}
