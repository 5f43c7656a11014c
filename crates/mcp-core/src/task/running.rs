//! A task whose handler runs in this process.

use super::steps::Steps;
use crate::{
    ask::{AskRequest, check_answer},
    json::{Document, JsonLimits, RawJson},
    lower,
    ports::{TaskId, TaskOwner, TaskRecord, TaskStep},
    session::LiveSession,
    version::{Feature, ProtocolVersion},
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
    task::{Context, Poll, Waker},
    time::SystemTime,
};

/// How many messages of the handler wait for a client that waits for the task; the oldest is dropped beyond that.
const MOST_MESSAGES: usize = 64;

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
    most_renewals: u32,
    state: Mutex<State>,
    /// What the store is told next.
    pub(super) steps: Steps,
    /// Notified whenever something of it changed.
    pub(super) changed: Event,
    stopped: AtomicBool,
    driver: AtomicWaker,
}

struct State {
    /// What the store knows.
    record: Arc<TaskRecord>,
    asks: Vec<TaskAsk>,
    /// Keys that were used on the wire: each names one question for ever.
    used: BTreeSet<Box<str>>,
    messages: VecDeque<Bytes>,
    /// Those who wait for its end, the newest last.
    waiters: Vec<u64>,
    next_waiter: u64,
}

/// A question of the handler.
struct TaskAsk {
    /// The author's key.
    key: Box<str>,
    /// Its key on the wire.
    wire: Box<str>,
    request: AskRequest,
    renewals: u32,
    /// The store knows it, and so may a client.
    put: bool,
    /// An answer is on its way to the store.
    taken: bool,
    answer: Option<TaskAnswer>,
    waker: Option<Waker>,
}

/// What became of a question.
#[derive(Debug)]
pub(crate) enum TaskAnswer {
    /// The client's result, which fits.
    Fits(RawJson),
    /// The client's error.
    Error { code: i64, message: Box<str> },
    /// The client's answers did not fit too often; why the last one did not.
    Unfit(Box<str>),
}

/// A question as those see it who carry it to the client.
#[derive(Debug)]
pub(crate) struct OpenAsk {
    pub(crate) wire: Box<str>,
    pub(crate) request: AskRequest,
}

