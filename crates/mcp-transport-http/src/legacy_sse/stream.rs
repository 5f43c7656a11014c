//! The body of the stream: what the session says, and comments while it says nothing.

use super::table::Place;
use crate::{
    keep_alive::{COMMENT, KeepAlive},
    streams::Slot,
};
use bytes::{Bytes, BytesMut};
use http_body::{Body, Frame};
use std::{
    convert::Infallible,
    future::Future as _,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio_util::sync::WaitForCancellationFutureOwned;

/// The stream of a session; dropping it, as a client does that leaves, ends the session.
#[derive(Debug)]
pub(super) struct LegacyStream {
    place: Place,
    /// The event that tells the URL for POSTs.
    endpoint: Option<Bytes>,
    ended: Pin<Box<WaitForCancellationFutureOwned>>,
    keep_alive: KeepAlive,
    over: bool,
    _slot: Slot,
}

impl LegacyStream {
    /// A stream that begins with the URL for POSTs.
    pub(super) fn new(place: Place, url: &str, keep_alive: Option<Duration>, slot: Slot) -> Self {
        Self {
            endpoint: Some(format!("event: endpoint\ndata: {url}\n\n").into()),
            ended: Box::pin(place.session.ended.clone().cancelled_owned()),
            keep_alive: KeepAlive::begin(keep_alive),
            over: false,
            place,
            _slot: slot,
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
            this.keep_alive.said_something();
            return frame(out.freeze());
        }
        if this.over {
            return Poll::Ready(None);
        }
        this.keep_alive.poll_quiet(context).map(|()| Some(Ok(Frame::data(Bytes::from_static(COMMENT)))))
    }

    fn is_end_stream(&self) -> bool {
        self.over && self.endpoint.is_none()
    }
}
