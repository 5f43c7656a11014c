//! Event streams: one JSON-RPC message is one event, on one line.
//!
//! HTML standard, section "Server-sent events".

use crate::streams::Slot;
use bytes::{Bytes, BytesMut};
use http_body::{Body, Frame};
use mcp_core::exchange::{Exchange, Outgoing};
use std::{
    convert::Infallible,
    future::Future as _,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Instant, Sleep};
use tokio_util::sync::WaitForCancellationFutureOwned;

/// Messages that are ready together go out together, up to about this size.
const BATCH_BYTES: usize = 16 * 1024;

/// What a client is told to wait, in milliseconds, before it comes back to a server that shut down.
const RETRY: &[u8] = b"retry: 1000\n\n";

/// The body of an event stream: it polls the exchange, so a client that leaves drops it.
#[derive(Debug)]
pub(crate) struct EventStream {
    exchange: Option<Exchange>,
    first: Option<Bytes>,
    keep_alive: Option<KeepAlive>,
    cut: Pin<Box<WaitForCancellationFutureOwned>>,
    _slot: Slot,
}

#[derive(Debug)]
struct KeepAlive {
    interval: Duration,
    timer: Pin<Box<Sleep>>,
}

impl EventStream {
    /// A stream of an exchange; `first` is a message that was taken from it already.
    pub(crate) fn new(
        exchange: Exchange,
        first: Option<Outgoing>,
        keep_alive: Option<Duration>,
        cut: WaitForCancellationFutureOwned,
        slot: Slot,
    ) -> Self {
        let (first, over) = match first {
            // A comment at once, so that proxies see the stream begin.
            None => (Bytes::from_static(b":\n\n"), false),
            Some(message) => {
                let mut out = BytesMut::new();
                let over = event(&mut out, &message);
                (out.freeze(), over)
            }
        };
        Self {
            exchange: (!over).then_some(exchange),
            first: Some(first),
            keep_alive: keep_alive
                .map(|interval| KeepAlive { interval, timer: Box::pin(tokio::time::sleep(interval)) }),
            cut: Box::pin(cut),
            _slot: slot,
        }
    }

    fn touch(&mut self) {
        if let Some(KeepAlive { interval, timer }) = &mut self.keep_alive {
            timer.as_mut().reset(Instant::now() + *interval);
        }
    }
}

/// Writes a message as an event; tells whether it is the last one.
fn event(out: &mut BytesMut, message: &Outgoing) -> bool {
    let (json, last) = match message {
        Outgoing::Notification(json) => (json, false),
        Outgoing::Reply(reply) => (&reply.body, true),
    };
    out.reserve(json.len() + 8);
    out.extend_from_slice(b"data: ");
    out.extend_from_slice(json);
    out.extend_from_slice(b"\n\n");
    last
}

impl Body for EventStream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = self.get_mut();
        let frame = |bytes| Poll::Ready(Some(Ok(Frame::data(bytes))));
        if let Some(first) = this.first.take() {
            this.touch();
            return frame(first);
        }
        let Some(exchange) = &mut this.exchange else { return Poll::Ready(None) };
        let mut out = BytesMut::new();
        let mut over = false;
        while !over && out.len() < BATCH_BYTES {
            match exchange.poll_message(context) {
                Poll::Ready(Some(message)) => over = event(&mut out, &message),
                Poll::Ready(None) => over = true,
                Poll::Pending => break,
            }
        }
        if over {
            this.exchange = None;
        }
        if !out.is_empty() {
            this.touch();
            return frame(out.freeze());
        }
        if over {
            return Poll::Ready(None);
        }
        if this.cut.as_mut().poll(context).is_ready() {
            this.exchange = None;
            return frame(Bytes::from_static(RETRY));
        }
        if let Some(KeepAlive { timer, .. }) = &mut this.keep_alive
            && timer.as_mut().poll(context).is_ready()
        {
            this.touch();
            // The timer is set anew and must be polled to be armed.
            context.waker().wake_by_ref();
            return frame(Bytes::from_static(b":\n\n"));
        }
        Poll::Pending
    }

    fn is_end_stream(&self) -> bool {
        self.first.is_none() && self.exchange.is_none()
    }
}
