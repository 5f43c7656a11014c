//! The requests to one client that it has not answered.

use crate::jsonrpc::{IdKey, RequestId, Response};
use bytes::Bytes;
use futures_util::task::AtomicWaker;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
};

/// The open requests of this server to one client, by id.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    open: HashMap<i64, Arc<Slot>>,
    closed: bool,
}

#[derive(Debug, Default)]
struct Slot {
    outcome: Mutex<Option<Outcome>>,
    driver: AtomicWaker,
}

/// What became of a request to the client.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The `result`, as JSON text.
    Result(Bytes),
    Error {
        code: i64,
        message: Box<str>,
    },
    /// Nobody answers any more.
    Closed,
}

/// One open request; dropping it forgets the request, and an answer that comes later is ignored.
#[derive(Debug)]
pub(crate) struct Question {
    table: Arc<Questions>,
    pub(crate) id: i64,
    slot: Arc<Slot>,
}

/// Why no request can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoQuestion {
    TooMany,
    Closed,
}

impl Questions {
    /// Opens a request under an id, or the next that is free, unless `most` are open.
    pub(crate) fn open(self: &Arc<Self>, mut id: i64, most: usize) -> Result<Question, NoQuestion> {
        let slot = Arc::new(Slot::default());
        let mut state = self.lock();
        if state.closed {
            return Err(NoQuestion::Closed);
        }
        if state.open.len() >= most {
            return Err(NoQuestion::TooMany);
        }
        while state.open.contains_key(&id) {
            id = id.wrapping_add(1);
        }
        state.open.insert(id, Arc::clone(&slot));
        drop(state);
        Ok(Question { table: Arc::clone(self), id, slot })
    }

    /// Takes a response of the client; one to no open request is ignored, because it may cross a cancellation.
    pub(crate) fn answer(&self, response: &Response) {
        let id = match response.id().map(RequestId::key) {
            Some(IdKey::Number(id)) => Some(id),
            _ => None,
        };
        let Some(slot) = id.and_then(|id| self.lock().open.remove(&id)) else {
            tracing::debug!(id = ?response.id(), "a response to no open request is ignored");
            return;
        };
        slot.settle(match response.outcome() {
            // A copy: the message it came in may be much larger, and memory of it must not outlive it.
            Ok(result) => Outcome::Result(Bytes::copy_from_slice(result.raw().as_bytes())),
            Err(error) => Outcome::Error {
                code: error.get("code").and_then(|code| code.as_i64()).unwrap_or_default(),
                message: error
                    .get("message")
                    .and_then(|message| message.as_str())
                    .unwrap_or_default()
                    .chars()
                    .take(200)
                    .collect(),
            },
        });
    }

    /// The client is gone: every open request ends, and no other can be opened.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        let open: Vec<_> = state.open.drain().map(|(_, slot)| slot).collect();
        drop(state);
        open.iter().for_each(|slot| slot.settle(Outcome::Closed));
    }

    /// How many requests are open.
    pub(crate) fn len(&self) -> usize {
        self.lock().open.len()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    fn settle(&self, outcome: Outcome) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        self.driver.wake();
    }
}

impl Question {
    /// What became of it, once that is known; the waker is called then.
    pub(crate) fn poll(&self, waker: &Waker) -> Poll<Outcome> {
        self.slot.driver.register(waker);
        match self.slot.outcome.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(outcome) => Poll::Ready(outcome),
            None => Poll::Pending,
        }
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        let mut state = self.table.lock();
        if state.open.get(&self.id).is_some_and(|slot| Arc::ptr_eq(slot, &self.slot)) {
            state.open.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        json::JsonLimits,
        jsonrpc::{Incoming, decode},
    };
    use futures_util::task::noop_waker;

    fn answer(questions: &Questions, id: i64) {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"of":{id}}}}}"#);
        let Ok(Incoming::Response(response)) = decode(Bytes::from(text), &JsonLimits::default()) else {
            panic!("no response")
        };
        questions.answer(&response);
    }

    fn taken(question: &Question) -> Option<String> {
        match question.poll(&noop_waker()) {
            Poll::Ready(Outcome::Result(text)) => Some(String::from_utf8(text.to_vec()).unwrap()),
            Poll::Ready(other) => panic!("{other:?}"),
            Poll::Pending => None,
        }
    }

    #[test]
    fn an_id_that_is_taken_gives_way_to_the_next() {
        let questions = Arc::new(Questions::default());
        let all: Vec<_> = (0..3).map(|_| questions.open(7, 64).unwrap()).collect();
        assert_eq!(all.iter().map(|question| question.id).collect::<Vec<_>>(), [7, 8, 9]);
        answer(&questions, 8);
        assert_eq!(taken(&all[1]).as_deref(), Some(r#"{"of":8}"#));
        assert!(taken(&all[0]).is_none() && taken(&all[2]).is_none());
    }

    #[test]
    fn a_question_that_is_dropped_leaves_nothing() {
        let questions = Arc::new(Questions::default());
        let question = questions.open(7, 1).unwrap();
        assert_eq!(questions.open(8, 1).map(|other| other.id).unwrap_err(), NoQuestion::TooMany);
        answer(&questions, 7);
        assert_eq!(questions.len(), 0, "an answer frees the place before it is read");
        let next = questions.open(7, 1).unwrap();
        drop(question);
        assert_eq!(questions.len(), 1, "a question takes only itself away");
        drop(next);
        assert_eq!(questions.len(), 0);
        questions.close();
        assert_eq!(questions.open(1, 1).map(|other| other.id).unwrap_err(), NoQuestion::Closed);
    }
}
