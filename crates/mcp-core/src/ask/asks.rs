//! What a call has asked, what it was answered, and what it remembers.

use super::{
    AskRequest,
    state::{Remembered, RoundState},
};
use crate::{
    context::Context,
    json::{Document, Node, NodeId, RawJson},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The asks of one call; empty and without memory for a call that asks nothing.
#[derive(Default)]
pub(crate) struct Asks(Mutex<Option<Box<Known>>>);

/// What is known of the asks of a call that asks, or that repeats one which asked.
#[derive(Default)]
pub(super) struct Known {
    pub(super) operation_id: Option<Arc<str>>,
    /// The rounds before this one.
    pub(super) round: u32,
    /// Answers that were found to fit, by key.
    pub(super) answers: BTreeMap<Box<str>, Remembered>,
    pub(super) offered: Offered,
    /// What earlier rounds asked, the digest of each request by key; `None` in the first.
    pub(super) issued: Option<BTreeMap<Box<str>, [u8; 32]>>,
    /// Keys whose answers this run of the handler has been given.
    pub(super) given: BTreeSet<Box<str>>,
    /// Keys that two asks had at once, in this round or an earlier one.
    pub(super) clashes: BTreeSet<Box<str>>,
    /// Values the handler wants to keep from round to round.
    pub(super) values: BTreeMap<Box<str>, RawJson>,
    /// What is being asked now, in the order it was asked.
    pub(super) open: Vec<(Box<str>, AskRequest)>,
}

/// Answers that the client sent with the request and that nobody has looked at.
#[derive(Default)]
pub(super) enum Offered {
    #[default]
    Nothing,
    /// In the request itself.
    InRequest(NodeId),
    Apart(Document),
}

impl Offered {
    /// The answer offered for a key.
    pub(super) fn get<'a>(&'a self, context: &'a Context, key: &str) -> Option<Node<'a>> {
        match self {
            Self::Nothing => None,
            Self::InRequest(id) => context.document().node(*id).get(key),
            Self::Apart(document) => document.root().get(key),
        }
    }
}

impl Asks {
    /// What is known; nothing until something is asked.
    pub(super) fn open(&self) -> MutexGuard<'_, Option<Box<Known>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with what is known.
    pub(super) fn with<T>(&self, act: impl FnOnce(&mut Known) -> T) -> T {
        act(self.open().get_or_insert_with(Box::default))
    }

    /// Tells whether something is asked that has no answer yet.
    pub(crate) fn is_asking(&self) -> bool {
        self.open().as_ref().is_some_and(|known| !known.open.is_empty())
    }

    /// Takes up where an earlier round left off.
    pub(super) fn resume(&self, state: Option<RoundState>, offered: Offered) {
        self.with(|known| {
            if let Some(state) = state {
                known.operation_id = Some(state.operation_id.into());
                known.round = state.round;
                known.answers = state.answers;
                known.issued = Some(state.issued);
                known.clashes = state.clashes;
                known.values = state.values;
            }
            known.offered = offered;
        });
    }
}

impl Known {
    /// The call's operation id, made when it is first asked for and the same in every round.
    pub(super) fn operation_id(&mut self, context: &Context) -> Arc<str> {
        let id = self.operation_id.get_or_insert_with(|| {
            let mut random = [0; 16];
            context.runtime().fill_random(&mut random);
            URL_SAFE_NO_PAD.encode(random).into()
        });
        Arc::clone(id)
    }

    pub(super) fn is_open(&self, key: &str) -> bool {
        self.open.iter().any(|(open, _)| **open == *key)
    }

    /// Tells whether a key is taken for a request with this digest: by an ask that is open, or by one that was
    /// answered in this run and asked something else.
    ///
    /// What two asks had at once is noted, so that the second of them fails in every round and not only in the
    /// first, where neither has its answer.
    pub(super) fn is_taken(&mut self, key: &str, digest: &[u8; 32]) -> bool {
        if self.is_open(key) {
            self.clashes.insert(key.into());
            return true;
        }
        let same = || self.answers.get(key).is_some_and(|remembered| remembered.digest == *digest);
        self.given.contains(key) && (self.clashes.contains(key) || !same())
    }

    /// Keeps an answer that this run of the handler is given.
    pub(super) fn give(&mut self, key: &str, remembered: Remembered) {
        self.given.insert(key.into());
        self.answers.insert(key.into(), remembered);
    }

    pub(super) fn withdraw(&mut self, key: &str) {
        self.open.retain(|(open, _)| **open != *key);
    }
}

impl fmt::Debug for Asks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Asks").finish_non_exhaustive()
    }
}
