//! Event streams: each event with its JSON-RPC message on one line.
//!
//! HTML standard, section "Server-sent events".

use crate::{
    keep_alive::{COMMENT, KeepAlive},
    streams::Slot,
};
use bytes::{Bytes, BytesMut};
use http_body::{Body, Frame};
use mcp_core::exchange::{Events, StreamEvent};
use std::{
    convert::Infallible,
    fmt::Write as _,
    future::Future as _,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio_util::sync::WaitForCancellationFutureOwned;

/// Messages that are ready together go out together, up to about this size.
const BATCH_BYTES: usize = 16 * 1024;

/// What a client is told to wait, in milliseconds, before it comes back to a server that shut down.
const RETRY: &[u8] = b"retry: 1000\n\n";

/// The body of an event stream: it polls the events, so a client that leaves drops them.
#[derive(Debug)]
pub(crate) struct EventStream {
    events: Option<Events>,
    /// What was written already, to be sent before anything else.
    first: Option<Bytes>,
    keep_alive: KeepAlive,
    cut: Pin<Box<WaitForCancellationFutureOwned>>,
    _slot: Slot,
}

impl EventStream {
    /// A stream that begins with what was written already; with a comment when that is nothing, so that proxies
    /// see it begin.
    pub(crate) fn new(
        events: Events,
        written: Bytes,
        keep_alive: Option<Duration>,
        cut: WaitForCancellationFutureOwned,
        slot: Slot,
    ) -> Self {
        Self {
            events: Some(events),
            first: Some(if written.is_empty() { Bytes::from_static(COMMENT) } else { written }),
            keep_alive: KeepAlive::begin(keep_alive),
            cut: Box::pin(cut),
            _slot: slot,
        }
    }
}

/// Writes the events that are there; tells whether they were the last ones.
pub(crate) fn fill(out: &mut BytesMut, events: &mut Events, context: &mut Context<'_>) -> bool {
    while out.len() < BATCH_BYTES {
        match events.poll_event(context) {
            Poll::Ready(Some(event)) => write(out, &event),
            Poll::Ready(None) => return true,
            Poll::Pending => break,
        }
    }
    false
}

/// Writes an event.
fn write(out: &mut BytesMut, event: &StreamEvent) {
    let data = event.data.as_deref().unwrap_or_default();
    out.reserve(data.len() + 64);
    if let Some(id) = &event.id {
        // Writing into memory does not fail.
        let _ = writeln!(out, "id: {id}");
    }
    if let Some(retry) = event.retry {
        let _ = writeln!(out, "retry: {}", retry.as_millis());
    }
    // An event without data would not be one to every parser.
    out.extend_from_slice(b"data: ");
    out.extend_from_slice(data);
    out.extend_from_slice(b"\n\n");
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
            this.keep_alive.said_something();
            return frame(first);
        }
        let Some(events) = &mut this.events else { return Poll::Ready(None) };
        let mut out = BytesMut::new();
        let over = fill(&mut out, events, context);
        if over {
            this.events = None;
        }
        if !out.is_empty() {
            this.keep_alive.said_something();
            return frame(out.freeze());
        }
        if over {
            return Poll::Ready(None);
        }
        if this.cut.as_mut().poll(context).is_ready() {
            this.events = None;
            return frame(Bytes::from_static(RETRY));
        }
        this.keep_alive.poll_quiet(context).map(|()| Some(Ok(Frame::data(Bytes::from_static(COMMENT)))))
    }

    fn is_end_stream(&self) -> bool {
        self.events.is_none() && self.first.is_none()
    }
}
