//! A request while it is served.

use super::{
    Call, CancelCause, CancelFlag, EventSource, Events, Listen, Outgoing, Place, batch::BatchExchange,
    held::Held,
};
use crate::{
    lower::{self, Reply},
    ports::BoxFuture,
    refusal::Refusal,
    session::SessionWork,
    task::TaskWait,
};
use futures_core::Stream;
use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Instant,
};

/// A request being served.
///
/// Dropping it cancels the request: its handler's future is dropped, work it started elsewhere sees
/// [`Cancelled`](crate::extract::Cancelled), its dependencies are closed in the background. Only a request
/// of an HTTP session goes on without whoever carried it: there a client that leaves cancels nothing.
#[derive(Debug)]
#[must_use = "an exchange does nothing unless it is polled"]
pub struct Exchange {
    kind: Kind,
    /// The place among the requests in flight on a connection, given back on drop or cancellation.
    place: Option<Place>,
    session: Option<Box<SessionWork>>,
}

pub(super) enum Kind {
    Ready(Reply),
    Deferred(BoxFuture<Reply>),
    Call(Box<Call>),
    Listen(Box<Listen>),
    Batch(Box<BatchExchange>),
    Held(Box<Held>),
    /// `tasks/result`, which waits.
    Wait(Box<TaskWait>),
    Over,
}

impl Exchange {
    pub(super) fn of(kind: Kind) -> Self {
        Self { kind, place: None, session: None }
    }

    /// An exchange whose reply is there already.
    pub(crate) fn ready(reply: Reply) -> Self {
        Self::of(Kind::Ready(reply))
    }

    pub(crate) fn call(call: Call) -> Self {
        Self::of(Kind::Call(Box::new(call)))
    }

    pub(crate) fn listen(listen: Listen) -> Self {
        Self::of(Kind::Listen(Box::new(listen)))
    }

    pub(crate) fn wait(wait: TaskWait) -> Self {
        Self::of(Kind::Wait(Box::new(wait)))
    }

    /// An exchange whose reply takes a look into a store.
    pub(crate) fn deferred(reply: BoxFuture<Reply>) -> Self {
        Self::of(Kind::Deferred(reply))
    }

    pub(crate) fn keep_place(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Makes it a request of an HTTP session.
    pub(crate) fn in_session(mut self, work: SessionWork) -> Self {
        self.session = Some(Box::new(work));
        self
    }

    /// Tells whether this is a listen stream, which is open until one side ends it.
    #[must_use]
    pub fn is_listen(&self) -> bool {
        matches!(self.kind, Kind::Listen(_))
    }

    /// Ends the request at this time at the latest, by the clock of the server's runtime: a handler that still runs
    /// then is dropped, wherever it runs by then, and the reply is an error with the HTTP status 504.
    ///
    /// For transports that bound whole requests. A listen stream is open until one side ends it, and stays so.
    pub fn end_by(&mut self, deadline: Instant) {
        match &mut self.kind {
            Kind::Call(call) => call.end_by(deadline),
            Kind::Batch(batch) => batch.end_by(deadline),
            Kind::Held(held) => held.end_by(deadline),
            Kind::Wait(wait) => wait.end_by(deadline),
            Kind::Ready(_) | Kind::Deferred(_) | Kind::Listen(_) | Kind::Over => {}
        }
    }

    /// Tells whether something is still to be done before the reply is there.
    pub(crate) fn is_working(&self) -> bool {
        matches!(self.kind, Kind::Call(_) | Kind::Batch(_) | Kind::Held(_))
    }

    /// Tells whether it waits for a task: it is open for as long, and goes on for nobody.
    pub(crate) fn is_waiting(&self) -> bool {
        matches!(self.kind, Kind::Wait(_))
    }

    /// The flag of its cancellation; `None` where requests cannot be cancelled by id, and for a batch, whose
    /// requests are cancelled one by one.
    #[must_use]
    pub fn cancel_flag(&self) -> Option<CancelFlag> {
        self.place.as_ref().map(Place::flag)
    }

    /// Polls for the next message; `None` after the reply, or when the request was cancelled.
    ///
    /// After the reply the id stays taken until the exchange is dropped: keep it while the reply is queued,
    /// so that a cancellation still finds the request. The ids of a batch are free with its reply.
    pub fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        if let Some(cause) = self.place.as_ref().and_then(|place| place.cancelled(context.waker())) {
            // Only what may take long is stopped by the end of its session: anything else tells by itself.
            if cause == CancelCause::Client
                || matches!(self.kind, Kind::Call(_) | Kind::Held(_) | Kind::Wait(_))
            {
                return Poll::Ready(self.end_early(cause));
            }
        }
        if let Kind::Held(held) = &mut self.kind {
            self.kind = ready!(held.poll(context));
        }
        let next = match &mut self.kind {
            Kind::Call(call) => call.poll_message(context),
            Kind::Listen(listen) => listen.poll_message(context),
            Kind::Batch(batch) => batch.poll_message(context),
            Kind::Wait(wait) => wait.poll_message(context),
            Kind::Deferred(reply) => reply.as_mut().poll(context).map(|reply| Some(Outgoing::Reply(reply))),
            Kind::Ready(_) => match std::mem::replace(&mut self.kind, Kind::Over) {
                Kind::Ready(reply) => Poll::Ready(Some(Outgoing::Reply(reply))),
                _ => Poll::Ready(None),
            },
            // What was held back is never held back again.
            Kind::Held(_) | Kind::Over => Poll::Ready(None),
        };
        if matches!(next, Poll::Ready(None | Some(Outgoing::Reply(_)))) {
            self.kind = Kind::Over;
        }
        next
    }

