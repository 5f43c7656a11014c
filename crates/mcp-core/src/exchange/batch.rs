//! The machine of a batch: many exchanges at once, whose replies go out as one.

use super::{Exchange, Outgoing, serving::Kind};
use crate::{
    handler::ProtocolError,
    jsonrpc::RequestId,
    lower::{self, Reply},
    version::ProtocolVersion,
};
use bytes::Bytes;
use futures_core::Stream;
use futures_util::{
    StreamExt as _,
    stream::{FuturesUnordered, StreamFuture},
};
use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

/// What answers one element of a batch.
#[derive(Debug)]
pub(crate) struct Part {
    /// The id it is answered with; `None` where none could be read.
    pub(crate) id: Option<RequestId>,
    /// What answers it.
    pub(crate) exchange: Exchange,
}

/// The exchanges of one batch.
///
/// What they send on their way passes through as it comes. The one reply is the array of their replies, in the
/// order of the batch, whichever was there first. A cancelled part has no entry, also when it is cancelled after
/// its reply was made but before the whole goes out; without any entry there is no reply.
///
/// Spec: 2025-03-26, basic#batching; JSON-RPC 2.0 section 6.
#[derive(Debug)]
pub(crate) struct BatchExchange {
    /// The parts that are not done; only those that were woken are polled.
    open: FuturesUnordered<StreamFuture<Placed>>,
    /// The parts that are done, by their place in the batch.
    done: Vec<Option<Done>>,
    /// The bytes of the array as far as it is known.
    bytes: usize,
    /// The bytes that the array may have.
    limit: usize,
    version: ProtocolVersion,
}

/// A part and its place in the batch.
#[derive(Debug)]
struct Placed {
    place: usize,
    part: Part,
}

/// A part's reply.
#[derive(Debug)]
struct Done {
    entry: Bytes,
    /// It keeps the id taken, so that a cancellation still finds the request.
    exchange: Exchange,
}

impl Done {
    fn is_cancelled(&self) -> bool {
        self.exchange.cancel_flag().is_some_and(|flag| flag.is_cancelled())
    }
}

impl Stream for Placed {
    type Item = Outgoing;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        self.part.exchange.poll_message(context)
    }
}

impl Exchange {
    /// The exchanges of a batch as one; `output_bytes` bounds the reply.
    pub(crate) fn batch(parts: Vec<Part>, output_bytes: usize, version: ProtocolVersion) -> Self {
        let batch = BatchExchange::new(parts, output_bytes, version);
        Self::of(Kind::Batch(Box::new(batch)))
    }
}

impl BatchExchange {
    /// `limit` bounds the bytes of the whole array: a reply that does not fit any more becomes an error with the
    /// same id. Such an error, and a reply no longer than it, always finds room, so that every request is answered.
    fn new(parts: Vec<Part>, limit: usize, version: ProtocolVersion) -> Self {
        let done = parts.iter().map(|_| None).collect();
        let placed = parts.into_iter().enumerate().map(|(place, part)| Placed { place, part }.into_future());
        Self { open: placed.collect(), done, bytes: "[]".len(), limit, version }
    }

    pub(super) fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        loop {
            match self.open.poll_next_unpin(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some((Some(Outgoing::Reply(reply)), placed))) => self.keep(placed, reply),
                Poll::Ready(Some((Some(message), placed))) => {
                    self.open.push(placed.into_future());
                    return Poll::Ready(Some(message));
                }
                // A part without a reply was cancelled.
                Poll::Ready(Some((None, _))) => {}
                Poll::Ready(None) => return Poll::Ready(self.reply()),
            }
        }
    }

    /// Ends every part at this time at the latest.
    pub(super) fn end_by(&mut self, deadline: Instant) {
        for placed in self.open.iter_mut().filter_map(StreamFuture::get_mut) {
            placed.part.exchange.end_by(deadline);
        }
    }

    fn keep(&mut self, placed: Placed, reply: Reply) {
        let Placed { place, part: Part { id, exchange } } = placed;
        let entry = self.within_limit(id.as_ref(), reply.body);
        self.bytes = self.bytes.saturating_add(entry.len() + ",".len());
        if let Some(slot) = self.done.get_mut(place) {
            *slot = Some(Done { entry, exchange });
        }
    }

    fn within_limit(&self, id: Option<&RequestId>, entry: Bytes) -> Bytes {
        if self.bytes.saturating_add(entry.len()) <= self.limit {
            return entry;
        }
        let Some(id) = id else { return entry };
        let limit = self.limit;
        let text = format!(
            "the replies to the batch have more bytes than limits.output_bytes allows ({limit}): send this request alone"
        );
        let error = ProtocolError::internal_because(text).on_wire(Some(self.version));
        let held_back = lower::error_reply(Some(id), &error).body;
        if entry.len() <= held_back.len() {
            return entry;
        }
        tracing::error!(
            %id,
            bytes = entry.len(),
            limit,
            "a reply in a batch was held back: the array would be larger than limits.output_bytes"
        );
        held_back
    }

    /// The array of what was not cancelled; `None` when nothing is left.
    fn reply(&mut self) -> Option<Outgoing> {
        let mut array = Vec::with_capacity(self.bytes);
        for done in self.done.drain(..).flatten().filter(|done| !done.is_cancelled()) {
            array.push(if array.is_empty() { b'[' } else { b',' });
            array.extend_from_slice(&done.entry);
        }
        if array.is_empty() {
            return None;
        }
        array.push(b']');
        Some(Outgoing::Reply(Reply::new(Bytes::from(array), 200)))
    }
}
