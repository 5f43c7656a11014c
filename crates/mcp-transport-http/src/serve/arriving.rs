//! A request's body on its way: a client that stops sending it is given up.

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::{
    error::Error,
    future::Future as _,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Sleep, sleep};

/// The client sent nothing of a body for too long.
#[derive(Debug, thiserror::Error)]
#[error("the client sent nothing of the body for too long (setting: read_timeout)")]
pub(crate) struct Stalled;

pin_project_lite::pin_project! {
    /// A body that fails when nothing of it arrives for too long while it is waited for.
    ///
    /// The time runs only while somebody wants to read: a handler that takes its time costs the client nothing.
    pub(crate) struct Arriving<B> {
        #[pin]
        body: B,
        timeout: Option<Duration>,
        waiting: Option<Pin<Box<Sleep>>>,
    }
}

impl<B> Arriving<B> {
    pub(crate) const fn new(body: B, timeout: Option<Duration>) -> Self {
        Self { body, timeout, waiting: None }
    }
}

impl<B> Body for Arriving<B>
where
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>>,
{
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = self.project();
        if let Poll::Ready(frame) = this.body.poll_frame(context) {
            *this.waiting = None;
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let Some(timeout) = *this.timeout else { return Poll::Pending };
        let waiting = this.waiting.get_or_insert_with(|| Box::pin(sleep(timeout)));
        waiting.as_mut().poll(context).map(|()| Some(Err(Stalled.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
