//! A request that did not end at once, carried to the stream by a task of its own.

use bytes::Bytes;
use mcp_core::exchange::{CancelFlag, Exchange, Outgoing};
use std::{
    future::poll_fn,
    task::{Context, Poll, Waker, ready},
};
use tokio::sync::mpsc::{Sender, error::TrySendError};
use tokio_util::sync::{CancellationToken, PollSender};

/// Messages of one exchange that are taken in place before it gets a task of its own.
const IN_PLACE: usize = 16;

/// A message on its way to the stream.
#[derive(Debug)]
pub(super) struct Queued {
    message: Bytes,
    flag: Option<CancelFlag>,
    /// The exchange of a reply: it keeps the id taken, so that a cancellation still finds the request.
    _answered: Option<Exchange>,
}

impl Queued {
    /// The message; `None` when its request was cancelled while it waited.
    pub(super) fn into_message(self) -> Option<Bytes> {
        let cancelled = self.flag.is_some_and(|flag| flag.is_cancelled());
        (!cancelled).then_some(self.message)
    }
}

/// Takes what an exchange has at once, as long as there is room for it; gives what is left of it.
pub(super) fn begin(mut exchange: Exchange, queue: &Sender<Queued>) -> Option<Exchange> {
    // Whoever goes on with the exchange polls it before anything else, so this waker is never needed.
    let mut context = Context::from_waker(Waker::noop());
    let flag = exchange.cancel_flag();
    for _ in 0..IN_PLACE {
        let room = match queue.try_reserve() {
            Ok(room) => room,
            Err(TrySendError::Full(())) => return Some(exchange),
            Err(TrySendError::Closed(())) => return None,
        };
        match exchange.poll_message(&mut context) {
            Poll::Ready(Some(Outgoing::Notification(message) | Outgoing::Request(message))) => {
                room.send(Queued { message, flag: flag.clone(), _answered: None });
            }
            // The one stream there is carries every call.
            Poll::Ready(Some(Outgoing::Stream(_))) => {}
            Poll::Ready(Some(Outgoing::Reply(reply))) => {
                room.send(Queued { message: reply.body, flag, _answered: Some(exchange) });
                return None;
            }
            Poll::Ready(None) => return None,
            Poll::Pending => break,
        }
    }
    Some(exchange)
}

/// Sends what an exchange yields, until its end or that of the session.
///
/// While there is no room the handler is not polled: that is the back-pressure of a slow reader, and nothing but
/// what waits in the queue is held for one.
pub(super) async fn carry(mut exchange: Exchange, queue: Sender<Queued>, ended: CancellationToken) {
    let flag = exchange.cancel_flag();
    let mut queue = PollSender::new(queue);
    let carrying = async {
        loop {
            let next = poll_fn(|context| {
                // Room that is waited for together with the handler would be room that others cannot use.
                if ready!(queue.poll_reserve(context)).is_err() {
                    return Poll::Ready(None);
                }
                let next = exchange.poll_message(context);
                if next.is_pending() {
                    queue.abort_send();
                }
                next
            });
            let queued = match next.await {
                Some(Outgoing::Stream(_)) => continue,
                Some(Outgoing::Notification(message) | Outgoing::Request(message)) => {
                    Queued { message, flag: flag.clone(), _answered: None }
                }
                Some(Outgoing::Reply(reply)) => {
                    // There is room, and nobody is left to be told when the session is over.
                    let _ = queue.send_item(Queued { message: reply.body, flag, _answered: Some(exchange) });
                    return;
                }
                None => return,
            };
            if queue.send_item(queued).is_err() {
                return;
            }
        }
    };
    tokio::select! {
        biased;
        () = ended.cancelled() => {}
        () = carrying => {}
    }
}
