//! A request that did not finish at once, as a task of its own.

use bytes::Bytes;
use mcp_core::exchange::{CancelFlag, Exchange, Outgoing};
use std::{convert::Infallible, future::poll_fn, pin::pin, task::Poll};
use tokio::sync::mpsc::Sender;

/// A message on its way from a task to the writer.
#[derive(Debug)]
pub(crate) struct Queued {
    message: Bytes,
    flag: Option<CancelFlag>,
    /// The exchange of a reply: it keeps the id taken, so that a cancellation still finds the request.
    _answered: Option<Exchange>,
}

impl Queued {
    /// The message; `None` when its request was cancelled while it waited.
    pub(crate) fn into_message(self) -> Option<Bytes> {
        let cancelled = self.flag.is_some_and(|flag| flag.is_cancelled());
        (!cancelled).then_some(self.message)
    }
}

/// Sends what an exchange yields, until its end or until nobody takes it any more.
///
/// While the queue is full the handler is not polled: that is the back-pressure of a slow reader.
///
/// `_running` tells the driver that something runs. The order of the parameters counts: it goes last, after the
/// exchange.
pub(crate) async fn carry(_running: Sender<Infallible>, queue: Sender<Queued>, mut exchange: Exchange) {
    let flag = exchange.cancel_flag();
    let mut gone = pin!(queue.closed());
    loop {
        let next = poll_fn(|context| {
            if gone.as_mut().poll(context).is_ready() {
                return Poll::Ready(None);
            }
            exchange.poll_message(context)
        });
        match next.await {
            Some(Outgoing::Stream(_)) => {}
            Some(Outgoing::Notification(message) | Outgoing::Request(message)) => {
                let queued = Queued { message, flag: flag.clone(), _answered: None };
                if queue.send(queued).await.is_err() {
                    return;
                }
            }
            Some(Outgoing::Reply(reply)) => {
                let queued = Queued { message: reply.body, flag, _answered: Some(exchange) };
                // Nobody is left to be told when the queue is closed.
                let _ = queue.send(queued).await;
                return;
            }
            None => return,
        }
    }
}
