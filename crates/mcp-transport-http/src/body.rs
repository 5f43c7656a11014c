//! Reading a request's body within its limits.

use crate::{refuse::HttpRefusal, serve::Stalled};
use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http_body::Body as _;
use std::{
    future::{Future as _, poll_fn},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::time::Sleep;

/// Reads a body whole. A body in one piece, the usual case, is not copied.
pub(crate) async fn read(mut body: Body, limit: usize, timeout: Duration) -> Result<Bytes, HttpRefusal> {
    let too_large = HttpRefusal::TooLarge { limit };
    if body.size_hint().lower() > limit as u64 {
        return Err(too_large);
    }
    let mut timer = Timer { after: timeout, running: None };
    let mut first = Bytes::new();
    let mut rest = BytesMut::new();
    loop {
        let piece = poll_fn(|context| match Pin::new(&mut body).poll_frame(context) {
            Poll::Ready(piece) => Poll::Ready(Ok(piece)),
            Poll::Pending => {
                ready!(timer.poll(context));
                Poll::Ready(Err(HttpRefusal::BodyTimeout))
            }
        })
        .await?;
        let data = match piece {
            None => break,
            Some(Err(error)) if has_stalled(&error) => return Err(HttpRefusal::BodyStalled),
            Some(Err(_)) => return Err(HttpRefusal::BodyBroken),
            Some(Ok(frame)) => match frame.into_data() {
                Ok(data) => data,
                // Trailers carry nothing for us.
                Err(_) => continue,
            },
        };
        if first.len() + rest.len() + data.len() > limit {
            return Err(too_large);
        }
        if first.is_empty() && rest.is_empty() {
            first = data;
        } else {
            if rest.is_empty() {
                rest.extend_from_slice(&first);
                first = Bytes::new();
            }
            rest.extend_from_slice(&data);
        }
    }
    Ok(if rest.is_empty() { first } else { rest.freeze() })
}

/// Tells whether the client stopped sending.
fn has_stalled(error: &axum::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if error.is::<Stalled>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// A timer that starts when something is waited for the first time.
#[derive(Debug)]
pub(crate) struct Timer {
    pub(crate) after: Duration,
    pub(crate) running: Option<Pin<Box<Sleep>>>,
}

impl Timer {
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let after = self.after;
        let running = self.running.get_or_insert_with(|| Box::pin(tokio::time::sleep(after)));
        running.as_mut().poll(context)
    }
}
