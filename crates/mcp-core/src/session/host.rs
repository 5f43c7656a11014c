//! The sessions this process has to do with.

use super::{HttpSession, Sessions, detached::Detached};
use crate::{
    ports::{SessionId, SessionKey, TaskOwner},
    server::Server,
};
use foldhash::HashMap;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::Instant,
};

/// The sessions of a server: where they are kept, and those that are live in this process.
///
/// A session is here from its first request in this process until it ends, or until it has neither work nor
/// changes to wait for; the store remembers it all the same.
#[derive(Debug)]
pub(crate) struct SessionHost {
    pub(crate) settings: Sessions,
    by_id: Mutex<HashMap<SessionId, Arc<HttpSession>>>,
    pub(crate) detached: Arc<Detached>,
    /// The keeper has been started.
    pub(super) keeping: AtomicBool,
}

impl SessionHost {
    pub(crate) fn new(settings: Sessions) -> Self {
        Self { settings, by_id: Mutex::default(), detached: Arc::default(), keeping: AtomicBool::new(false) }
    }

    /// The session of an id, when it is live here; it counts as used now.
    pub(super) fn get(&self, id: &str, now: Instant) -> Option<Arc<HttpSession>> {
        let by_id = self.lock();
        let session = by_id.get(id)?;
        session.used_at(now);
        Some(Arc::clone(session))
    }

    /// The session of a key, made live here when it was not.
    pub(super) fn enter(&self, key: &SessionKey, now: Instant) -> Arc<HttpSession> {
        let mut by_id = self.lock();
        if let Some(session) = by_id.get(&key.id) {
            session.used_at(now);
            return Arc::clone(session);
        }
        let session = Arc::new(HttpSession::new(key.clone(), now));
        by_id.insert(key.id.clone(), Arc::clone(&session));
        session
    }

    /// Makes sure that a session which was found here is still found by those who come next; gives the one they
    /// find. An ended one stays away.
    pub(super) fn keep(&self, session: Arc<HttpSession>) -> Arc<HttpSession> {
        let mut by_id = self.lock();
        if session.is_ended() {
            return session;
        }
        Arc::clone(by_id.entry(session.key.id.clone()).or_insert(session))
    }

    /// Ends what runs here for a session that is no longer in the store.
    pub(super) async fn end(&self, server: &Server, session: &HttpSession) {
        // First, so that nobody who found it before takes it in again.
        session.end();
        self.lock().remove(&session.key.id);
        self.forget_all(server, &session.key).await;
    }

    /// Removes what is kept for a session that has ended: its events, and the tasks that belong to nobody else.
    pub(super) async fn forget_all(&self, server: &Server, key: &SessionKey) {
        if let Some(tasks) = server.tasks() {
            tasks.end_owner(server, &TaskOwner::Session(key.id.clone())).await;
        }
        if let Err(error) = self.settings.events.remove_session(key).await {
            tracing::warn!(%error, "the events of an ended session could not be removed");
        }
    }

    /// Lets a session go that has no work and was last used at `unused_since` or before.
    pub(super) fn forget_unused(&self, session: &HttpSession, unused_since: Instant) {
        let mut by_id = self.lock();
        if !session.is_at_work() && session.last_used() <= unused_since {
            by_id.remove(&session.key.id);
        }
    }

    /// The sessions that are live in this process.
    pub(crate) fn all(&self) -> Vec<Arc<HttpSession>> {
        self.lock().values().cloned().collect()
    }

    /// The server shuts down: streams end, and no client can answer any more what it was asked.
    pub(crate) fn shut_down(&self) {
        for session in self.all() {
            session.live.questions.close();
            session.holders.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<HttpSession>>> {
        self.by_id.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
