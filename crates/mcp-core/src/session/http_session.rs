//! A session over HTTP as this process deals with it.

use super::{LiveSession, holders::Holders};
use crate::ports::SessionKey;
use event_listener::Event;
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Instant,
};

/// What this process holds of one HTTP session.
#[derive(Debug)]
pub(crate) struct HttpSession {
    pub(crate) key: SessionKey,
    pub(crate) live: Arc<LiveSession>,
    pub(super) holders: Arc<Holders>,
    /// Notified whenever an event was added to one of the session's streams.
    pub(super) appended: Arc<Event>,
    /// Calls that run and streams that are open.
    pub(super) at_work: AtomicUsize,
    ended: AtomicBool,
    last_used: Mutex<Instant>,
}

impl HttpSession {
    pub(super) fn new(key: SessionKey, now: Instant) -> Self {
        let live = Arc::new(LiveSession::of(key.owner.clone()));
        Self {
            key,
            live,
            holders: Arc::default(),
            appended: Arc::default(),
            at_work: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            last_used: Mutex::new(now),
        }
    }

    /// How many calls run and streams are open.
    pub(crate) fn work(&self) -> usize {
        self.at_work.load(Ordering::Acquire)
    }

    pub(super) fn is_at_work(&self) -> bool {
        self.work() > 0
    }

    pub(super) fn used_at(&self, now: Instant) {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    pub(super) fn last_used(&self) -> Instant {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Ends all that runs for the session here.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Release);
        self.live.end();
        self.holders.end();
        self.appended.notify(usize::MAX);
    }
}
