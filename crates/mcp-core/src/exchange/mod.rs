//! One request and everything sent in answer to it.
//!
//! An [`Exchange`] is polled by whoever carries the request: an HTTP response future, a stdio loop,
//! a test. No task is started and no channel is made for it. It yields notifications and then, unless it was
//! cancelled, exactly one reply; nothing follows the reply.

mod call;
mod finish;
mod in_flight;
mod listen;
mod report;

pub use crate::lower::Reply;
pub use in_flight::CancelFlag;

pub(crate) use call::{Call, Work};
pub(crate) use in_flight::{InFlight, Place};
pub(crate) use listen::Listen;
pub(crate) use report::{Asked, Outcome};

use bytes::Bytes;
use futures_core::Stream;
use std::{
    pin::Pin,
    task::{Context, Poll},
};

/// A request being served.
///
/// Dropping it cancels the request: its handler's future is dropped, work it started elsewhere sees
/// [`Cancelled`](crate::extract::Cancelled), its dependencies are closed in the background.
#[derive(Debug)]
#[must_use = "an exchange does nothing unless it is polled"]
pub struct Exchange {
    kind: Kind,
    /// The place among the requests in flight on a connection, given back on drop or cancellation.
    place: Option<Place>,
}

#[derive(Debug)]
enum Kind {
    Ready(Reply),
    Call(Box<Call>),
    Listen(Box<Listen>),
    Over,
}

/// A message of an exchange.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "an exchange yields these two kinds of message")]
pub enum Outgoing {
    /// A notification, one line of compact JSON.
    Notification(Bytes),
    /// The reply; nothing follows it.
    Reply(Reply),
}

impl Exchange {
    /// An exchange whose reply is there already.
    pub(crate) fn ready(reply: Reply) -> Self {
        Self { kind: Kind::Ready(reply), place: None }
    }

    /// An exchange that gives a reply which is there already, such as that of
    /// [`Posted::Refused`](crate::server::Posted::Refused).
    pub fn answered(reply: Reply) -> Self {
        Self::ready(reply)
    }

    pub(crate) fn call(call: Call) -> Self {
        Self { kind: Kind::Call(Box::new(call)), place: None }
    }

    pub(crate) fn listen(listen: Listen) -> Self {
        Self { kind: Kind::Listen(Box::new(listen)), place: None }
    }

    pub(crate) fn keep_place(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Tells whether this is a listen stream, which is open until one side ends it.
    #[must_use]
    pub fn is_listen(&self) -> bool {
        matches!(self.kind, Kind::Listen(_))
    }

    /// The flag of its cancellation; `None` where requests cannot be cancelled by id.
    #[must_use]
    pub fn cancel_flag(&self) -> Option<CancelFlag> {
        self.place.as_ref().map(Place::flag)
    }

    /// Polls for the next message; `None` after the reply, or when the request was cancelled.
    ///
    /// After the reply the id stays taken until the exchange is dropped: keep it while the reply is queued,
    /// so that a cancellation still finds the request.
    pub fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        if self.place.as_ref().is_some_and(|place| place.is_cancelled(context.waker())) {
            self.kind = Kind::Over;
            self.place = None;
            return Poll::Ready(None);
        }
        let next = match &mut self.kind {
            Kind::Call(call) => call.poll_message(context),
            Kind::Listen(listen) => listen.poll_message(context),
            Kind::Ready(_) => match std::mem::replace(&mut self.kind, Kind::Over) {
                Kind::Ready(reply) => Poll::Ready(Some(Outgoing::Reply(reply))),
                _ => Poll::Ready(None),
            },
            Kind::Over => Poll::Ready(None),
        };
        if matches!(next, Poll::Ready(None | Some(Outgoing::Reply(_)))) {
            self.kind = Kind::Over;
        }
        next
    }
}

impl Stream for Exchange {
    type Item = Outgoing;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        self.get_mut().poll_message(context)
    }
}
