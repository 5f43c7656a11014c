//! A task whose handler runs in this process.

use super::{
    attached::Waiter,
    questions::TaskAsk,
    requests::KeptRequest,
    steps::{Steps, Then},
};
use crate::{
    ports::{TaskId, TaskOwner, TaskRecord, TaskStep},
    session::LiveSession,
    version::ProtocolVersion,
};
use bytes::Bytes;
use event_listener::{Event, EventListener};
use futures_util::task::AtomicWaker;
use std::{
    collections::{BTreeSet, VecDeque},
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    task::Context,
    time::SystemTime,
};

/// How many characters a sentence about a task has.
pub(super) const MESSAGE_CHARS: usize = 200;

/// A task whose handler runs in this process.
pub(crate) struct RunningTask {
    pub(crate) id: TaskId,
    pub(crate) owner: TaskOwner,
    /// The revision of the caller who began it.
    pub(crate) version: ProtocolVersion,
    /// The client that began it, where it is one that hears of changes.
    pub(super) client: Option<Weak<LiveSession>>,
    pub(super) expires_at: Option<SystemTime>,
    /// How often a question is put again whose answers do not fit.
    pub(super) most_renewals: u32,
    state: Mutex<State>,
    /// What the store is told next.
    pub(super) steps: Steps,
    /// Notified whenever something of it changed.
    pub(super) changed: Event,
    stopped: AtomicBool,
    driver: AtomicWaker,
    /// The room that its request takes, where it has one.
    request: Option<KeptRequest>,
}

pub(super) struct State {
    /// What the store knows.
    pub(super) record: Arc<TaskRecord>,
    pub(super) asks: Vec<TaskAsk>,
    /// Keys that were used on the wire: each names one question for ever.
    pub(super) used: BTreeSet<Box<str>>,
    pub(super) messages: VecDeque<Bytes>,
    /// Those who wait for its end, the newest last.
    pub(super) waiters: Vec<Waiter>,
    pub(super) next_waiter: u64,
}

impl RunningTask {
    pub(super) fn new(record: TaskRecord, client: Option<Weak<LiveSession>>, most_renewals: u32) -> Self {
        let record = Arc::new(record);
        Self {
            id: record.id.clone(),
            owner: record.owner.clone(),
            version: record.version,
            client,
            expires_at: record.expires_at(),
            most_renewals,
            state: Mutex::new(State {
                record,
                asks: Vec::new(),
                used: BTreeSet::new(),
                messages: VecDeque::new(),
                waiters: Vec::new(),
                next_waiter: 0,
            }),
            steps: Steps::default(),
            changed: Event::new(),
            stopped: AtomicBool::new(false),
            driver: AtomicWaker::new(),
            request: None,
        }
    }

    /// Holds the room of its request until it is forgotten.
    pub(super) fn keeping(mut self, request: KeptRequest) -> Self {
        self.request = Some(request);
        self
    }

    /// What the store knows of it.
    pub(crate) fn record(&self) -> Arc<TaskRecord> {
        Arc::clone(&self.lock().record)
    }

    /// Notes what the store knows now; tells whether that is news. Of two steps at the same time, what the earlier
    /// one led to may be heard of last: nothing comes after the end.
    pub(super) fn update(&self, record: &TaskRecord) -> bool {
        let mut state = self.lock();
        if state.record.is_settled() {
            return false;
        }
        state.record = Arc::new(record.clone());
        drop(state);
        self.changed.notify(usize::MAX);
        true
    }

    /// Ends the handler, because nobody wants its result any more.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.driver.wake();
        self.changed.notify(usize::MAX);
    }

    /// Tells whether the handler is to end; the waker is called when it is.
    pub(super) fn poll_stopped(&self, context: &Context<'_>) -> bool {
        self.driver.register(context.waker());
        self.stopped.load(Ordering::Acquire)
    }

    /// Says in a sentence what the handler is doing.
    pub(crate) fn say(&self, message: &str) {
        let message = message.chars().take(MESSAGE_CHARS).collect::<String>();
        self.steps.add(TaskStep::Note { message: Some(message.into()) }, Then::Nothing);
    }

    /// The client that began it, while it is there.
    pub(super) fn client(&self) -> Option<Arc<LiveSession>> {
        self.client.as_ref()?.upgrade()
    }

    /// What waits for the next change.
    pub(super) fn listen(&self) -> EventListener {
        self.changed.listen()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for RunningTask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RunningTask").field("id", &self.id).finish_non_exhaustive()
    }
}
