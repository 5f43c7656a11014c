//! A stream that is taken up where it broke.

use super::{
    Journal, Working,
    holders::{Hold, Role},
    standalone::replayed,
};
use crate::{
    exchange::StreamEvent,
    ports::{BoxFuture, Event, Replay, StoreError, StreamLife},
};
use event_listener::EventListener;
use std::{
    collections::VecDeque,
    fmt,
    future::Future as _,
    pin::Pin,
    task::{Context, Poll, ready},
};

/// The rest of a call's stream: what was missed, and what is still to come.
///
/// Spec: 2025-11-25, basic/transports#resumability-and-redelivery.
pub(crate) struct Replayed {
    working: Working,
    hold: Hold,
    journal: Journal,
    events: VecDeque<Event>,
    /// The number of the last event that was taken from the log.
    position: u64,
    life: StreamLife,
    step: Step,
}

enum Step {
    Telling,
    Waiting(Pin<Box<EventListener>>),
    Looking(BoxFuture<Result<Option<Replay>, StoreError>>, Pin<Box<EventListener>>),
}

impl Replayed {
    pub(crate) fn new(working: Working, hold: Hold, journal: Journal, after: u64, first: Replay) -> Self {
        let mut this = Self {
            working,
            hold,
            journal,
            events: VecDeque::new(),
            position: after,
            life: StreamLife::Open,
            step: Step::Telling,
        };
        this.take(first);
        this
    }

    fn take(&mut self, replay: Replay) {
        if let Some(last) = replay.events.last() {
            self.position = last.id.number;
        }
        self.events = replay.events.into();
        self.life = replay.life;
    }

    pub(crate) fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<StreamEvent>> {
        loop {
            if self.hold.role(context.waker()) == Role::Dismissed || self.working.session.is_ended() {
                return Poll::Ready(None);
            }
            match &mut self.step {
                Step::Telling => {
                    if let Some(event) = self.events.pop_front() {
                        return Poll::Ready(Some(replayed(event)));
                    }
                    if self.life == StreamLife::Closed {
                        return Poll::Ready(None);
                    }
                    // Heard before the look, so that an event between the two is not missed.
                    let listener = Box::pin(self.journal.appended().listen());
                    self.step = Step::Looking(self.journal.replay(self.position), listener);
                }
                Step::Looking(looking, _) => {
                    let found = match ready!(looking.as_mut().poll(context)) {
                        Ok(Some(replay)) => replay,
                        Ok(None) => return Poll::Ready(None),
                        Err(error) => {
                            tracing::warn!(%error, "a resumed stream ends: its events cannot be read");
                            return Poll::Ready(None);
                        }
                    };
                    let nothing = found.events.is_empty() && found.life == StreamLife::Open;
                    self.take(found);
                    self.step = match std::mem::replace(&mut self.step, Step::Telling) {
                        Step::Looking(_, listener) if nothing => Step::Waiting(listener),
                        _ => Step::Telling,
                    };
                }
                Step::Waiting(listener) => {
                    ready!(listener.as_mut().poll(context));
                    self.step = Step::Telling;
                }
            }
        }
    }
}

impl fmt::Debug for Replayed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Replayed").field("position", &self.position).finish_non_exhaustive()
    }
}
