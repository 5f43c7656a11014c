//! A runtime without threads and without a clock: what was spawned is driven between two inputs.

use mcp_core::ports::{BoxFuture, Runtime};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Waker},
    time::{Duration, Instant, SystemTime},
};

/// Time stands still here, so that the same input does the same each time.
pub(crate) struct Still {
    began: Instant,
    random: AtomicU64,
    spawned: Mutex<Vec<BoxFuture<()>>>,
}

impl Still {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), random: AtomicU64::new(1), spawned: Mutex::new(Vec::new()) }
    }

    /// Drives what was spawned as far as it gets, and gives how much of it is still there.
    pub(crate) fn settle(&self) -> usize {
        let mut context = Context::from_waker(Waker::noop());
        let mut waiting = Vec::new();
        // What runs may spawn more and wake others; nothing here needs more rounds than these.
        for _ in 0..8 {
            waiting.append(&mut self.spawned());
            waiting.retain_mut(|future| future.as_mut().poll(&mut context).is_pending());
        }
        waiting.append(&mut self.spawned());
        let left = waiting.len();
        self.spawned().append(&mut waiting);
        left
    }

    /// Drops what was spawned, as a runtime that ends does; what still runs holds the server and this runtime.
    pub(crate) fn end(&self) {
        loop {
            let spawned = std::mem::take(&mut *self.spawned());
            if spawned.is_empty() {
                return;
            }
        }
    }

    fn spawned(&self) -> std::sync::MutexGuard<'_, Vec<BoxFuture<()>>> {
        self.spawned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Still {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Still").finish_non_exhaustive()
    }
}

impl Runtime for Still {
    fn now(&self) -> Instant {
        self.began
    }

    fn wall_time(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000)
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let next = self.random.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            chunk.copy_from_slice(&next.to_le_bytes()[..chunk.len()]);
        }
    }

    fn spawn(&self, future: BoxFuture<()>) {
        self.spawned().push(future);
    }

    fn spawn_blocking(&self, _: Box<dyn FnOnce() + Send>) {
        panic!("no handler blocks");
    }

    fn sleep_until(&self, _: Instant) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }
}
