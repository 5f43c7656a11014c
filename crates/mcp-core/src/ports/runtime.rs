//! Time, randomness and task spawning.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    time::{Instant, SystemTime},
};

/// An owned future that may move between threads.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The runtime a server runs on.
///
/// The core reads no clock, makes no randomness and starts no task by itself: it asks this port.
/// An adapter for tokio comes with `mcp-server`; tests may bring a virtual clock.
pub trait Runtime: fmt::Debug + Send + Sync + 'static {
    /// The monotonic time.
    fn now(&self) -> Instant;

    /// The time of day, by which sessions and sealed state end on every node alike.
    ///
    /// Moves on with [`Runtime::now`]: where a test advances that, this advances, too.
    fn wall_time(&self) -> SystemTime;

    /// Fills the buffer with bytes from a cryptographically secure generator.
    ///
    /// Predictable bytes let an attacker guess session ids and forge sealed state.
    fn fill_random(&self, buffer: &mut [u8]);

    /// Runs a future to its end in the background.
    fn spawn(&self, future: BoxFuture<()>);

    /// Runs blocking work off the threads that drive futures.
    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>);

    /// Completes at the given time, at once when it has passed.
    fn sleep_until(&self, deadline: Instant) -> BoxFuture<()>;
}
