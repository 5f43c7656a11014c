//! The requests in flight on one connection, by id.

use crate::jsonrpc::IdKey;
use futures_util::task::AtomicWaker;
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::Waker,
};

/// Requests in flight on a connection; at most one per id.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    requests: Mutex<HashMap<IdKey, Arc<Cancel>>>,
}

#[derive(Debug, Default)]
struct Cancel {
    asked: AtomicBool,
    driver: AtomicWaker,
}

/// A request's place; dropping it frees the id.
#[derive(Debug)]
pub(crate) struct Place {
    table: Arc<InFlight>,
    key: IdKey,
    cancel: Arc<Cancel>,
}

/// Tells, without the exchange at hand, whether its request was cancelled.
///
/// A transport that queues messages asks just before it writes one: after a cancellation nothing may go out.
#[derive(Clone, Debug)]
pub struct CancelFlag(Arc<Cancel>);

impl CancelFlag {
    /// Tells whether the client cancelled the request.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.asked.load(Ordering::Acquire)
    }
}

impl InFlight {
    /// Takes the place of an id; `None` while another request holds it.
    pub(crate) fn take(self: &Arc<Self>, key: IdKey) -> Option<Place> {
        let cancel = Arc::new(Cancel::default());
        let mut requests = self.lock();
        if requests.contains_key(&key) {
            return None;
        }
        requests.insert(key.clone(), Arc::clone(&cancel));
        drop(requests);
        Some(Place { table: Arc::clone(self), key, cancel })
    }

    /// Cancels the request of an id; unknown ids are ignored, because a cancellation may cross the reply.
    pub(crate) fn cancel(&self, key: &IdKey) -> bool {
        let Some(cancel) = self.lock().get(key).cloned() else { return false };
        cancel.asked.store(true, Ordering::Release);
        cancel.driver.wake();
        true
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IdKey, Arc<Cancel>>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    pub(crate) fn flag(&self) -> CancelFlag {
        CancelFlag(Arc::clone(&self.cancel))
    }

    /// Makes the request one that no cancellation reaches.
    pub(crate) fn shielded(mut self) -> Self {
        self.cancel = Arc::default();
        self
    }

    /// Tells whether the request was cancelled; the waker is called when it will be.
    pub(crate) fn is_cancelled(&self, waker: &Waker) -> bool {
        self.cancel.driver.register(waker);
        self.cancel.asked.load(Ordering::Acquire)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.table.lock().remove(&self.key);
    }
}
