//! One session of HTTP+SSE: its connection, what waits for its stream, and its end.

use super::carry::{Queued, begin, carry};
use bytes::{Bytes, BytesMut};
use mcp_core::{
    connection::Connection,
    exchange::{Outgoing, Reply},
    ports::{Owner, SessionId},
    server::{Peer, Posted},
};
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Instant,
};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

/// Messages that are ready together go out together, up to about this size.
const BATCH_BYTES: usize = 16 * 1024;

/// A client of HTTP+SSE.
#[derive(Debug)]
pub(crate) struct LegacySession {
    /// What POSTs name it by; nobody can guess it.
    pub(super) key: SessionId,
    pub(super) owner: Owner,
    /// What stands before the paths of the endpoint where the stream was opened.
    pub(super) mount: Box<str>,
    /// Cancelled when the session is over.
    pub(super) ended: CancellationToken,
    connection: Mutex<Connection>,
    /// Where messages wait for the stream; `None` once nothing further is begun.
    sender: Mutex<Option<mpsc::Sender<Queued>>>,
    receiver: Mutex<Option<mpsc::Receiver<Queued>>>,
    /// How many calls may be carried beside the POSTs that brought them.
    carriers: Arc<Semaphore>,
    /// How often the stream came for messages.
    looks: AtomicU64,
}

/// What became of a posted message.
#[derive(Debug)]
pub(super) enum Taken {
    /// What is answered to it goes out on the stream.
    Accepted,
    /// The error to answer the POST itself with.
    Refused(Reply),
    /// The session is over.
    Gone,
}

impl LegacySession {
    /// A session of `queue` messages that wait, and as many calls that are carried as may be in flight.
    pub(super) fn new(
        key: SessionId,
        owner: Owner,
        mount: &str,
        connection: Connection,
        (queue, in_flight): (usize, usize),
    ) -> Self {
        let (sender, receiver) = mpsc::channel(queue);
        Self {
            key,
            owner,
            mount: mount.into(),
            ended: CancellationToken::new(),
            connection: Mutex::new(connection),
            sender: Mutex::new(Some(sender)),
            receiver: Mutex::new(Some(receiver)),
            carriers: Arc::new(Semaphore::new(in_flight)),
            looks: AtomicU64::new(0),
        }
    }

    /// Takes a message that was posted. A call that takes time gets a task of its own; an answer that is there at
    /// once is put where the stream finds it before this completes. With a deadline a call is answered by then.
    pub(super) async fn post(&self, message: Bytes, peer: Peer, deadline: Option<Instant>) -> Taken {
        let posted = lock(&self.connection).post(message, peer);
        if self.has_ended() {
            return Taken::Gone;
        }
        let mut exchange = match posted {
            Posted::Accepted => return Taken::Accepted,
            Posted::Refused(reply) => return Taken::Refused(reply),
            Posted::Exchange(exchange) => exchange,
        };
        if let Some(deadline) = deadline {
            exchange.end_by(deadline);
        }
        let Some(sender) = lock(&self.sender).clone() else {
            // The server shuts down, which every request is told at once.
            let said = exchange.poll_message(&mut Context::from_waker(Waker::noop()));
            return match said {
                Poll::Ready(Some(Outgoing::Reply(reply))) => Taken::Refused(reply),
                _ => Taken::Gone,
            };
        };
        let Some(rest) = begin(exchange, &sender) else { return Taken::Accepted };
        let carrying = carry(rest, sender, self.ended.clone());
        match Arc::clone(&self.carriers).try_acquire_owned() {
            Ok(place) => {
                tokio::spawn(async move {
                    carrying.await;
                    drop(place);
                });
            }
            // What is refused for the number of requests in flight waits here for its room, holding its POST.
            Err(_) => carrying.await,
        }
        if self.has_ended() { Taken::Gone } else { Taken::Accepted }
    }

    /// Writes what waits, and what changed; tells whether nothing further comes.
    pub(super) fn fill(&self, out: &mut BytesMut, context: &mut Context<'_>) -> bool {
        self.looks.fetch_add(1, Ordering::Relaxed);
        let mut receiver = lock(&self.receiver);
        let Some(receiver) = receiver.as_mut() else { return true };
        while out.len() < BATCH_BYTES {
            match receiver.poll_recv(context) {
                Poll::Ready(Some(queued)) => {
                    if let Some(message) = queued.into_message() {
                        write(out, &message);
                    }
                }
                Poll::Ready(None) => return true,
                Poll::Pending => match lock(&self.connection).poll_change(context) {
                    Poll::Ready(change) => write(out, &change),
                    Poll::Pending => return false,
                },
            }
        }
        false
    }

    /// How often the stream came for messages, and whether some wait.
    pub(super) fn progress(&self) -> (u64, bool) {
        let waiting = lock(&self.receiver).as_ref().is_some_and(|receiver| !receiver.is_empty());
        (self.looks.load(Ordering::Relaxed), waiting)
    }

    /// Tells whether the client has shaken hands.
    pub(super) fn has_shaken_hands(&self) -> bool {
        lock(&self.connection).has_session()
    }

    /// The server shuts down: what is in flight may finish, then the stream ends.
    pub(super) fn drain(&self) {
        lock(&self.connection).end_of_input();
        lock(&self.sender).take();
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.is_cancelled()
    }

    /// Ends the session: its calls are cancelled, what waits is dropped.
    pub(super) fn end(&self) {
        self.ended.cancel();
        lock(&self.connection).end();
        let waiting = (lock(&self.sender).take(), lock(&self.receiver).take());
        drop(waiting);
    }
}

/// Writes a message as an event.
fn write(out: &mut BytesMut, message: &[u8]) {
    const BEFORE: &[u8] = b"event: message\ndata: ";
    out.reserve(BEFORE.len() + message.len() + 2);
    out.extend_from_slice(BEFORE);
    out.extend_from_slice(message);
    out.extend_from_slice(b"\n\n");
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