/// What is told the store of an answer, and what the handler hears then.
pub(super) struct Judged {
    pub(super) step: TaskStep,
    wire: Box<str>,
    answer: Option<TaskAnswer>,
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
        }
    }

    /// What the store knows of it.
    pub(crate) fn record(&self) -> Arc<TaskRecord> {
        Arc::clone(&self.lock().record)
    }

    /// Notes what the store knows now.
    pub(super) fn update(&self, record: TaskRecord) -> Arc<TaskRecord> {
        let record = Arc::new(record);
        self.lock().record = Arc::clone(&record);
        self.changed.notify(usize::MAX);
        record
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
        self.steps.add(TaskStep::Note { message: Some(message.into()) });
    }

    /// Puts a question of the handler.
    pub(crate) fn ask(&self, key: &str, request: AskRequest) {
        let mut state = self.lock();
        let wire = state.fresh_key(key);
        let step = ask_step(&wire, &request, None);
        state.asks.push(TaskAsk {
            key: key.into(),
            wire,
            request,
            renewals: 0,
            put: false,
            taken: false,
            answer: None,
            waker: None,
        });
        drop(state);
        self.steps.add(step);
    }

    /// How many questions the handler waits for.
    pub(crate) fn open_questions(&self) -> usize {
        self.lock().asks.len()
    }

    /// What became of a question, once that is known; the waker is called then.
    pub(crate) fn poll_answer(&self, key: &str, waker: &Waker) -> Poll<Option<TaskAnswer>> {
        let mut state = self.lock();
        let Some(place) = state.asks.iter().position(|ask| *ask.key == *key) else {
            return Poll::Ready(None);
        };
        match state.asks.get_mut(place) {
            Some(ask) if ask.answer.is_none() => {
                ask.waker = Some(waker.clone());
                Poll::Pending
            }
            _ => Poll::Ready(state.asks.remove(place).answer),
        }
    }

    /// Takes a question back.
    pub(crate) fn withdraw(&self, key: &str) {
        let mut state = self.lock();
        let Some(place) = state.asks.iter().position(|ask| *ask.key == *key) else { return };
        let ask = state.asks.remove(place);
        drop(state);
        if ask.answer.is_none() && !ask.taken {
            self.steps.add(TaskStep::Withdraw { key: ask.wire });
        }
    }

    /// The store knows the question of a key on the wire.
    pub(super) fn is_put(&self, wire: &str) {
        if let Some(ask) = self.lock().asks.iter_mut().find(|ask| *ask.wire == *wire) {
            ask.put = true;
        }
        self.changed.notify(usize::MAX);
    }

    /// The questions that a client can know of and has not answered.
    pub(super) fn open_asks(&self) -> Vec<OpenAsk> {
        let open = |ask: &&TaskAsk| ask.put && !ask.taken && ask.answer.is_none();
        let state = self.lock();
        let asks = state.asks.iter().filter(open);
        asks.map(|ask| OpenAsk { wire: ask.wire.clone(), request: ask.request.clone() }).collect()
    }

    /// Judges the client's result for a question; `None` when there is no such question.
    ///
    /// One that does not fit counts as none: the question is put again, under another key, because a client shows
    /// no question twice whose key it has answered.
    pub(super) fn judge(&self, wire: &str, text: &str) -> Option<Judged> {
        let mut state = self.lock();
        let place = state.answerable(wire)?;
        let fault = {
            let ask = state.asks.get(place)?;
            // What comes in has been within the limits of a message already.
            let document = Document::parse(Bytes::copy_from_slice(text.as_bytes()), &JsonLimits::widest());
            let fits = document.map_err(|fault| fault.to_string()).and_then(|document| {
                check_answer(&ask.request, document.root()).map_err(|fault| fault.to_string())
            });
            fits.err()
        };
        let (key, renewals) = state.asks.get(place).map(|ask| (ask.key.clone(), ask.renewals))?;
        let renewed = (fault.is_some() && renewals < self.most_renewals).then(|| state.fresh_key(&key));
        let ask = state.asks.get_mut(place)?;
        let old: Box<str> = ask.wire.clone();
        let judged = match (fault, renewed) {
            (None, _) => {
                ask.taken = true;
                let answer = Some(TaskAnswer::Fits(RawJson::from_checked(text.to_owned())));
                Judged { step: TaskStep::Withdraw { key: old.clone() }, wire: old, answer }
            }
            (Some(fault), Some(renewed)) => {
                tracing::debug!(task = ?self.id, key = &*ask.key, fault, "an answer does not fit and is asked for again");
                ask.renewals += 1;
                ask.wire = renewed;
                ask.put = false;
                let step = ask_step(&ask.wire, &ask.request, Some(old));
                Judged { step, wire: ask.wire.clone(), answer: None }
            }
            (Some(fault), None) => {
                ask.taken = true;
                let answer = Some(TaskAnswer::Unfit(fault.into()));
                Judged { step: TaskStep::Withdraw { key: old.clone() }, wire: old, answer }
            }
        };
        Some(judged)
    }

    /// Takes the client's error for a question; `None` when there is no such question.
    pub(super) fn refuse(&self, wire: &str, code: i64, message: Box<str>) -> Option<Judged> {
        let mut state = self.lock();
        let place = state.answerable(wire)?;
        let ask = state.asks.get_mut(place)?;
        ask.taken = true;
        let answer = Some(TaskAnswer::Error { code, message });
        Some(Judged { step: TaskStep::Withdraw { key: wire.into() }, wire: wire.into(), answer })
    }

    /// Gives the handler what was judged, once the store knows it.
    pub(super) fn deliver(&self, judged: Judged) {
        let mut state = self.lock();
        let Some(ask) = state.asks.iter_mut().find(|ask| *ask.wire == *judged.wire) else { return };
        match judged.answer {
            Some(answer) => {
                ask.answer = Some(answer);
                let waker = ask.waker.take();
                drop(state);
                waker.into_iter().for_each(Waker::wake);
            }
            None => {
                ask.put = true;
                drop(state);
            }
        }
        self.changed.notify(usize::MAX);
    }

    /// Takes a message of the handler for whoever waits for the task.
    ///
    /// Spec: 2025-11-25, basic/utilities/tasks#task-progress-notifications; the extension has none.
    pub(super) fn relay(&self, message: Bytes) {
        if !self.version.has(Feature::CoreTasks) {
            return;
        }
        let mut state = self.lock();
        if state.waiters.is_empty() {
            drop(state);
            if let Some(registration) = self.client().and_then(|client| client.existing_registration()) {
                registration.subscriber().task_message(message);
            }
            return;
        }
        if state.messages.len() >= MOST_MESSAGES {
            state.messages.pop_front();
        }
        state.messages.push_back(message);
        drop(state);
        self.changed.notify(usize::MAX);
    }

    /// Takes the oldest message of the handler.
    pub(super) fn take_message(&self) -> Option<Bytes> {
        self.lock().messages.pop_front()
    }

    /// The client that began it, while it is there.
    pub(super) fn client(&self) -> Option<Arc<LiveSession>> {
        self.client.as_ref()?.upgrade()
    }

    /// What waits for the next change.
    pub(super) fn listen(&self) -> EventListener {
        self.changed.listen()
    }

    /// Waits for its end; the newest who does carries its questions.
    pub(super) fn attach(self: &Arc<Self>) -> Attached {
        let mut state = self.lock();
        let number = state.next_waiter;
        state.next_waiter += 1;
        state.waiters.push(number);
        drop(state);
        self.changed.notify(usize::MAX);
        Attached { task: Arc::clone(self), number }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// A key for the wire that has never been used.
    fn fresh_key(&mut self, key: &str) -> Box<str> {
        let mut wire: Box<str> = key.into();
        let mut number = 2_u32;
        while self.used.contains(&wire) {
            wire = format!("{key}#{number}").into();
            number += 1;
        }
        self.used.insert(wire.clone());
        wire
    }

    fn answerable(&self, wire: &str) -> Option<usize> {
        let open = |ask: &TaskAsk| *ask.wire == *wire && ask.put && !ask.taken && ask.answer.is_none();
        self.asks.iter().position(open)
    }
}

/// Someone who waits for the end of a task.
pub(super) struct Attached {
    task: Arc<RunningTask>,
    number: u64,
}

impl Attached {
    /// Tells whether nobody came after.
    pub(super) fn is_newest(&self) -> bool {
        self.task.lock().waiters.last() == Some(&self.number)
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.task.lock().waiters.retain(|number| *number != self.number);
        self.task.changed.notify(usize::MAX);
    }
}

fn ask_step(wire: &str, request: &AskRequest, replaces: Option<Box<str>>) -> TaskStep {
    TaskStep::Ask { key: wire.into(), request: lower::input_request(request), replaces }
}

impl fmt::Debug for RunningTask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RunningTask").field("id", &self.id).finish_non_exhaustive()
    }
}
