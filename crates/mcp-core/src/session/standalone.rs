//! The stream a client opens with GET: changes, and whatever else belongs to no request.

use super::{
    Journal, Working,
    holders::{Hold, Role},
};
use crate::{
    exchange::StreamEvent,
    lower,
    ports::{BoxFuture, Event, EventId, StoreError},
    subscription::{Pending, Registration},
};
use bytes::Bytes;
use std::{
    collections::VecDeque,
    fmt,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

/// How many GET streams of one session are open at once; the oldest ends beyond that.
///
/// More than one, so that a client which does not know that its connection broke can open another.
pub(super) const MOST_STREAMS: usize = 4;

/// A GET stream. The newest of a session sends, the others are there in case it breaks.
///
/// Spec: 2025-11-25, basic/transports#listening-for-messages-from-the-server.
pub(crate) struct Standalone {
    working: Working,
    registration: Arc<Registration>,
    hold: Hold,
    journal: Option<Journal>,
    /// Whether the client is given an id before anything happens.
    prime: Option<Duration>,
    /// Events that the client missed.
    missed: VecDeque<Event>,
    step: Step,
}

enum Step {
    Opening(BoxFuture<Result<(), StoreError>>),
    Waiting,
    Appending(BoxFuture<Result<Option<EventId>, StoreError>>, Option<Bytes>),
}

impl Standalone {
    pub(crate) fn new(
        working: Working,
        registration: Arc<Registration>,
        hold: Hold,
        journal: Option<Journal>,
        prime: Option<Duration>,
        missed: Vec<Event>,
    ) -> Self {
        let step = match &journal {
            Some(journal) => Step::Opening(journal.open()),
            None => Step::Waiting,
        };
        Self { working, registration, hold, journal, prime, missed: missed.into(), step }
    }

    pub(crate) fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<StreamEvent>> {
        loop {
            let role = self.hold.role(context.waker());
            if role == Role::Dismissed {
                return Poll::Ready(None);
            }
            if let Some(event) = self.missed.pop_front() {
                return Poll::Ready(Some(replayed(event)));
            }
            match &mut self.step {
                Step::Opening(opening) => {
                    if let Err(error) = ready!(opening.as_mut().poll(context)) {
                        tracing::warn!(%error, "the stream of a session cannot be resumed");
                        self.journal = None;
                    }
                    self.step = match (&self.journal, self.prime) {
                        (Some(journal), Some(_)) => Step::Appending(journal.append(Bytes::new()), None),
                        _ => Step::Waiting,
                    };
                }
                Step::Appending(appending, payload) => {
                    let id = ready!(appending.as_mut().poll(context)).unwrap_or_else(|error| {
                        tracing::warn!(%error, "an event is sent without having been kept");
                        None
                    });
                    let data = payload.take();
                    self.step = Step::Waiting;
                    let retry = self.prime.take().filter(|_| data.is_none());
                    if id.is_some() || data.is_some() {
                        return Poll::Ready(Some(StreamEvent { id, data, retry }));
                    }
                }
                Step::Waiting => {
                    let message = ready!(self.poll_change(role, context));
                    match (message, &self.journal) {
                        (None, _) => return Poll::Ready(None),
                        (Some(message), Some(journal)) => {
                            self.step = Step::Appending(journal.append(message.clone()), Some(message));
                        }
                        (Some(message), None) => {
                            return Poll::Ready(Some(StreamEvent::message(None, message)));
                        }
                    }
                }
            }
        }
    }

    /// The next change; none before the client has said that it is initialized.
    fn pending(&self, context: &Context<'_>) -> Option<Pending> {
        let subscriber = self.registration.subscriber();
        subscriber.wake_later(context.waker());
        let initialized = self.working.session.live.is_initialized();
        if initialized { subscriber.take(context.waker()) } else { None }
    }

    /// The next change to tell, `None` at the end of the server.
    fn poll_change(&self, role: Role, context: &Context<'_>) -> Poll<Option<Bytes>> {
        // The waker is registered before the look at the shutdown, so that neither is missed.
        let pending = match role {
            Role::Send => self.pending(context),
            _ => None,
        };
        if role == Role::Send && pending.is_none() {
            // A newer stream may have opened meanwhile, and its waker been replaced by this one's.
            self.hold.pass_on();
        }
        match pending {
            Some(change) => Poll::Ready(Some(change_message(&change))),
            None if self.working.server.is_shutting_down() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

impl Drop for Standalone {
    fn drop(&mut self) {
        // A change that was taken to be told is kept, so that a client which comes back hears of it.
        if let Step::Appending(appending, Some(_)) = std::mem::replace(&mut self.step, Step::Waiting) {
            self.working.server.runtime().spawn(Box::pin(async move {
                if let Err(error) = appending.await {
                    tracing::warn!(%error, "a change that was not told could not be kept");
                }
            }));
        }
    }
}

impl fmt::Debug for Standalone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Standalone").field("journal", &self.journal).finish_non_exhaustive()
    }
}

/// A change as a handshake client is told of it.
pub(crate) fn change_message(change: &Pending) -> Bytes {
    match change {
        Pending::List(list) => lower::list_changed(list.method(), None),
        Pending::Updated(uri) => lower::resource_updated(uri, None),
        Pending::Elicited(id) => lower::elicitation_complete(id),
        Pending::Task(task) => lower::task_status(task),
        Pending::OfTask(message) => message.clone(),
    }
}

/// An event that goes out again; one without payload carried nothing but its id.
pub(super) fn replayed(event: Event) -> StreamEvent {
    let data = Some(event.payload).filter(|payload| !payload.is_empty());
    StreamEvent { id: Some(event.id), data, retry: None }
}
