//! A task whose handler runs in this process.

use super::steps::{StepNumber, Steps, Then};
use crate::{
    ask::{AskRequest, check_answer},
    context::{Asking, Caller},
    json::{Document, JsonLimits, RawJson},
    lower,
    ports::{TaskId, TaskOwner, TaskRecord, TaskStep},
    protocol::ClientCapabilities,
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
    waiters: Vec<Waiter>,
    next_waiter: u64,
}

/// A request that waits for the end of a task.
struct Waiter {
    number: u64,
    /// What its client can be asked on the stream of this request; `None` where nothing can be.
    asked: Option<(ProtocolVersion, ClientCapabilities)>,
    /// Whether its client is the one that began the task, whose progress token the messages name.
    began: bool,
}

/// A question of the handler.
struct TaskAsk {
    /// The author's key.
    key: Box<str>,
    /// Its key on the wire.
    wire: Box<str>,
    request: AskRequest,
    /// The request as it is shown.
    text: Bytes,
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

    /// Puts a question of the handler, if all that is asked is shown in at most so many bytes.
    pub(crate) fn ask(&self, key: &str, request: AskRequest, most_bytes: usize) -> bool {
        let text = lower::input_request(&request);
        let mut state = self.lock();
        let shown: usize = state.asks.iter().map(|ask| ask.text.len()).sum();
        if shown.saturating_add(text.len()) > most_bytes {
            return false;
        }
        let wire = state.fresh_key(key);
        let step = TaskStep::Ask { key: wire.clone(), request: text.clone(), replaces: None };
        self.steps.add(step, Then::Put(wire.clone()));
        state.asks.push(TaskAsk {
            key: key.into(),
            wire,
            request,
            text,
            renewals: 0,
            put: false,
            taken: false,
            answer: None,
            waker: None,
        });
        true
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
        if ask.answer.is_none() && !ask.taken {
            // With the lock: an answer that is judged now puts the question again before, or not at all.
            self.steps.add(TaskStep::Withdraw { key: ask.wire }, Then::Nothing);
        }
    }

    /// The store was told a step.
    pub(super) fn told(&self, then: Then) {
        let (wire, answer) = match then {
            Then::Nothing => return,
            Then::Put(wire) => (wire, None),
            Then::Deliver(wire, answer) => (wire, Some(answer)),
        };
        let mut state = self.lock();
        let Some(ask) = state.asks.iter_mut().find(|ask| *ask.wire == *wire) else { return };
        ask.put = true;
        if answer.is_some() {
            ask.answer = answer;
            let waker = ask.waker.take();
            drop(state);
            waker.into_iter().for_each(Waker::wake);
        } else {
            drop(state);
        }
        self.changed.notify(usize::MAX);
    }

    /// The questions that a client can know of and has not answered, as far as this one carries them: of those who
    /// wait the newest whose client can be asked such a thing.
    fn open_asks(&self, carrier: u64) -> Vec<OpenAsk> {
        let state = self.lock();
        let carries = |ask: &TaskAsk| {
            let mut newest_first = state.waiters.iter().rev();
            newest_first.find(|waiter| waiter.can_be_asked(&ask.request)).map(|waiter| waiter.number)
                == Some(carrier)
        };
        let open = |ask: &&TaskAsk| ask.put && !ask.taken && ask.answer.is_none() && carries(ask);
        let asks = state.asks.iter().filter(open);
        asks.map(|ask| OpenAsk { wire: ask.wire.clone(), request: ask.request.clone() }).collect()
    }

