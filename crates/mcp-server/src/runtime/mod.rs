//! The runtime port on tokio.

use mcp_core::ports::{BoxFuture, Runtime};
use std::time::Instant;

/// Runs a server on the tokio runtime that is current where it is used.
///
/// Time is tokio's, so that tests may pause and advance it.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct TokioRuntime;

impl TokioRuntime {
    /// The current tokio runtime.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Runtime for TokioRuntime {
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        #[expect(clippy::expect_used, reason = "without randomness nothing that follows would be safe")]
        getrandom::fill(buffer).expect("the operating system gives random bytes");
    }

    fn spawn(&self, future: BoxFuture<()>) {
        // Dependencies may be closed while the runtime itself is going away; then there is nobody to run them.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(future);
        }
    }

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        tokio::task::spawn_blocking(work);
    }

    fn sleep_until(&self, deadline: Instant) -> BoxFuture<()> {
        Box::pin(tokio::time::sleep_until(deadline.into()))
    }
}