    /// Drops the request; of the end of its session whoever waits is told.
    fn end_early(&mut self, cause: CancelCause) -> Option<Outgoing> {
        let kind = std::mem::replace(&mut self.kind, Kind::Over);
        self.place = None;
        match (cause, kind) {
            (CancelCause::SessionEnd, Kind::Call(call)) => {
                let reply = lower::refusal(Some(call.request_id()), &Refusal::UnknownSession, None);
                Some(Outgoing::Reply(reply))
            }
            (CancelCause::SessionEnd, Kind::Held(held)) => {
                let reply = lower::refusal(Some(held.request_id()), &Refusal::UnknownSession, None);
                Some(Outgoing::Reply(reply))
            }
            (CancelCause::SessionEnd, Kind::Wait(wait)) => {
                Some(Outgoing::Reply(wait.refused(&Refusal::UnknownSession)))
            }
            _ => None,
        }
    }

    /// What it is, when nothing has been added to it.
    pub(super) fn into_kind(mut self) -> Kind {
        std::mem::replace(&mut self.kind, Kind::Over)
    }

    /// Tells whether a client that loses the response can come back for the rest of it.
    #[must_use]
    pub fn is_resumable(&self) -> bool {
        // Who waits for a task comes back by asking again.
        !self.is_waiting() && self.session.as_ref().is_some_and(|work| work.is_resumable())
    }

    /// Carries it as an event stream; `first` is a message that was taken from it already.
    pub fn into_events(mut self, first: Option<Outgoing>) -> Events {
        let session = if self.is_waiting() { None } else { self.session.take() };
        match session {
            Some(work) => work.into_events(self, first),
            None => Events::of(EventSource::Plain { exchange: Box::new(self), first }),
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let Some(work) = self.session.take() else { return };
        if self.is_working() {
            let kind = std::mem::replace(&mut self.kind, Kind::Over);
            work.finish(Self { kind, place: self.place.take(), session: None });
        }
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready(reply) => formatter.debug_tuple("Ready").field(reply).finish(),
            Self::Deferred(_) => formatter.write_str("Deferred"),
            Self::Call(call) => formatter.debug_tuple("Call").field(call).finish(),
            Self::Listen(listen) => formatter.debug_tuple("Listen").field(listen).finish(),
            Self::Batch(batch) => formatter.debug_tuple("Batch").field(batch).finish(),
            Self::Held(held) => held.fmt(formatter),
            Self::Wait(wait) => formatter.debug_tuple("Wait").field(wait).finish(),
            Self::Over => formatter.write_str("Over"),
        }
    }
}

impl Stream for Exchange {
    type Item = Outgoing;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        self.get_mut().poll_message(context)
    }
}