    /// Judges the client's result for a question; `None` when there is no such question.
    ///
    /// The store is told first, so that whoever asks next sees it, and then the handler; whoever brings the answer
    /// need not stay for that. One that does not fit counts as none: the question is put again, under another key,
    /// because a client shows no question twice whose key it has answered.
    pub(super) fn judge(&self, wire: &str, text: &str) -> Option<StepNumber> {
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
        let Some(fault) = fault else {
            return self.take(&mut state, place, TaskAnswer::Fits(RawJson::from_checked(text.to_owned())));
        };
        if renewals >= self.most_renewals {
            return self.take(&mut state, place, TaskAnswer::Unfit(fault.into()));
        }
        tracing::debug!(task = ?self.id, key = &*key, fault, "an answer does not fit and is asked for again");
        let renewed = state.fresh_key(&key);
        let ask = state.asks.get_mut(place)?;
        ask.renewals += 1;
        ask.put = false;
        let old = std::mem::replace(&mut ask.wire, renewed.clone());
        let step = TaskStep::Ask { key: renewed.clone(), request: ask.text.clone(), replaces: Some(old) };
        Some(self.steps.add(step, Then::Put(renewed)))
    }

    /// Takes the client's error for a question; `None` when there is no such question.
    pub(super) fn refuse(&self, wire: &str, code: i64, message: Box<str>) -> Option<StepNumber> {
        let mut state = self.lock();
        let place = state.answerable(wire)?;
        self.take(&mut state, place, TaskAnswer::Error { code, message })
    }

    /// Takes what became of a question; with the lock, so that it is told in the order it happened.
    fn take(&self, state: &mut State, place: usize, answer: TaskAnswer) -> Option<StepNumber> {
        let ask = state.asks.get_mut(place)?;
        ask.taken = true;
        let step = TaskStep::Withdraw { key: ask.wire.clone() };
        Some(self.steps.add(step, Then::Deliver(ask.wire.clone(), answer)))
    }

    /// Takes a message of the handler for whoever waits for the task.
    ///
    /// Spec: 2025-11-25, basic/utilities/tasks#task-progress-notifications; the extension has none.
    pub(super) fn relay(&self, message: Bytes) {
        if !self.version.has(Feature::CoreTasks) {
            return;
        }
        let mut state = self.lock();
        if !state.waiters.iter().any(|waiter| waiter.began) {
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

    /// The client that began it, while it is there.
    pub(super) fn client(&self) -> Option<Arc<LiveSession>> {
        self.client.as_ref()?.upgrade()
    }

    /// What waits for the next change.
    pub(super) fn listen(&self) -> EventListener {
        self.changed.listen()
    }

    /// Waits for its end, as a request of this caller; the newest who does and can be asked carries its questions.
    pub(super) fn attach(self: &Arc<Self>, caller: &Caller) -> Attached {
        let (asked, session) = match &caller.asking {
            Asking::Live(session) => (Some((caller.version, caller.capabilities.clone())), Some(session)),
            Asking::Nobody(session) => (None, session.as_ref()),
            Asking::Rounds(_) => (None, None),
        };
        let began = match (self.client(), session) {
            (Some(client), Some(session)) => Arc::ptr_eq(&client, session),
            (client, _) => client.is_none(),
        };
        let mut state = self.lock();
        let number = state.next_waiter;
        state.next_waiter += 1;
        state.waiters.push(Waiter { number, asked, began });
        drop(state);
        self.changed.notify(usize::MAX);
        Attached { task: Arc::clone(self), number, began }
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

impl Waiter {
    fn can_be_asked(&self, request: &AskRequest) -> bool {
        let missing =
            |(version, capabilities): &(_, _)| request.missing_capability(*version, capabilities).is_some();
        self.asked.as_ref().is_some_and(|asked| !missing(asked))
    }
}

/// Someone who waits for the end of a task.
pub(super) struct Attached {
    task: Arc<RunningTask>,
    number: u64,
    began: bool,
}

impl Attached {
    /// The open questions that this one is to carry to its client.
    pub(super) fn open_asks(&self) -> Vec<OpenAsk> {
        self.task.open_asks(self.number)
    }

    /// Takes the oldest message of the handler, where it is for this client.
    pub(super) fn take_message(&self) -> Option<Bytes> {
        self.began.then(|| self.task.lock().messages.pop_front()).flatten()
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.task.lock().waiters.retain(|waiter| waiter.number != self.number);
        self.task.changed.notify(usize::MAX);
    }
}

impl fmt::Debug for RunningTask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RunningTask").field("id", &self.id).finish_non_exhaustive()
    }
}
