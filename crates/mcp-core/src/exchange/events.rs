//! An exchange, or the stream of a session, as server-sent events.

use super::{Exchange, Outgoing};
use crate::{
    ports::EventId,
    session::{Recorded, Replayed, Standalone},
};
use bytes::Bytes;
use std::{
    task::{Context, Poll, ready},
    time::Duration,
};

/// The events of one response, in the order they are to be sent.
///
/// What each event means is decided here; an HTTP transport writes it in the format of the HTML standard and adds
/// comments that keep quiet connections open. Dropping it means that the client went away: within an HTTP
/// session the call goes on and what it says is kept for the client to resume, elsewhere it is cancelled.
#[derive(Debug)]
#[must_use = "events go nowhere unless they are polled"]
pub struct Events(Option<EventSource>);

/// One server-sent event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamEvent {
    /// The id by which the stream is resumed after this event.
    pub id: Option<EventId>,
    /// The JSON-RPC message; `None` for an event that carries an id or a delay only.
    pub data: Option<Bytes>,
    /// How long the client is to wait before it comes back once the connection is closed.
    pub retry: Option<Duration>,
}

/// Where events come from.
#[derive(Debug)]
pub(crate) enum EventSource {
    /// An exchange whose events nobody can ask for again.
    Plain { exchange: Box<Exchange>, first: Option<Outgoing> },
    /// A call of a session, kept for resumption.
    Recorded(Box<Recorded>),
    /// The stream a client opened with GET.
    Standalone(Box<Standalone>),
    /// A stream that is taken up where it broke.
    Replayed(Box<Replayed>),
}

impl StreamEvent {
    pub(crate) fn message(id: Option<EventId>, data: Bytes) -> Self {
        Self { id, data: Some(data), retry: None }
    }
}

impl Events {
    pub(crate) fn of(source: EventSource) -> Self {
        Self(Some(source))
    }

    /// Polls for the next event; `None` when the response is over.
    pub fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<StreamEvent>> {
        let next = match &mut self.0 {
            None => return Poll::Ready(None),
            Some(EventSource::Plain { exchange, first }) => poll_plain(exchange, first, context),
            Some(EventSource::Recorded(recorded)) => recorded.poll_event(context),
            Some(EventSource::Standalone(standalone)) => standalone.poll_event(context),
            Some(EventSource::Replayed(replayed)) => replayed.poll_event(context),
        };
        if matches!(next, Poll::Ready(None)) {
            self.detach();
        }
        next
    }

    /// The client is gone, or is to come back: what can go on without it goes on.
    fn detach(&mut self) {
        if let Some(EventSource::Recorded(recorded)) = self.0.take() {
            recorded.detach();
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.detach();
    }
}

/// The messages of an exchange, one event each.
fn poll_plain(
    exchange: &mut Exchange,
    first: &mut Option<Outgoing>,
    context: &mut Context<'_>,
) -> Poll<Option<StreamEvent>> {
    loop {
        let next = match first.take() {
            Some(first) => Some(first),
            None => ready!(exchange.poll_message(context)),
        };
        let data = match next {
            Some(Outgoing::Notification(json) | Outgoing::Request(json)) => json,
            Some(Outgoing::Reply(reply)) => reply.body,
            // The stream is open, and nobody could come back for the rest of it.
            Some(Outgoing::Stream(_)) => continue,
            None => return Poll::Ready(None),
        };
        return Poll::Ready(Some(StreamEvent::message(None, data)));
    }
}
