//! The body of the stream: what the session says, and comments while it says nothing.

use super::table::Place;
use crate::streams::Slot;
use bytes::{Bytes, BytesMut};
use http_body::{Body, Frame};
use std::{
    convert::Infallible,
    future::Future as _,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Instant, Sleep};
use tokio_util::sync::WaitForCancellationFutureOwned;

/// What keeps a quiet stream open.
const COMMENT: &[u8] = b":\n\n";

/// The stream of a session; dropping it, as a client does that leaves, ends the session.
#[derive(Debug)]
pub(super) struct LegacyStream {
    place: Place,
    /// The event that tells the URL for POSTs.
    endpoint: Option<Bytes>,
    ended: Pin<Box<WaitForCancellationFutureOwned>>,
    keep_alive: Option<(Duration, Pin<Box<Sleep>>)>,
    over: bool,
    _slot: Slot,
}

impl LegacyStream {
    /// A stream that begins with the URL for POSTs.
    pub(super) fn new(place: Place, url: &str, keep_alive: Option<Duration>, slot: Slot) -> Self {
        Self {
            endpoint: Some(format!("event: endpoint\ndata: {url}\n\n").into()),
            ended: Box::pin(place.session.ended.clone().cancelled_owned()),
            keep_alive: keep_alive.map(|interval| (interval, Box::pin(tokio::time::sleep(interval)))),
            over: false,
            place,
            _slot: slot,
        }
    }

    /// Tells whether nothing was said for the whole interval; begins the next one then.
    fn is_quiet(&mut self, context: &mut Context<'_>) -> bool {
        let Some((interval, timer)) = &mut self.keep_alive else { return false };
        if timer.as_mut().poll(context).is_pending() {
            return false;
        }
        timer.as_mut().reset(Instant::now() + *interval);
        true
    }

    fn said_something(&mut self) {
        if let Some((interval, timer)) = &mut self.keep_alive {
            timer.as_mut().reset(Instant::now() + *interval);
        }
    }
}

impl Body for LegacyStream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = self.get_mut();
        let frame = |bytes| Poll::Ready(Some(Ok(Frame::data(bytes))));
        if let Some(endpoint) = this.endpoint.take() {
            return frame(endpoint);
        }
        if this.over || this.ended.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        let mut out = BytesMut::new();
        this.over = this.place.session.fill(&mut out, context);
        if !out.is_empty() {
            this.said_something();
            return frame(out.freeze());
        }
        if this.over {
            return Poll::Ready(None);
        }
        if this.is_quiet(context) {
            return frame(Bytes::from_static(COMMENT));
        }
        Poll::Pending
    }

    fn is_end_stream(&self) -> bool {
        self.over && self.endpoint.is_none()
    }
}
