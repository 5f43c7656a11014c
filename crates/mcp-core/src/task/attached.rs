//! Those who wait for the end of a running task, and what they hear meanwhile.

use super::{questions::OpenAsk, running::RunningTask};
use crate::{
    ask::AskRequest,
    context::{Asking, Caller},
    protocol::ClientCapabilities,
    version::{Feature, ProtocolVersion},
};
use bytes::Bytes;
use std::sync::Arc;

/// How many messages of the handler wait for a client that waits for the task; the oldest is dropped beyond that.
const MOST_MESSAGES: usize = 64;

/// A request that waits for the end of a task.
pub(super) struct Waiter {
    pub(super) number: u64,
    /// What its client can be asked on the stream of this request; `None` where nothing can be.
    asked: Option<(ProtocolVersion, ClientCapabilities)>,
    /// Whether its client is the one that began the task, whose progress token the messages name.
    began: bool,
}

impl Waiter {
    pub(super) fn can_be_asked(&self, request: &AskRequest) -> bool {
        let missing =
            |(version, capabilities): &(_, _)| request.missing_capability(*version, capabilities).is_some();
        self.asked.as_ref().is_some_and(|asked| !missing(asked))
    }
}

impl RunningTask {
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
