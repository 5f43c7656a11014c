//! The deadline of a whole request: from its first sight to the last byte of its answer.

use crate::refuse::HttpRefusal;
use axum::body::Body;
use bytes::Bytes;
use http::Response;
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::{Context, Poll, ready},
};
use tokio::time::{Instant, Sleep, sleep_until};

/// When a request has to be answered; among the extensions of a request, and of a response for whoever writes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cutoff(pub(crate) Instant);

/// Among the extensions of a response: its stream stays open until one side ends it, and has no deadline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenEnded;

/// The answer, or at the deadline a refusal.
///
/// Whatever was going on is dropped then: the body that was still coming, the check of the caller, the call. An
/// answer that has begun fails, so that the client sees it break off instead of end.
pub(crate) async fn answer_by(
    Cutoff(cutoff): Cutoff,
    answering: impl Future<Output = Result<Response<Body>, HttpRefusal>>,
) -> Result<Response<Body>, HttpRefusal> {
    let mut answering = pin!(answering);
    // A call has the same deadline and an answer with its id, so what answers is asked first.
    let mut timer: Option<Pin<Box<Sleep>>> = None;
    let answer = poll_fn(|context| {
        if let Poll::Ready(answer) = answering.as_mut().poll(context) {
            return Poll::Ready(answer);
        }
        let timer = timer.get_or_insert_with(|| Box::pin(sleep_until(cutoff)));
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Err(HttpRefusal::Deadline))
    })
    .await;
    let mut response = answer.unwrap_or_else(HttpRefusal::into_response);
    let open_ended = response.extensions_mut().remove::<OpenEnded>().is_some();
    // What says that the deadline has passed comes when it has, and is all there: it goes out like any answer.
    let too_late = Instant::now() >= cutoff && response.body().size_hint().exact().is_some();
    if !open_ended && !too_late {
        response.extensions_mut().insert(Cutoff(cutoff));
        response = response.map(|body| Body::new(BrokenOff { body, timer: Box::pin(sleep_until(cutoff)) }));
    }
    Ok(response)
}

/// The deadline passed in the middle of an answer.
#[derive(Debug, thiserror::Error)]
#[error("the answer took longer than the request may (setting: request_deadline)")]
struct DeadlinePassed;

/// A body that fails at the deadline.
struct BrokenOff {
    body: Body,
    timer: Pin<Box<Sleep>>,
}

impl HttpBody for BrokenOff {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        // First the timer: what comes at the deadline would look like an end.
        if this.timer.as_mut().poll(context).is_ready() {
            tracing::debug!("an answer is broken off (setting: request_deadline)");
            return Poll::Ready(Some(Err(axum::Error::new(DeadlinePassed))));
        }
        Pin::new(&mut this.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
