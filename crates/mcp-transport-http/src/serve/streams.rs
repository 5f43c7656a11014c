//! The streams of an HTTP/2 connection: one whose client takes nothing of its answer is reset, the others go on.
//!
//! Nothing of HTTP/2 ends such a stream: the connection is alive, its pings are answered, and its socket takes every
//! byte that flow control lets through.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    task::futures::TaskLocalFuture,
    time::{Instant, Sleep, sleep_until},
};

tokio::task_local! {
    /// How the answer that this task sends is taken.
    static TAKING: Arc<Taking>;
}

/// How a client takes the answer on one stream.
#[derive(Debug, Default)]
pub(crate) struct Taking {
    /// Pieces of the answer that were handed over.
    handed: AtomicU64,
    /// The last piece waits for the client, and nobody has asked for another.
    waits: AtomicBool,
    /// When the answer is to have gone out.
    cutoff: OnceLock<Instant>,
}

impl Taking {
    /// That of the stream which this task serves; `None` on a connection without streams.
    pub(crate) fn current() -> Option<Arc<Self>> {
        TAKING.try_with(Arc::clone).ok()
    }

    /// The next piece is asked for.
    pub(crate) fn asked(&self) {
        self.waits.store(false, Ordering::Relaxed);
    }

    /// A piece was handed over.
    pub(crate) fn handed(&self) {
        self.handed.fetch_add(1, Ordering::Relaxed);
        self.waits.store(true, Ordering::Relaxed);
    }

    /// The answer is to have gone out by then.
    pub(crate) fn cut_off_at(&self, cutoff: Instant) {
        let _ = self.cutoff.set(cutoff);
    }
}

/// Serves each stream by a task of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamExecutor {
    pub(super) write_timeout: Duration,
}

impl<F> hyper::rt::Executor<F> for StreamExecutor
where
    F: Future<Output: Send> + Send + 'static,
{
    fn execute(&self, answering: F) {
        let taking = Arc::new(Taking::default());
        let answering = TAKING.scope(Arc::clone(&taking), answering);
        let write_timeout = self.write_timeout;
        tokio::spawn(Stream { answering, taking, write_timeout, seen: 0, timer: None });
    }
}

pin_project_lite::pin_project! {
    /// One stream; dropping what answers it resets it.
    struct Stream<F> {
        #[pin]
        answering: TaskLocalFuture<Arc<Taking>, F>,
        taking: Arc<Taking>,
        write_timeout: Duration,
        // The piece that the timer is about.
        seen: u64,
        // Runs while a piece waits for the client.
        timer: Option<Pin<Box<Sleep>>>,
    }
}

impl<F: Future> Future for Stream<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = self.project();
        if this.answering.poll(context).is_ready() {
            return Poll::Ready(());
        }
        if !this.taking.waits.load(Ordering::Relaxed) {
            *this.timer = None;
            return Poll::Pending;
        }
        let handed = this.taking.handed.load(Ordering::Relaxed);
        if *this.seen != handed {
            *this.seen = handed;
            *this.timer = None;
        }
        let timer = this.timer.get_or_insert_with(|| {
            let stalled = Instant::now() + *this.write_timeout;
            let cutoff = this.taking.cutoff.get();
            Box::pin(sleep_until(cutoff.map_or(stalled, |cutoff| stalled.min(*cutoff))))
        });
        timer.as_mut().poll(context).map(|()| {
            tracing::debug!(
                "a stream is reset: its client takes nothing of the answer (setting: write_timeout)"
            );
        })
    }
}
