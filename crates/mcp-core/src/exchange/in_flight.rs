//! The requests in flight of one peer, by id.

use crate::{
    jsonrpc::{IdKey, IncomingRequest},
    refusal::Refusal,
    server::Limits,
};
use foldhash::HashMap;
use futures_util::task::AtomicWaker;
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU8, Ordering},
    },
    task::Waker,
};

/// Requests in flight of a connection or a session.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    requests: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    by_id: HashMap<IdKey, Holders>,
    count: usize,
    /// The texts of all requests together.
    bytes: usize,
    /// The session ended: what comes now comes too late.
    ended: bool,
}

/// The requests that carry one id: one, unless a client over HTTP uses an id twice.
#[derive(Debug)]
struct Holders {
    first: Arc<Cancel>,
    others: Vec<Arc<Cancel>>,
}

#[derive(Debug, Default)]
struct Cancel {
    cause: AtomicU8,
    driver: AtomicWaker,
}

/// Why a request is not served to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CancelCause {
    /// The client cancelled it: nothing may be sent any more.
    Client,
    /// Its session ended: whoever still waits is told so.
    SessionEnd,
}

/// A request's place; dropping it frees the id.
#[derive(Debug)]
pub(crate) struct Place {
    table: Arc<InFlight>,
    key: IdKey,
    held: Arc<Cancel>,
    bytes: usize,
    /// What stops the request: nothing does when it is shielded.
    cancel: Option<Arc<Cancel>>,
}

/// Tells, without the exchange at hand, whether its request was cancelled.
///
/// A transport that queues messages asks just before it writes one: after a cancellation nothing may go out.
#[derive(Clone, Debug)]
pub struct CancelFlag(Option<Arc<Cancel>>);

impl CancelFlag {
    /// Tells whether the client cancelled the request.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.as_ref().is_some_and(|cancel| cancel.cause() == Some(CancelCause::Client))
    }
}

impl Cancel {
    fn cause(&self) -> Option<CancelCause> {
        match self.cause.load(Ordering::Acquire) {
            0 => None,
            1 => Some(CancelCause::Client),
            _ => Some(CancelCause::SessionEnd),
        }
    }

    fn set(&self, cause: CancelCause) {
        let code = match cause {
            CancelCause::Client => 1,
            CancelCause::SessionEnd => 2,
        };
        // The first cause stays.
        let _ = self.cause.compare_exchange(0, code, Ordering::AcqRel, Ordering::Acquire);
        self.driver.wake();
    }
}

impl InFlight {
    /// Takes the place of a request's id.
    ///
    /// # Errors
    /// [`Refusal::DuplicateId`] while another request holds it, and [`Refusal::Limit`].
    pub(crate) fn take(
        self: &Arc<Self>,
        request: &IncomingRequest,
        limits: &Limits,
    ) -> Result<Place, Refusal> {
        let (state, key, bytes) = (self.lock(), request.id.key(), request.text_bytes());
        state.check_room(bytes, limits)?;
        if state.by_id.contains_key(&key) {
            return Err(Refusal::DuplicateId);
        }
        Ok(self.add(state, key, bytes))
    }

    /// Takes a place beside whatever else holds the id: each answer goes to the connection that asked, so
    /// that two requests with one id cannot be taken for each other.
    ///
    /// # Errors
    /// [`Refusal::Limit`].
    pub(crate) fn share(
        self: &Arc<Self>,
        request: &IncomingRequest,
        limits: &Limits,
    ) -> Result<Place, Refusal> {
        let (state, bytes) = (self.lock(), request.text_bytes());
        state.check_room(bytes, limits)?;
        Ok(self.add(state, request.id.key(), bytes))
    }

    fn add(self: &Arc<Self>, mut state: MutexGuard<'_, State>, key: IdKey, bytes: usize) -> Place {
        let held = Arc::new(Cancel::default());
        state.count += 1;
        state.bytes += bytes;
        if state.ended {
            held.set(CancelCause::SessionEnd);
        }
        match state.by_id.get_mut(&key) {
            Some(holders) => holders.others.push(Arc::clone(&held)),
            None => {
                let holders = Holders { first: Arc::clone(&held), others: Vec::new() };
                state.by_id.insert(key.clone(), holders);
            }
        }
        drop(state);
        Place { table: Arc::clone(self), key, bytes, cancel: Some(Arc::clone(&held)), held }
    }

    /// Cancels the requests of an id; unknown ids are ignored, because a cancellation may cross the reply.
    pub(crate) fn cancel(&self, key: &IdKey) -> bool {
        let state = self.lock();
        let Some(holders) = state.by_id.get(key) else { return false };
        let all: Vec<_> = std::iter::once(&holders.first).chain(&holders.others).cloned().collect();
        drop(state);
        all.iter().for_each(|cancel| cancel.set(CancelCause::Client));
        true
    }

    /// Ends every request, now and from now on, because the session ended.
    pub(crate) fn end_all(&self) {
        let mut state = self.lock();
        state.ended = true;
        let all: Vec<_> = state
            .by_id
            .values()
            .flat_map(|holders| std::iter::once(&holders.first).chain(&holders.others))
            .cloned()
            .collect();
        drop(state);
        all.iter().for_each(|cancel| cancel.set(CancelCause::SessionEnd));
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().count
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Refuses a request for which there is no room.
    fn check_room(&self, bytes: usize, limits: &Limits) -> Result<(), Refusal> {
        if self.count >= limits.requests_in_flight {
            return Err(Refusal::Limit { setting: "limits.requests_in_flight" });
        }
        // What is in flight by itself was bounded when it was read.
        if self.count > 0 && self.bytes.saturating_add(bytes) > limits.bytes_in_flight {
            return Err(Refusal::Limit { setting: "limits.bytes_in_flight" });
        }
        Ok(())
    }
}

impl Place {
    pub(crate) fn flag(&self) -> CancelFlag {
        CancelFlag(self.cancel.clone())
    }

    /// Makes the request one that no cancellation reaches.
    pub(crate) fn shielded(mut self) -> Self {
        self.cancel = None;
        self
    }

    /// Why the request is to end, if it is; the waker is called when it will be.
    pub(crate) fn cancelled(&self, waker: &Waker) -> Option<CancelCause> {
        let cancel = self.cancel.as_ref()?;
        cancel.driver.register(waker);
        cancel.cause()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.table.lock();
        state.count -= 1;
        state.bytes -= self.bytes;
        let Some(holders) = state.by_id.get_mut(&self.key) else { return };
        if !Arc::ptr_eq(&holders.first, &self.held) {
            holders.others.retain(|other| !Arc::ptr_eq(other, &self.held));
        } else if let Some(next) = holders.others.pop() {
            holders.first = next;
        } else {
            state.by_id.remove(&self.key);
        }
    }
}
