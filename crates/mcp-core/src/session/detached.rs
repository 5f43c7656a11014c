//! Calls that go on without their client.

use event_listener::Event;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// How many calls of a server's sessions run without a connection that carries them.
#[derive(Debug, Default)]
pub(crate) struct Detached {
    count: AtomicUsize,
    ended: Event,
}

/// One of them.
#[derive(Debug)]
pub(super) struct DetachedCall(Arc<Detached>);

impl Detached {
    pub(super) fn begin(self: &Arc<Self>) -> DetachedCall {
        self.count.fetch_add(1, Ordering::AcqRel);
        DetachedCall(Arc::clone(self))
    }

    /// Completes when there is none.
    pub(crate) async fn ended(&self) {
        loop {
            let listener = self.ended.listen();
            if self.count.load(Ordering::Acquire) == 0 {
                return;
            }
            listener.await;
        }
    }
}

impl Drop for DetachedCall {
    fn drop(&mut self) {
        if self.0.count.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.ended.notify(usize::MAX);
        }
    }
}
