//! Which client an elicitation belongs to, so that only that client hears of its completion.

use super::Server;
use crate::subscription::Registration;
use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError, Weak},
};

/// How many elicitations are remembered; the oldest is forgotten beyond that.
const MOST: usize = 10_000;

/// URL elicitations that clients of 2025-11-25 were sent.
#[derive(Debug, Default)]
pub(crate) struct Elicitations {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    clients: HashMap<Box<str>, Weak<Registration>>,
    oldest: VecDeque<Box<str>>,
}

impl Elicitations {
    /// Notes the client that was sent an elicitation.
    pub(crate) fn add(&self, id: &str, client: &Arc<Registration>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.clients.insert(id.into(), Arc::downgrade(client)).is_none() {
            state.oldest.push_back(id.into());
        }
        if state.oldest.len() > MOST
            && let Some(oldest) = state.oldest.pop_front()
        {
            state.clients.remove(&oldest);
        }
    }

    fn take(&self, id: &str) -> Option<Arc<Registration>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let client = state.clients.remove(id)?;
        state.oldest.retain(|other| **other != *id);
        client.upgrade()
    }
}

impl Server {
    /// Tells the client that was asked to open a page that its user is done there; once per elicitation.
    ///
    /// `id` is what [`Client::elicitation_id`](crate::extract::Client::elicitation_id) gave, or what
    /// [`Ask::elicitation_id`](crate::ask::Ask::elicitation_id) set. Gives whether a client is told: no other
    /// client is, and on 2026-07-28 there is no such notification, because the client repeats its request by itself.
    ///
    /// Spec: 2025-11-25, client/elicitation#completion-notifications.
    #[must_use = "tells whether there is such a client"]
    pub fn complete_elicitation(&self, id: &str) -> bool {
        match self.elicitations().take(id) {
            Some(client) => {
                client.subscriber().elicited(id);
                true
            }
            None => false,
        }
    }
}
