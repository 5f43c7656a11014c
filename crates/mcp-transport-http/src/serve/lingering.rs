//! A request's body that nobody wanted to the end: its rest is taken for a while, so that the client hears why.

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::{
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{runtime::Handle, time::timeout};

/// The bytes that are taken of a body at most after its request was answered.
const MOST_BYTES: u64 = 64 * 1_024 * 1_024;

/// How long they are waited for at most.
const LONGEST: Duration = Duration::from_secs(5);

/// A body whose rest is read and thrown away when it is dropped before its end.
///
/// Over HTTP/1.1 the answer to a request that is refused early can be lost: where bytes of the body are unread when
/// the connection closes, the client's system reports a broken connection in place of what was answered. What is
/// taken is bounded, and only the connection that sends it waits.
///
/// Spec: RFC 9112, section 9.6.
#[derive(Debug)]
pub(crate) struct Lingering<B: Body<Data = Bytes> + Send + Unpin + 'static> {
    /// Gone once it is dropped.
    body: Option<B>,
    lingers: bool,
    /// The last look found nothing: whoever drops it then has waited for long enough.
    waited: bool,
}

impl<B: Body<Data = Bytes> + Send + Unpin + 'static> Lingering<B> {
    pub(crate) const fn new(body: B, lingers: bool) -> Self {
        Self { body: Some(body), lingers, waited: false }
    }
}

impl<B: Body<Data = Bytes> + Send + Unpin + 'static> Body for Lingering<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = self.get_mut();
        let Some(body) = &mut this.body else { return Poll::Ready(None) };
        let frame = Pin::new(body).poll_frame(context);
        this.waited = frame.is_pending();
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl<B: Body<Data = Bytes> + Send + Unpin + 'static> Drop for Lingering<B> {
    fn drop(&mut self) {
        let Some(body) = self.body.take() else { return };
        if !self.lingers || self.waited || body.is_end_stream() {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(timeout(LONGEST, take_rest(body)));
        }
    }
}

/// Reads until the end, a failure, or the most there may be.
async fn take_rest(mut body: impl Body<Data = Bytes> + Unpin) {
    let mut taken = 0;
    while taken < MOST_BYTES {
        match poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
            Some(Ok(frame)) => taken += frame.data_ref().map_or(0, |data| data.len() as u64),
            Some(Err(_)) | None => return,
        }
    }
}
