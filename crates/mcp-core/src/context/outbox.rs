//! Messages a call sends before its reply.

use crate::exchange::{Outgoing, StreamControl};
use bytes::Bytes;
use futures_util::task::AtomicWaker;
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    task::Waker,
};

/// A bounded queue of messages between a handler and whoever drives its call.
///
/// Putting never waits. When the queue is full, a newer progress report replaces the one at its
/// end and other notifications are dropped and counted: a slow reader costs messages, not memory.
/// All notifications of a call share its bytes, beside those that are kept for the reply: once they are used up,
/// further ones are dropped. Requests to the client are never dropped; the session bounds how many are open.
#[derive(Debug)]
pub(crate) struct Outbox {
    state: Mutex<State>,
    driver: AtomicWaker,
    most: usize,
}

#[derive(Debug, Default)]
struct State {
    /// The bytes that notifications may still have.
    bytes: usize,
    queue: VecDeque<Entry>,
    last_progress: Option<f64>,
    dropped: u64,
    closed: bool,
}

#[derive(Debug)]
struct Entry {
    message: Outgoing,
    kind: Kind,
}

/// What may become of a message that is still queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A newer report may take its place.
    Progress,
    /// It may be taken back, by its id.
    Request(i64),
    /// It goes out.
    Other,
}

impl Outbox {
    /// A queue of at most `most` messages at once, and of notifications with `bytes` in all.
    pub(crate) fn new(most: usize, bytes: usize) -> Self {
        let state = State { bytes, ..State::default() };
        Self { state: Mutex::new(state), driver: AtomicWaker::new(), most }
    }

    /// Queues a notification.
    pub(crate) fn put(&self, message: Bytes) {
        let mut state = self.lock();
        if state.closed {
            return;
        }
        if state.queue.len() >= self.most || !state.spend(&message) {
            state.dropped += 1;
            return;
        }
        state.queue.push_back(Entry { message: Outgoing::Notification(message), kind: Kind::Other });
        drop(state);
        self.driver.wake();
    }

    /// Queues a request to the client; tells whether it can still go out.
    pub(crate) fn put_request(&self, id: i64, message: Bytes) -> bool {
        self.put_always(Outgoing::Request(message), Kind::Request(id))
    }

    /// Takes a request to the client back; tells whether it was still queued.
    pub(crate) fn take_back(&self, id: i64) -> bool {
        let mut state = self.lock();
        let place = state.queue.iter().rposition(|entry| entry.kind == Kind::Request(id));
        place.and_then(|place| state.queue.remove(place)).is_some()
    }

    /// Queues a wish about the stream that carries the call.
    pub(crate) fn put_control(&self, control: StreamControl) {
        let is_it = |entry: &Entry| matches!(entry.message, Outgoing::Stream(queued) if queued == control);
        // A handler may say it as often as it likes: once is enough.
        if !self.lock().queue.iter().any(is_it) {
            self.put_always(Outgoing::Stream(control), Kind::Other);
        }
    }

    /// Queues a notification that the client has to hear because of what it was sent before.
    pub(crate) fn put_following(&self, message: Bytes) {
        self.put_always(Outgoing::Notification(message), Kind::Other);
    }

    fn put_always(&self, message: Outgoing, kind: Kind) -> bool {
        let mut state = self.lock();
        if state.closed {
            return false;
        }
        if let Outgoing::Notification(bytes) | Outgoing::Request(bytes) = &message {
            state.bytes = state.bytes.saturating_sub(cost(bytes));
        }
        state.queue.push_back(Entry { message, kind });
        drop(state);
        self.driver.wake();
        true
    }

    /// Queues a progress report when it grows beyond every earlier one; otherwise it is ignored.
    ///
    /// Spec: 2026-07-28, basic/patterns/progress: the value increases with each notification.
    pub(crate) fn put_progress(&self, progress: f64, encode: impl FnOnce() -> Bytes) {
        let mut state = self.lock();
        let grows = progress.is_finite() && state.last_progress.is_none_or(|last| progress > last);
        if state.closed || !grows {
            return;
        }
        let full = state.queue.len() >= self.most;
        let replaces = full && state.queue.back().is_some_and(|last| last.kind == Kind::Progress);
        if full && !replaces {
            state.dropped += 1;
            return;
        }
        let message = encode();
        if replaces && let Some(Entry { message: Outgoing::Notification(last), .. }) = state.queue.back() {
            // What it takes the place of has not gone out.
            state.bytes += cost(last);
        }
        if !state.spend(&message) {
            if replaces && let Some(Entry { message: Outgoing::Notification(last), .. }) = state.queue.back()
            {
                state.bytes -= cost(last);
            }
            state.dropped += 1;
            return;
        }
        state.last_progress = Some(progress);
        if replaces {
            state.queue.pop_back();
        }
        state.queue.push_back(Entry { message: Outgoing::Notification(message), kind: Kind::Progress });
        drop(state);
        self.driver.wake();
    }

