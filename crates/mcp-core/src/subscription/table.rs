//! All subscribers of a server.

use super::{ListKindChanged, Subscriber};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The subscribers of a server, bounded in number.
#[derive(Debug)]
pub(crate) struct Subscribers {
    state: Mutex<State>,
    most: usize,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    all: BTreeMap<u64, Arc<Subscriber>>,
}

/// A subscriber's place in the table; dropping it ends the subscription.
#[derive(Debug)]
pub(crate) struct Registration {
    table: Arc<Subscribers>,
    number: u64,
    subscriber: Arc<Subscriber>,
}

impl Subscribers {
    pub(crate) fn new(most: usize) -> Self {
        Self { state: Mutex::default(), most }
    }

    /// Adds a subscriber; `None` when the table is full.
    pub(crate) fn register(self: &Arc<Self>, subscriber: Subscriber) -> Option<Registration> {
        let subscriber = Arc::new(subscriber);
        let mut state = self.lock();
        if state.all.len() >= self.most {
            return None;
        }
        let number = state.next;
        state.next += 1;
        state.all.insert(number, Arc::clone(&subscriber));
        drop(state);
        Some(Registration { table: Arc::clone(self), number, subscriber })
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().all.len()
    }

    pub(crate) fn list_changed(&self, list: ListKindChanged) {
        self.each(|subscriber| subscriber.list_changed(list));
    }

    pub(crate) fn updated(&self, key: &str) {
        self.each(|subscriber| subscriber.updated(key));
    }

    /// Wakes every driver, so that it sees that the server is shutting down.
    pub(crate) fn wake_all(&self) {
        self.each(Subscriber::wake);
    }

    fn each(&self, act: impl Fn(&Subscriber)) {
        self.lock().all.values().for_each(|subscriber| act(subscriber));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Registration {
    pub(crate) fn subscriber(&self) -> &Subscriber {
        &self.subscriber
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.table.lock().all.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::SubscriptionFilter;

    #[test]
    fn the_table_is_bounded_and_a_dropped_place_is_free_again() {
        let table = Arc::new(Subscribers::new(1));
        let first = table.register(Subscriber::new(&SubscriptionFilter::default()));
        assert!(first.is_some());
        assert!(table.register(Subscriber::new(&SubscriptionFilter::default())).is_none());
        drop(first);
        assert!(table.register(Subscriber::new(&SubscriptionFilter::default())).is_some());
    }
}
