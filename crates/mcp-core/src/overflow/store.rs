//! Large texts in the memory of this process, each for its owner.

use super::{Overflow, range::PREFIX};
use crate::{
    context::Context,
    json::JsonLimits,
    ports::{Owner, SessionId},
};
use foldhash::HashMap;
use std::{
    collections::VecDeque,
    fmt::Write as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

/// Whom a text is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    Owner(Owner),
    /// A session where there is no principal.
    Session(SessionId),
}

/// What kind of text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Json,
}

/// A text that is kept.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) text: Arc<String>,
    pub(super) kind: Kind,
}

/// There is no place for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoPlace(pub(super) &'static str);

/// The texts that are kept.
#[derive(Debug)]
pub(crate) struct Store {
    pub(super) settings: Overflow,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    kept: HashMap<Box<str>, Entry>,
    /// In the order they came, which is the order in which they end; some may be gone.
    order: VecDeque<(Box<str>, Instant)>,
    /// The ids of each holder, oldest first.
    held: HashMap<Holder, VecDeque<Box<str>>>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    kept: Kept,
    holder: Holder,
    ends: Instant,
}

impl Holder {
    pub(super) fn of(context: &Context) -> Self {
        let caller = &context.0.caller;
        match (&caller.principal, &caller.session) {
            (None, Some(session)) => Self::Session(session.clone()),
            (principal, _) => Self::Owner(Owner::of(principal.as_deref())),
        }
    }

    /// Whoever this is, it is not one caller alone.
    fn is_shared(&self) -> bool {
        *self == Self::Owner(Owner::Anonymous)
    }
}

impl Store {
    pub(crate) fn new(settings: Overflow) -> Self {
        Self { settings, state: Mutex::default() }
    }

    /// Tells whether every tool may use it.
    pub(crate) fn is_for_all_tools(&self) -> bool {
        self.settings.all_tools
    }

    /// What a structured result that may be kept may cost to check.
    pub(crate) fn json_limits(&self, depth: usize) -> JsonLimits {
        JsonLimits { document_bytes: self.settings.item_bytes, depth, ..JsonLimits::widest() }
    }

    /// Keeps a text under an id of these random bytes; gives its URI, or the text back.
    pub(super) fn keep(
        &self,
        holder: Holder,
        text: String,
        kind: Kind,
        now: Instant,
        random: [u8; 16],
    ) -> Result<String, (NoPlace, String)> {
        let length = text.len();
        if length > self.settings.item_bytes {
            return Err((NoPlace("overflow.item_bytes"), text));
        }
        let id: Box<str> = random
            .iter()
            .fold(String::with_capacity(32), |mut id, byte| {
                let _ = write!(id, "{byte:02x}");
                id
            })
            .into();
        let mut state = self.lock();
        state.end_old(now);
        let most_held = if holder.is_shared() { usize::MAX } else { self.settings.per_owner };
        while state.held.get(&holder).is_some_and(|held| held.len() >= most_held) {
            state.drop_oldest(&holder);
        }
        loop {
            let full = if state.kept.len() >= self.settings.entries {
                NoPlace("overflow.entries")
            } else if state.bytes.saturating_add(length) > self.settings.total_bytes {
                NoPlace("overflow.total_bytes")
            } else {
                break;
            };
            if !state.drop_oldest(&holder) {
                return Err((full, text));
            }
        }
        state.remove(&id);
        let ends = now + self.settings.ttl;
        state.bytes += length;
        state.order.push_back((id.clone(), ends));
        state.held.entry(holder.clone()).or_default().push_back(id.clone());
        let uri = format!("{PREFIX}{id}");
        state.kept.insert(id, Entry { kept: Kept { text: Arc::new(text), kind }, holder, ends });
        Ok(uri)
    }

