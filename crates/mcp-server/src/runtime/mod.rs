//! The runtime port on tokio.

mod threads;

use mcp_core::ports::{BoxFuture, Runtime};
use std::time::{Instant, SystemTime};
use threads::Threads;

/// The threads of every blocking handler in this process; each server bounds how many of them it uses.
static BLOCKING: Threads = Threads::new();

/// Runs a server on the tokio runtime that is current where it is used.
///
/// Time is tokio's, so that tests may pause and advance it. Blocking handlers run on threads that tokio does not
/// wait for when it ends, so that none of them can hold the end of the process up.
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

    fn wall_time(&self) -> SystemTime {
        // On a paused clock tokio's time runs apart from the real one, and the time of day goes with it.
        let (virtual_now, now) = (self.now(), Instant::now());
        let time = SystemTime::now();
        let ahead = virtual_now.checked_duration_since(now).and_then(|ahead| time.checked_add(ahead));
        let behind = now.checked_duration_since(virtual_now).and_then(|behind| time.checked_sub(behind));
        ahead.or(behind).unwrap_or(time)
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
        let runtime = tokio::runtime::Handle::current();
        BLOCKING.run(Box::new(move || {
            // A plain function may use what tokio has for it, such as `Handle::current`.
            let _entered = runtime.enter();
            work();
        }));
    }

    fn sleep_until(&self, deadline: Instant) -> BoxFuture<()> {
        Box::pin(tokio::time::sleep_until(deadline.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    #[test]
    fn a_runtime_ends_while_a_blocking_handler_never_returns() {
        let (tell, told) = channel();
        let (_hold, held): (_, Receiver<()>) = channel();
        let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
        runtime.block_on(async {
            TokioRuntime.spawn_blocking(Box::new(move || {
                tell.send(tokio::runtime::Handle::try_current().is_ok()).unwrap();
                let _ = held.recv();
            }));
        });
        assert!(told.recv().unwrap(), "tokio is there for plain functions, too");
        // With a thread that tokio waits for, this would take as long as the handler.
        drop(runtime);
    }
}
