//! The bytes of requests whose calls run as tasks: a handler may look at its request as long as it runs.

use crate::refusal::Refusal;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The bytes that requests of running tasks have together.
#[derive(Debug, Default)]
pub(super) struct RequestBytes(Arc<AtomicUsize>);

/// What one request takes of them; dropping it gives it back.
#[derive(Debug)]
pub(super) struct KeptRequest {
    all: Arc<AtomicUsize>,
    bytes: usize,
}

impl RequestBytes {
    /// Takes room for a request. One for which all the room is free may have more than there is.
    ///
    /// # Errors
    /// [`Refusal::Limit`].
    pub(super) fn keep(&self, bytes: usize, most: usize) -> Result<KeptRequest, Refusal> {
        let room = |held: usize| {
            let together = held.saturating_add(bytes);
            (held == 0 || together <= most).then_some(together)
        };
        match self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, room) {
            Ok(_) => Ok(KeptRequest { all: Arc::clone(&self.0), bytes }),
            Err(_) => Err(Refusal::Limit { setting: "tasks.request_bytes" }),
        }
    }
}

impl Drop for KeptRequest {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_fill_the_room_exactly_have_room_and_give_it_back() {
        let all = RequestBytes::default();
        let first = all.keep(6, 10).unwrap();
        let _second = all.keep(4, 10).unwrap();
        assert!(all.keep(1, 10).is_err());
        drop(first);
        let _third = all.keep(6, 10).unwrap();
        assert!(all.keep(1, 10).is_err());
    }
}
