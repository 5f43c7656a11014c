//! All subscribers of a server.

use super::{ListKindChanged, Subscriber};
use crate::ports::{Owner, TaskRecord};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The subscribers of a server, bounded in number, and for each principal too.
#[derive(Debug)]
pub(crate) struct Subscribers {
    state: Mutex<State>,
    most: usize,
    most_of_principal: usize,
}

/// Which bound stands in the way of one more subscriber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableFull {
    ForAll,
    ForPrincipal,
}

impl TableFull {
    /// The setting that governs it.
    pub(crate) const fn setting(self) -> &'static str {
        match self {
            Self::ForAll => "limits.subscriptions",
            Self::ForPrincipal => "limits.subscriptions_per_principal",
        }
    }
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    all: BTreeMap<u64, Arc<Subscriber>>,
    /// How many each principal has; those who have none are not in it.
    owned: HashMap<Owner, usize>,
}

/// A subscriber's place in the table; dropping it ends the subscription.
#[derive(Debug)]
pub(crate) struct Registration {
    table: Arc<Subscribers>,
    number: u64,
    owner: Owner,
    subscriber: Arc<Subscriber>,
}

impl Subscribers {
    pub(crate) fn new(most: usize, most_of_principal: usize) -> Self {
        Self { state: Mutex::default(), most, most_of_principal }
    }

    /// Adds a subscriber. Anonymous callers cannot be told apart, so only the bound for all holds for them.
    ///
    /// # Errors
    /// The bound that is reached; that of the principal before that for all.
    pub(crate) fn register(
        self: &Arc<Self>,
        subscriber: Subscriber,
        owner: Owner,
    ) -> Result<Registration, TableFull> {
        let subscriber = Arc::new(subscriber);
        let mut state = self.lock();
        let owned = state.owned.get(&owner).copied().unwrap_or(0);
        if owner != Owner::Anonymous && owned >= self.most_of_principal {
            return Err(TableFull::ForPrincipal);
        }
        if state.all.len() >= self.most {
            return Err(TableFull::ForAll);
        }
        let number = state.next;
        state.next += 1;
        state.all.insert(number, Arc::clone(&subscriber));
        if owner != Owner::Anonymous {
            state.owned.insert(owner.clone(), owned + 1);
        }
        drop(state);
        Ok(Registration { table: Arc::clone(self), number, owner, subscriber })
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

    pub(crate) fn task_changed(&self, task: &Arc<TaskRecord>) {
        self.each(|subscriber| subscriber.listened_task(task));
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
        let mut state = self.table.lock();
        state.all.remove(&self.number);
        if let Some(owned) = state.owned.get_mut(&self.owner) {
            *owned -= 1;
            if *owned == 0 {
                state.owned.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::SubscriptionFilter;

    fn subscriber() -> Subscriber {
        Subscriber::new(&SubscriptionFilter::default())
    }

    #[test]
    fn the_table_is_bounded_and_a_dropped_place_is_free_again() {
        let table = Arc::new(Subscribers::new(1, 1));
        let first = table.register(subscriber(), Owner::Anonymous);
        assert!(first.is_ok());
        let beyond = table.register(subscriber(), Owner::Anonymous);
        assert_eq!(beyond.unwrap_err(), TableFull::ForAll);
        drop(first);
        assert!(table.register(subscriber(), Owner::Anonymous).is_ok());
    }

    #[test]
    fn a_principal_takes_no_more_than_its_share() {
        let ada = Owner::Principal { issuer: None, subject: "ada".into(), client: None };
        let bob = Owner::Principal { issuer: None, subject: "bob".into(), client: None };
        let table = Arc::new(Subscribers::new(4, 2));
        let held: Vec<_> = (0..2).map(|_| table.register(subscriber(), ada.clone()).unwrap()).collect();
        assert_eq!(table.register(subscriber(), ada.clone()).unwrap_err(), TableFull::ForPrincipal);
        let other = table.register(subscriber(), bob.clone()).unwrap();
        drop(held);
        let again: Vec<_> = (0..2).map(|_| table.register(subscriber(), ada.clone()).unwrap()).collect();
        let anonymous = table.register(subscriber(), Owner::Anonymous).unwrap();
        assert_eq!(table.register(subscriber(), bob).unwrap_err(), TableFull::ForAll);
        drop((again, other, anonymous));
        assert!(table.lock().owned.is_empty() && table.len() == 0);
    }
}
