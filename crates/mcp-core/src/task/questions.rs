//! What a running task asks, and what became of it.

use super::{
    running::{RunningTask, State},
    steps::{StepNumber, Then},
};
use crate::{
    ask::{AskRequest, check_answer},
    json::{Document, JsonLimits, RawJson},
    lower,
    ports::TaskStep,
};
use bytes::Bytes;
use std::task::{Poll, Waker};

/// A question of the handler.
pub(super) struct TaskAsk {
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
    pub(super) fn open_asks(&self, carrier: u64) -> Vec<OpenAsk> {
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
