//! The runtime port on tokio, whose clock tests pause and advance.

use mcp_core::ports::{BoxFuture, Runtime};
use std::{
    sync::OnceLock,
    time::{Duration, Instant, SystemTime},
};

/// Runs on the tokio runtime of the test; random bytes count up.
#[derive(Debug)]
pub(crate) struct TestRuntime;

impl Runtime for TestRuntime {
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    /// As far after a fixed day as the clock has come since the first look at it.
    fn wall_time(&self) -> SystemTime {
        static FIRST: OnceLock<Instant> = OnceLock::new();
        let now = self.now();
        let day = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        day + now.saturating_duration_since(*FIRST.get_or_init(|| now))
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
