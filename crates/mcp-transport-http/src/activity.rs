//! Whether a connection is at work, so that only idle ones are closed.

use axum::{Router, body::Body};
use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::body::Incoming;
use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::time::Instant;
use tower_service::Service;

/// The requests of one connection: how many are being answered, and when the last answer ended.
#[derive(Debug)]
pub(crate) struct Activity {
    in_flight: AtomicUsize,
    last_end: Mutex<Instant>,
}

impl Activity {
    pub(crate) fn begin() -> Arc<Self> {
        Arc::new(Self { in_flight: AtomicUsize::new(0), last_end: Mutex::new(Instant::now()) })
    }

    /// When the connection will have been idle for so long; in any case later than now when it is at work.
    pub(crate) fn idle_at(&self, timeout: Duration) -> Instant {
        if self.in_flight.load(Ordering::Acquire) > 0 {
            return Instant::now() + timeout;
        }
        *self.last_end.lock().unwrap_or_else(PoisonError::into_inner) + timeout
    }
}

/// One request being answered; it ends when the answer has gone out or was given up.
#[derive(Debug)]
struct Working(Arc<Activity>);

impl Working {
    fn begin(activity: &Arc<Activity>) -> Self {
        activity.in_flight.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(activity))
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        *self.0.last_end.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.0.in_flight.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A router that notes the requests of its connection.
#[derive(Clone, Debug)]
pub(crate) struct Noting {
    pub(crate) router: Router,
    pub(crate) activity: Arc<Activity>,
}

impl hyper::service::Service<Request<Incoming>> for Noting {
    type Response = Response<Noted>;
    type Error = Infallible;
    type Future = Answering;

    fn call(&self, request: Request<Incoming>) -> Answering {
        let working = Working::begin(&self.activity);
        // A router is always ready.
        let answer = self.router.clone().call(request);
        Answering { answer, working: Some(working) }
    }
}

pin_project_lite::pin_project! {
    /// The response on its way.
    pub(crate) struct Answering {
        #[pin]
        answer: <Router as Service<Request<Incoming>>>::Future,
        working: Option<Working>,
    }
}

impl Future for Answering {
    type Output = Result<Response<Noted>, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let response = match ready!(this.answer.poll(context)) {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let working = this.working.take();
        Poll::Ready(Ok(response.map(|body| Noted { body, working })))
    }
}

/// A response's body; the request counts as being answered until it is dropped.
#[derive(Debug)]
pub(crate) struct Noted {
    body: Body,
    working: Option<Working>,
}

impl HttpBody for Noted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        let frame = ready!(Pin::new(&mut this.body).poll_frame(context));
        if frame.is_none() {
            this.working = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
