//! One subscriber: what it wants and what waits for it.

use crate::{
    ports::{TaskId, TaskRecord, TaskState},
    protocol::SubscriptionFilter,
    refusal::Refusal,
    uri::AbsoluteUri,
};
use bytes::Bytes;
use futures_util::task::AtomicWaker;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
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
    /// The resource of this URI, as the subscriber wrote it.
    Updated(Box<str>),
    /// The elicitation of this id is complete.
    Elicited(Box<str>),
    /// A task is this now.
    Task(Arc<TaskRecord>),
    /// A message of a task that nobody waits for.
    OfTask(Bytes),
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

#[derive(Debug, Default)]
struct State {
    wanted: Vec<ListKindChanged>,
    /// The subscribed URIs by lookup key, each as the subscriber wrote it.
    uris: BTreeMap<Box<str>, Box<str>>,
    lists: Vec<ListKindChanged>,
    /// The lookup keys of resources whose update waits.
    updated: BTreeSet<Box<str>>,
    /// Elicitations of this subscriber whose completion waits.
    elicited: VecDeque<Box<str>>,
    /// The tasks whose changes are heard on a listen stream.
    tasks: BTreeSet<TaskId>,
    /// Tasks whose change waits, each as it is now.
    changed_tasks: BTreeMap<TaskId, Arc<TaskRecord>>,
    /// Messages of tasks that wait.
    messages: VecDeque<Bytes>,
}

/// How many tasks' changes and how many of their messages wait at most.
const MOST_OF_TASKS: usize = 64;

/// How many completions wait at most; the oldest is dropped beyond that.
const MOST_ELICITED: usize = 64;

/// How much one subscriber may subscribe to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Resources.
    pub(crate) uris: usize,
    /// The bytes of their URIs together.
    pub(crate) text_bytes: usize,
}

impl Room {
    /// For what is within other limits already.
    pub(crate) const UNBOUNDED: Self = Self { uris: usize::MAX, text_bytes: usize::MAX };
}

impl Subscriber {
    pub(crate) fn new(filter: &SubscriptionFilter) -> Self {
        let lists = [
            (ListKindChanged::Tools, filter.tools_list_changed),
            (ListKindChanged::Prompts, filter.prompts_list_changed),
            (ListKindChanged::Resources, filter.resources_list_changed),
        ];
        let wanted = lists.into_iter().filter_map(|(list, wanted)| wanted.then_some(list)).collect();
        let uris = filter.resource_subscriptions.iter().map(|uri| (key(uri), uri.clone())).collect();
        let state = State { wanted, uris, ..State::default() };
        Self { state: Mutex::new(state), driver: AtomicWaker::new() }
    }

    /// Notes what a task is now, for a client that began it.
    pub(crate) fn task_changed(&self, task: Arc<TaskRecord>) {
        let mut state = self.lock();
        let waits = state.changed_tasks.contains_key(&task.id);
        if !waits && state.changed_tasks.len() >= MOST_OF_TASKS.max(state.tasks.len()) {
            state.changed_tasks.pop_first();
        }
        state.changed_tasks.insert(task.id.clone(), task);
        drop(state);
        self.driver.wake();
    }

    /// Listens to these tasks.
    pub(crate) fn listen_to_tasks(&self, tasks: BTreeSet<TaskId>) {
        self.lock().tasks = tasks;
    }

    /// Listens to these tasks only, and notes what those are now that have come to something already: a change before
    /// the first word is not missed.
    pub(crate) fn keep_tasks(&self, known: Vec<TaskRecord>) {
        let mut state = self.lock();
        state.tasks = known.iter().map(|task| task.id.clone()).collect();
        let State { tasks, changed_tasks, .. } = &mut *state;
        changed_tasks.retain(|id, _| tasks.contains(id));
        for task in known.into_iter().filter(|task| task.state != TaskState::Working) {
            changed_tasks.entry(task.id.clone()).or_insert_with(|| Arc::new(task));
        }
    }

    /// Notes what a task is now, if its changes are listened to.
    pub(super) fn listened_task(&self, task: &Arc<TaskRecord>) {
        if self.lock().tasks.contains(&task.id) {
            self.task_changed(Arc::clone(task));
        }
    }

