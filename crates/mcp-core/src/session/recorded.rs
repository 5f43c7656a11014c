//! The stream of a call in a session: each message goes into the event log before it goes out.

use super::{
    Journal, SessionWork,
    holders::{Growing, Hold, Role},
};
use crate::{
    exchange::{Exchange, Outgoing, StreamControl, StreamEvent},
    ports::{BoxFuture, EventId, StoreError},
    version::Feature,
};
use bytes::Bytes;
use std::{
    fmt,
    future::poll_fn,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

/// A call that is answered as a stream which the client can resume.
///
/// Spec: 2025-11-25, basic/transports#resumability-and-redelivery.
pub(crate) struct Recorded {
    work: Box<SessionWork>,
    exchange: Exchange,
    first: Option<Outgoing>,
    /// `None` where the log took no further stream: the call is served all the same.
    journal: Option<Journal>,
    /// The response that carries the stream; gone when the client is.
    hold: Option<Hold>,
    /// Without a response, too, the log is not to forget the stream while the call runs.
    _growing: Growing,
    retry: Duration,
    step: Step,
}

enum Step {
    Opening(BoxFuture<Result<(), StoreError>>),
    Serving,
    Appending { appending: BoxFuture<Result<Option<EventId>, StoreError>>, payload: Bytes, last: bool },
    Closing(BoxFuture<()>),
    Over,
}

impl Recorded {
    pub(super) fn new(
        work: Box<SessionWork>,
        exchange: Exchange,
        first: Option<Outgoing>,
        journal: Journal,
        retry: Duration,
    ) -> Self {
        let holders = &work.working.session.holders;
        let hold = Some(holders.take_over(journal.stream().clone()));
        let growing = holders.grow(journal.stream().clone());
        let step = Step::Opening(journal.open());
        Self { work, exchange, first, journal: Some(journal), hold, _growing: growing, retry, step }
    }

    /// Polls for the next event; `None` when the response is over, which the call need not be.
    pub(crate) fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<StreamEvent>> {
        loop {
            if self.is_dismissed(context) {
                return Poll::Ready(None);
            }
            match &mut self.step {
                Step::Opening(opening) => {
                    let opened = ready!(opening.as_mut().poll(context));
                    self.step = Step::Serving;
                    if let Some(priming) = self.opened(opened) {
                        return Poll::Ready(Some(priming));
                    }
                }
                Step::Serving => {
                    if let Some(event) = ready!(self.poll_exchange(context)) {
                        return Poll::Ready(event);
                    }
                }
                Step::Appending { appending, payload, last } => {
                    let id = ready!(appending.as_mut().poll(context)).unwrap_or_else(|error| {
                        tracing::warn!(%error, "an event is sent without having been kept");
                        None
                    });
                    let event = StreamEvent::message(id, std::mem::take(payload));
                    self.step = match &self.journal {
                        Some(journal) if *last => Step::Closing(journal.close()),
                        _ => Step::Serving,
                    };
                    if self.is_dismissed(context) {
                        return Poll::Ready(None);
                    }
                    return Poll::Ready(Some(event));
                }
                Step::Closing(closing) => {
                    ready!(closing.as_mut().poll(context));
                    self.step = Step::Over;
                }
                Step::Over => return Poll::Ready(None),
            }
        }
    }

    /// The client resumed the stream elsewhere, and hears the rest there. At the end of the session nobody else
    /// carries it: the call ends, too, and whoever waits here is told.
    fn is_dismissed(&mut self, context: &Context<'_>) -> bool {
        let dismissed = self.hold.as_ref().is_some_and(|hold| hold.role(context.waker()) == Role::Dismissed);
        if dismissed {
            self.hold = None;
        }
        dismissed && !self.work.working.session.is_ended()
    }

    /// The event by which a client can resume before anything has been said.
    fn opened(&mut self, outcome: Result<(), StoreError>) -> Option<StreamEvent> {
        if let Err(error) = outcome {
            tracing::warn!(%error, "a call's stream cannot be resumed");
            self.journal = None;
        }
        let journal = self.journal.as_ref().filter(|_| self.work.version.has(Feature::PrimingEvents))?;
        let id = EventId::opening(journal.stream().clone());
        Some(StreamEvent { id: Some(id), data: None, retry: Some(self.retry) })
    }

    /// Takes the next message of the exchange; gives the event to send, when there is one at once.
    fn poll_exchange(&mut self, context: &mut Context<'_>) -> Poll<Option<Option<StreamEvent>>> {
        let next = match self.first.take() {
            Some(first) => Some(first),
            None => ready!(self.exchange.poll_message(context)),
        };
        let (payload, last) = match next {
            Some(Outgoing::Notification(json) | Outgoing::Request(json)) => (json, false),
            Some(Outgoing::Reply(reply)) => (reply.body, true),
            Some(Outgoing::Stream(StreamControl::Close)) if self.may_close() => {
                self.hold = None;
                return Poll::Ready(Some(None));
            }
            Some(Outgoing::Stream(_)) => return Poll::Ready(None),
            None => {
                self.step = match &self.journal {
                    Some(journal) => Step::Closing(journal.close()),
                    None => Step::Over,
                };
                return Poll::Ready(None);
            }
        };
        match &self.journal {
            Some(journal) => {
                let appending = journal.append(payload.clone());
                self.step = Step::Appending { appending, payload, last };
                Poll::Ready(None)
            }
            None => {
                if last {
                    self.step = Step::Over;
                }
                Poll::Ready(Some(Some(StreamEvent::message(None, payload))))
            }
        }
    }

    /// Only a client that was given an id, and knows that servers close streams, comes back for the rest.
    fn may_close(&self) -> bool {
        self.hold.is_some() && self.journal.is_some() && self.work.version.has(Feature::PrimingEvents)
    }

    /// Serves the rest without a response; all of it goes into the log.
    pub(crate) fn detach(mut self: Box<Self>) {
        if matches!(self.step, Step::Over) {
            return;
        }
        self.hold = None;
        let runtime = Arc::clone(self.work.working.server.runtime());
        let detached = self.work.detached();
        runtime.spawn(Box::pin(async move {
            let _detached = detached;
            poll_fn(|context| {
                while ready!(self.poll_event(context)).is_some() {}
                Poll::Ready(())
            })
            .await;
        }));
    }
}

impl fmt::Debug for Recorded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Recorded").field("journal", &self.journal).finish_non_exhaustive()
    }
}