    /// The text of an id, for whom it was kept.
    pub(super) fn get(&self, id: &str, holder: &Holder, now: Instant) -> Option<Kept> {
        let mut state = self.lock();
        state.end_old(now);
        state
            .kept
            .get(id)
            .filter(|entry| entry.holder == *holder && entry.ends > now)
            .map(|entry| entry.kept.clone())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Drops what has been kept for long enough.
    fn end_old(&mut self, now: Instant) {
        while let Some((id, ends)) = self.order.front() {
            let kept = self.kept.contains_key(id);
            if *ends > now && kept {
                return;
            }
            let gone = self.order.pop_front();
            if let Some((id, _)) = gone.filter(|_| kept) {
                self.remove(&id);
            }
        }
    }

    /// Drops the oldest text of a holder; tells whether there was one.
    fn drop_oldest(&mut self, holder: &Holder) -> bool {
        let oldest = self.held.get(holder).and_then(|held| held.front()).cloned();
        oldest.is_some_and(|id| self.remove(&id))
    }

    fn remove(&mut self, id: &str) -> bool {
        let Some(entry) = self.kept.remove(id) else { return false };
        self.bytes -= entry.kept.text.len();
        if let Some(held) = self.held.get_mut(&entry.holder) {
            held.retain(|held| **held != *id);
            if held.is_empty() {
                self.held.remove(&entry.holder);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn holder(subject: &str) -> Holder {
        Holder::Owner(Owner::Principal { issuer: None, subject: subject.into(), client: None })
    }

    struct World {
        store: Store,
        now: Instant,
        made: u8,
    }

    impl World {
        fn new(settings: Overflow) -> Self {
            Self { store: Store::new(settings), now: tokio::time::Instant::now().into_std(), made: 0 }
        }

        fn keep(&mut self, subject: &str, bytes: usize) -> Result<String, NoPlace> {
            self.made += 1;
            self.store
                .keep(holder(subject), "x".repeat(bytes), Kind::Text, self.now, [self.made; 16])
                .map_err(|(full, _)| full)
        }

        fn finds(&self, uri: &str, subject: &str) -> bool {
            self.store.get(uri.strip_prefix(PREFIX).unwrap(), &holder(subject), self.now).is_some()
        }

        fn size(&self) -> (usize, usize, usize, usize) {
            let state = self.store.lock();
            (state.kept.len(), state.held.len(), state.order.len(), state.bytes)
        }
    }

    #[test]
    fn a_text_is_found_by_its_owner_until_it_ends() {
        let mut world = World::new(Overflow::new().ttl(Duration::from_secs(60)));
        let uri = world.keep("a", 10).unwrap();
        assert!(world.finds(&uri, "a") && !world.finds(&uri, "b"));
        world.now += Duration::from_secs(59);
        assert!(world.finds(&uri, "a"));
        world.now += Duration::from_secs(1);
        assert!(!world.finds(&uri, "a"));
        assert_eq!(world.size(), (0, 0, 0, 0));
    }

    #[test]
    fn an_owner_takes_its_own_places_and_nobody_elses() {
        let mut world = World::new(Overflow::new().per_owner(2).entries(3));
        let first = world.keep("a", 1).unwrap();
        let second = world.keep("a", 1).unwrap();
        let third = world.keep("a", 1).unwrap();
        assert!(!world.finds(&first, "a") && world.finds(&second, "a") && world.finds(&third, "a"));
        world.keep("b", 1).unwrap();
        assert_eq!(world.keep("c", 1), Err(NoPlace("overflow.entries")));
        let fourth = world.keep("b", 1).unwrap();
        assert!(world.finds(&fourth, "b") && world.finds(&third, "a"));
    }

    #[test]
    fn the_bytes_of_all_are_bounded() {
        let mut world = World::new(Overflow::new().item_bytes(1 << 16).total_bytes(100_000));
        assert_eq!(world.keep("a", (1 << 16) + 1), Err(NoPlace("overflow.item_bytes")));
        let large = world.keep("a", 60_000).unwrap();
        assert_eq!(world.keep("b", 60_000), Err(NoPlace("overflow.total_bytes")));
        assert!(world.finds(&large, "a"));
        let other = world.keep("a", 60_000).unwrap();
        assert!(!world.finds(&large, "a") && world.finds(&other, "a"));
        assert_eq!(world.size().3, 60_000);
    }
}