    /// Notes a message of a task that nobody waits for; the oldest is dropped when too many wait.
    pub(crate) fn task_message(&self, message: Bytes) {
        let mut state = self.lock();
        if state.messages.len() >= MOST_OF_TASKS {
            state.messages.pop_front();
        }
        state.messages.push_back(message);
        drop(state);
        self.driver.wake();
    }

    /// Adds a resource, as long as there is room.
    pub(crate) fn subscribe(&self, uri: &str, room: Room) -> Result<(), Refusal> {
        let mut state = self.lock();
        let key = key(uri);
        let known = state.uris.get(&key).map(|uri| uri.len());
        if state.uris.len() >= room.uris && known.is_none() {
            return Err(Refusal::beyond("limits.subscription_uris"));
        }
        let held: usize = state.uris.values().map(|uri| uri.len()).sum();
        if held - known.unwrap_or_default() + uri.len() > room.text_bytes {
            return Err(Refusal::beyond("limits.client_text_bytes"));
        }
        state.uris.insert(key, uri.into());
        Ok(())
    }

    /// Takes a resource away, with an update of it that waits.
    pub(crate) fn unsubscribe(&self, uri: &str) {
        let mut state = self.lock();
        let key = key(uri);
        state.uris.remove(&key);
        state.updated.remove(&key);
    }

    pub(crate) fn list_changed(&self, list: ListKindChanged) {
        let mut state = self.lock();
        if state.wanted.contains(&list) && !state.lists.contains(&list) {
            state.lists.push(list);
            drop(state);
            self.driver.wake();
        }
    }

    /// Notes that the resource of a lookup key changed.
    pub(crate) fn updated(&self, key: &str) {
        let mut state = self.lock();
        if state.uris.contains_key(key) && state.updated.insert(key.into()) {
            drop(state);
            self.driver.wake();
        }
    }

    /// Notes that an elicitation is complete.
    pub(crate) fn elicited(&self, id: &str) {
        let mut state = self.lock();
        if state.elicited.len() >= MOST_ELICITED {
            state.elicited.pop_front();
        }
        state.elicited.push_back(id.into());
        drop(state);
        self.driver.wake();
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

    /// Has the waker called at the next change, or when the subscriber is woken.
    pub(crate) fn wake_later(&self, waker: &Waker) {
        self.driver.register(waker);
    }

    /// Wakes whoever drives the subscriber, for a reason other than a change.
    pub(crate) fn wake(&self) {
        self.driver.wake();
    }

    fn next(&self) -> Option<Pending> {
        let mut state = self.lock();
        if let Some(id) = state.elicited.pop_front() {
            return Some(Pending::Elicited(id));
        }
        if let Some(message) = state.messages.pop_front() {
            return Some(Pending::OfTask(message));
        }
        if let Some((_, task)) = state.changed_tasks.pop_first() {
            return Some(Pending::Task(task));
        }
        if state.lists.is_empty() {
            let key = state.updated.pop_first()?;
            return state.uris.get(&key).cloned().map(Pending::Updated);
        }
        Some(Pending::List(state.lists.remove(0)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The form by which a change finds the URI, however each side wrote it.
fn key(uri: &str) -> Box<str> {
    AbsoluteUri::normalize_lookup(uri).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::task::noop_waker;

    #[test]
    fn only_what_was_asked_for_is_heard_and_repeats_wait_once() {
        let filter = SubscriptionFilter {
            tools_list_changed: true,
            resource_subscriptions: ["A:b".into()].into(),
            ..SubscriptionFilter::default()
        };
        let subscriber = Subscriber::new(&filter);
        for _ in 0..1_000 {
            subscriber.list_changed(ListKindChanged::Tools);
            subscriber.list_changed(ListKindChanged::Prompts);
            subscriber.updated("a:b");
            subscriber.updated("a:c");
        }
        let heard: Vec<_> = std::iter::from_fn(|| subscriber.take(&noop_waker())).collect();
        assert_eq!(heard, [Pending::List(ListKindChanged::Tools), Pending::Updated("A:b".into())]);
    }
}
