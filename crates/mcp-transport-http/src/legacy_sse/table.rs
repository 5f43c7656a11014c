//! The open sessions of HTTP+SSE, and how many there may be.

use super::session::LegacySession;
use mcp_core::{
    ports::{Owner, SessionId, SessionLimits},
    principal::Principal,
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Sessions by their key.
#[derive(Debug)]
pub(crate) struct Table {
    state: Mutex<State>,
    limits: SessionLimits,
}

#[derive(Debug, Default)]
struct State {
    by_key: HashMap<SessionId, Arc<LegacySession>>,
    /// How many each principal has.
    of_owner: HashMap<Owner, usize>,
}

/// A session's place; dropping it ends the session and makes room for another.
#[derive(Debug)]
pub(crate) struct Place {
    table: Arc<Table>,
    pub(super) session: Arc<LegacySession>,
}

impl Table {
    pub(super) fn new(limits: SessionLimits) -> Self {
        Self { state: Mutex::default(), limits }
    }

    pub(super) fn open(&self) -> usize {
        self.lock().by_key.len()
    }

    /// Takes a session in.
    ///
    /// # Errors
    /// The setting that leaves no room for it. Callers who are not authenticated cannot be told apart, so only all
    /// of them together are bounded.
    pub(super) fn enter(self: &Arc<Self>, session: Arc<LegacySession>) -> Result<Place, &'static str> {
        let mut state = self.lock();
        if state.by_key.len() >= self.limits.total {
            return Err("sessions.limits.total");
        }
        if session.owner != Owner::Anonymous {
            let own = state.of_owner.entry(session.owner.clone()).or_default();
            if *own >= self.limits.per_principal {
                return Err("sessions.limits.per_principal");
            }
            *own += 1;
        }
        state.by_key.insert(session.key.clone(), Arc::clone(&session));
        drop(state);
        Ok(Place { table: Arc::clone(self), session })
    }

    /// The session of a key, when it is open, belongs to the caller, and was opened under the same mount.
    pub(super) fn find(
        &self,
        key: &str,
        principal: Option<&Principal>,
        mount: &str,
    ) -> Option<Arc<LegacySession>> {
        let session = self.lock().by_key.get(key).cloned()?;
        (session.owner.is(principal) && *session.mount == *mount && !session.has_ended()).then_some(session)
    }

    fn leave(&self, session: &LegacySession) {
        let mut state = self.lock();
        state.by_key.remove(&session.key);
        if let Some(own) = state.of_owner.get_mut(&session.owner) {
            *own -= 1;
            if *own == 0 {
                state.of_owner.remove(&session.owner);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.table.leave(&self.session);
        self.session.end();
    }
}
