//! How many event streams are open.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Counts open event streams against a limit.
#[derive(Debug)]
pub(crate) struct Streams {
    open: AtomicUsize,
    most: usize,
}

/// One open stream; dropping it makes room for another.
#[derive(Debug)]
pub(crate) struct Slot(Arc<Streams>);

impl Streams {
    pub(crate) fn new(most: usize) -> Self {
        Self { open: AtomicUsize::new(0), most }
    }

    /// How many are open now.
    pub(crate) fn count(&self) -> usize {
        self.open.load(Ordering::Acquire)
    }

    /// Takes a place; `None` when all are taken.
    pub(crate) fn open(self: &Arc<Self>) -> Option<Slot> {
        self.open
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |open| (open < self.most).then_some(open + 1))
            .is_ok()
            .then(|| Slot(Arc::clone(self)))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_stream_makes_room() {
        let streams = Arc::new(Streams::new(1));
        let slot = streams.open();
        assert!(slot.is_some() && streams.open().is_none());
        assert_eq!(streams.count(), 1);
        drop(slot);
        assert_eq!(streams.count(), 0);
        assert!(streams.open().is_some());
    }
}
