//! One subscriber: what it wants and what waits for it.

use crate::protocol::SubscriptionFilter;
use futures_util::task::AtomicWaker;
use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
    task::Waker,
};

/// A list whose change is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListKindChanged {
    Tools,
    Prompts,
    Resources,
}

impl ListKindChanged {
    /// The notification's method.
    pub(crate) const fn method(self) -> &'static str {
        match self {
            Self::Tools => "notifications/tools/list_changed",
            Self::Prompts => "notifications/prompts/list_changed",
            Self::Resources => "notifications/resources/list_changed",
        }
    }
}

/// One change that waits to be announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    List(ListKindChanged),
    Updated(Box<str>),
}

/// A listen stream or a handshake session that hears of changes.
///
/// A change that has not been announced yet covers a second one of the same kind, so what waits is
/// bounded by what the filter names.
#[derive(Debug)]
pub(crate) struct Subscriber {
    state: Mutex<State>,
    driver: AtomicWaker,
}

#[derive(Debug)]
struct State {
    filter: SubscriptionFilter,
    lists: Vec<ListKindChanged>,
    updated: BTreeSet<Box<str>>,
}

impl Subscriber {
    pub(crate) fn new(filter: SubscriptionFilter) -> Self {
        let state = State { filter, lists: Vec::new(), updated: BTreeSet::new() };
        Self { state: Mutex::new(state), driver: AtomicWaker::new() }
    }

    /// Changes what is heard.
    pub(crate) fn adjust<T>(&self, change: impl FnOnce(&mut SubscriptionFilter) -> T) -> T {
        change(&mut self.lock().filter)
    }

    pub(crate) fn list_changed(&self, list: ListKindChanged) {
        let mut state = self.lock();
        let wanted = match list {
            ListKindChanged::Tools => state.filter.tools_list_changed,
            ListKindChanged::Prompts => state.filter.prompts_list_changed,
            ListKindChanged::Resources => state.filter.resources_list_changed,
        };
        if wanted && !state.lists.contains(&list) {
            state.lists.push(list);
            drop(state);
            self.driver.wake();
        }
    }

    pub(crate) fn updated(&self, uri: &str) {
        let mut state = self.lock();
        if state.filter.resource_subscriptions.contains(uri) && state.updated.insert(uri.into()) {
            drop(state);
            self.driver.wake();
        }
    }

    /// Takes the next change; when there is none, the waker is called at the next one.
    pub(crate) fn take(&self, waker: &Waker) -> Option<Pending> {
        let next = self.next();
        if next.is_some() {
            return next;
        }
        self.driver.register(waker);
        // A change may have come between the look and the registration.
        self.next()
    }

    /// Wakes whoever drives the subscriber, for a reason other than a change.
    pub(crate) fn wake(&self) {
        self.driver.wake();
    }

    fn next(&self) -> Option<Pending> {
        let mut state = self.lock();
        if state.lists.is_empty() {
            return state.updated.pop_first().map(Pending::Updated);
        }
        Some(Pending::List(state.lists.remove(0)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::task::noop_waker;

    #[test]
    fn only_what_was_asked_for_is_heard_and_repeats_wait_once() {
        let filter = SubscriptionFilter {
            tools_list_changed: true,
            resource_subscriptions: ["a:b".into()].into(),
            ..SubscriptionFilter::default()
        };
        let subscriber = Subscriber::new(filter);
        for _ in 0..1_000 {
            subscriber.list_changed(ListKindChanged::Tools);
            subscriber.list_changed(ListKindChanged::Prompts);
            subscriber.updated("a:b");
            subscriber.updated("a:c");
        }
        let heard: Vec<_> = std::iter::from_fn(|| subscriber.take(&noop_waker())).collect();
        assert_eq!(heard, [Pending::List(ListKindChanged::Tools), Pending::Updated("a:b".into())]);
    }
}