    /// Wakes whoever drives the call, which then looks at what it waits for.
    pub(crate) fn wake(&self) {
        self.driver.wake();
    }

    /// Takes the oldest message; when there is none, the waker is called at the next one.
    pub(crate) fn take(&self, waker: &Waker) -> Option<Outgoing> {
        if let Some(entry) = self.lock().queue.pop_front() {
            return Some(entry.message);
        }
        self.driver.register(waker);
        // A message may have come between the look and the registration.
        self.lock().queue.pop_front().map(|entry| entry.message)
    }

    /// Takes everything that is queued.
    pub(crate) fn take_all(&self) -> VecDeque<Outgoing> {
        self.lock().queue.drain(..).map(|entry| entry.message).collect()
    }

    /// Ends the queue: what is in it can still be taken, nothing new comes in.
    pub(crate) fn close(&self) -> u64 {
        let mut state = self.lock();
        state.closed = true;
        state.dropped
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes what a notification costs; tells whether there was enough.
    fn spend(&mut self, message: &Bytes) -> bool {
        match self.bytes.checked_sub(cost(message)) {
            Some(left) => {
                self.bytes = left;
                true
            }
            None => false,
        }
    }
}

/// What a message costs: its bytes, and what a stream of events writes around them.
fn cost(message: &Bytes) -> usize {
    const AROUND: usize = "data: \n\n".len();
    message.len() + AROUND
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::task::noop_waker;

    fn report(outbox: &Outbox, value: f64) {
        outbox.put_progress(value, || Bytes::from(value.to_string()));
    }

    fn taken(outbox: &Outbox) -> Vec<String> {
        std::iter::from_fn(|| outbox.take(&noop_waker()))
            .map(|message| match message {
                Outgoing::Notification(text) => String::from_utf8(text.to_vec()).unwrap(),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn progress_only_grows() {
        let outbox = Outbox::new(10, 1_000);
        for value in [1.0, 3.0, 2.0, 3.0, 3.5, f64::NAN, f64::INFINITY] {
            report(&outbox, value);
        }
        assert_eq!(taken(&outbox), ["1", "3", "3.5"]);
    }

    #[test]
    fn a_full_queue_keeps_the_newest_progress() {
        let outbox = Outbox::new(2, 1_000);
        for value in [1.0, 2.0, 3.0, 4.0] {
            report(&outbox, value);
        }
        outbox.put(Bytes::from_static(b"log"));
        assert_eq!(outbox.close(), 1);
        assert_eq!(taken(&outbox), ["1", "4"]);
    }

    #[test]
    fn a_request_is_taken_back_only_while_it_is_queued() {
        let outbox = Outbox::new(1, 1_000);
        assert!(outbox.put_request(1, Bytes::from_static(b"one")));
        assert!(outbox.put_request(2, Bytes::from_static(b"two")));
        assert!(outbox.take_back(1));
        assert!(!outbox.take_back(1));
        assert_eq!(taken(&outbox), [r#"Request(b"two")"#]);
        assert!(!outbox.take_back(2));
    }

    #[test]
    fn a_wish_about_the_stream_is_queued_once() {
        let outbox = Outbox::new(1, 1_000);
        for _ in 0..1_000 {
            outbox.put_control(StreamControl::Open);
            outbox.put_control(StreamControl::Close);
        }
        assert_eq!(taken(&outbox), ["Stream(Open)", "Stream(Close)"]);
    }

    #[test]
    fn nothing_comes_in_after_the_end() {
        let outbox = Outbox::new(2, 1_000);
        outbox.close();
        report(&outbox, 1.0);
        outbox.put(Bytes::from_static(b"log"));
        assert!(taken(&outbox).is_empty());
    }

    #[test]
    fn notifications_share_their_bytes_and_what_a_newer_report_replaces_is_given_back() {
        let outbox = Outbox::new(2, 40);
        outbox.put(Bytes::from_static(b"twelve bytes"));
        outbox.put(Bytes::from_static(b"twelve bytes"));
        outbox.put(Bytes::from_static(b"twelve bytes"));
        assert!(outbox.put_request(1, Bytes::from_static(b"never dropped")));
        assert_eq!(taken(&outbox), ["twelve bytes", "twelve bytes", "Request(b\"never dropped\")"]);
        outbox.put(Bytes::from_static(b"1"));
        assert!(taken(&outbox).is_empty(), "nothing is left for it");
        assert_eq!(outbox.close(), 2);
        let outbox = Outbox::new(1, 20);
        for value in [1.0, 2.0, 3.0, 4.0] {
            report(&outbox, value);
        }
        assert_eq!(taken(&outbox), ["4"]);
        report(&outbox, 5.0);
        assert_eq!(taken(&outbox), ["5"]);
        report(&outbox, 6.0);
        assert_eq!((taken(&outbox).len(), outbox.close()), (0, 1));
    }
}
