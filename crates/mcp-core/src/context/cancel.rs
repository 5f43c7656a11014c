//! The flag that tells work that nobody waits for it any more.

use event_listener::Event;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set once, seen by everyone who waits.
#[derive(Debug, Default)]
pub(crate) struct Cancellation {
    set: AtomicBool,
    event: Event,
}

impl Cancellation {
    pub(crate) fn is_set(&self) -> bool {
        self.set.load(Ordering::Acquire)
    }

    pub(crate) fn set(&self) {
        if !self.set.swap(true, Ordering::AcqRel) {
            self.event.notify(usize::MAX);
        }
    }

    /// Completes when the flag is set. Cancel-safe.
    pub(crate) async fn wait(&self) {
        loop {
            if self.is_set() {
                return;
            }
            let listener = self.event.listen();
            if self.is_set() {
                return;
            }
            listener.await;
        }
    }
}
