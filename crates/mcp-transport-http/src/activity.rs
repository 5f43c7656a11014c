//! What a connection is at, so that only idle ones are closed and none is kept for nothing.

use crate::{
    deadline::Cutoff,
    preface::Version,
    serve::{Arriving, Lingering, Taking},
};
use axum::{Router, body::Body};
use bytes::Bytes;
use http::{Request, Response, header};
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::body::Incoming;
use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::time::Instant;
use tower_service::Service;

/// The requests of one connection.
#[derive(Debug)]
pub(crate) struct Activity {
    version: Version,
    in_flight: AtomicUsize,
    times: Mutex<Times>,
}

#[derive(Debug)]
struct Times {
    /// When the last answer ended.
    last_end: Instant,
    /// When the first bytes of the next request came.
    head: Option<Instant>,
    /// When the answer that is being written is to have gone out.
    cutoff: Option<Instant>,
}

/// What a connection is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Requests are being answered.
    Working,
    /// The head of a request has begun to come.
    Head { since: Instant },
    /// Nothing is going on.
    Idle { since: Instant },
}

impl Activity {
    pub(crate) fn begin(version: Version) -> Arc<Self> {
        let times = Times { last_end: Instant::now(), head: None, cutoff: None };
        Arc::new(Self { version, in_flight: AtomicUsize::new(0), times: Mutex::new(times) })
    }

    pub(crate) fn standing(&self) -> Standing {
        if self.in_flight.load(Ordering::Acquire) > 0 {
            return Standing::Working;
        }
        let times = self.times();
        match times.head {
            Some(since) => Standing::Head { since },
            None => Standing::Idle { since: times.last_end },
        }
    }

    /// The client sent something.
    pub(crate) fn heard(&self) {
        // Bytes of HTTP/2 may be about anything; those of HTTP/1 between two requests are a head.
        if self.version == Version::Http1 && self.in_flight.load(Ordering::Acquire) == 0 {
            self.times().head.get_or_insert_with(Instant::now);
        }
    }

    /// When what is being written is to have gone out; on HTTP/2 each stream has that for itself.
    pub(crate) fn cutoff(&self) -> Option<Instant> {
        self.times().cutoff
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One request being answered; it ends when the answer has gone out or was given up.
#[derive(Debug)]
struct Working(Arc<Activity>);

impl Working {
    fn begin(activity: &Arc<Activity>) -> Self {
        activity.in_flight.fetch_add(1, Ordering::AcqRel);
        activity.times().head = None;
        Self(Arc::clone(activity))
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.0.times().last_end = Instant::now();
        self.0.in_flight.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A router that notes the requests of its connection.
#[derive(Clone, Debug)]
pub(crate) struct Noting {
    pub(crate) router: Router,
    pub(crate) activity: Arc<Activity>,
    pub(crate) read_timeout: Option<Duration>,
}

impl hyper::service::Service<Request<Incoming>> for Noting {
    type Response = Response<Noted>;
    type Error = Infallible;
    type Future = Answering;

    fn call(&self, request: Request<Incoming>) -> Answering {
        let working = Working::begin(&self.activity);
        let read_timeout = self.read_timeout;
        // HTTP/2 ends each stream by itself, and who waits to be told to go on sends nothing when refused.
        let lingers =
            self.activity.version == Version::Http1 && !request.headers().contains_key(header::EXPECT);
        let request = request.map(|body| Arriving::new(Lingering::new(body, lingers), read_timeout));
        // A router is always ready.
        let answer = self.router.clone().call(request);
        Answering { answer, working: Some(working) }
    }
}

pin_project_lite::pin_project! {
    /// The response on its way.
    pub(crate) struct Answering {
        #[pin]
        answer: <Router as Service<Request<Arriving<Lingering<Incoming>>>>>::Future,
        working: Option<Working>,
    }
}

impl Future for Answering {
    type Output = Result<Response<Noted>, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut response = match ready!(this.answer.poll(context)) {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let working = this.working.take();
        let taking = Taking::current();
        let cutoff = response.extensions_mut().remove::<Cutoff>().map(|Cutoff(cutoff)| cutoff);
        match (&taking, &working, cutoff) {
            (Some(taking), _, Some(cutoff)) => taking.cut_off_at(cutoff),
            (None, Some(Working(activity)), _) => activity.times().cutoff = cutoff,
            _ => {}
        }
        Poll::Ready(Ok(response.map(|body| Noted { body, rest: Bytes::new(), working, taking })))
    }
}

/// A response's body, in pieces; the request counts as being answered until it is dropped.
///
/// What is handed over at once waits for the client where nothing can take it back. In pieces it stays here, and a
/// client that takes nothing is noticed by the piece that nobody asks for.
#[derive(Debug)]
pub(crate) struct Noted {
    body: Body,
    /// What the body gave and is not handed over yet.
    rest: Bytes,
    working: Option<Working>,
    taking: Option<Arc<Taking>>,
}

/// The bytes of a piece: those of a frame of HTTP/2 by default.
///
/// RFC 9113 section 4.2.
const PIECE: usize = 16 * 1024;

impl HttpBody for Noted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        if let Some(taking) = &this.taking {
            taking.asked();
        }
        if this.rest.is_empty() {
            match ready!(Pin::new(&mut this.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => this.rest = data,
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
                over => {
                    this.working = None;
                    return Poll::Ready(over);
                }
            }
        }
        if let Some(taking) = &this.taking {
            taking.handed();
        }
        let piece = this.rest.split_to(this.rest.len().min(PIECE));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (hint, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut whole = SizeHint::new();
        whole.set_lower(hint.lower() + rest);
        if let Some(upper) = hint.upper() {
            whole.set_upper(upper + rest);
        }
        whole
    }
}
