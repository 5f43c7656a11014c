//! Sessions by id, by owner and by when they end.

use foldhash::HashMap;
use mcp_core::ports::{
    ListViewUpdate, Owner, SessionId, SessionKey, SessionLimits, SessionRecord, SessionUpdate, StoreError,
    StoreLimit,
};
use std::{collections::BTreeSet, time::SystemTime};

/// The sessions of a process, with two indexes that every change keeps in step.
#[derive(Debug, Default)]
pub(super) struct SessionTable {
    records: HashMap<SessionId, SessionRecord>,
    ends: BTreeSet<(SystemTime, SessionId)>,
    owned: HashMap<Owner, usize>,
}

impl SessionTable {
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn create(
        &mut self,
        record: SessionRecord,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.expire(now);
        let SessionKey { id, owner, .. } = &record.key;
        if self.records.contains_key(id) {
            return Err(StoreError::Conflict);
        }
        Self::admit(&record, 0, 0, limits)?;
        let owned = self.owned.get(owner).copied().unwrap_or(0);
        if *owner != Owner::Anonymous && owned >= limits.per_principal {
            return reached(StoreLimit::SessionsOfPrincipal);
        }
        if self.records.len() >= limits.total {
            return reached(StoreLimit::Sessions);
        }
        self.owned.insert(owner.clone(), owned + 1);
        self.ends.insert((record.idle_at, id.clone()));
        self.records.insert(id.clone(), record);
        Ok(())
    }

    /// Judges whether a record may hold `more` subscriptions and `bytes` of text beyond what it holds.
    pub(super) fn admit(
        record: &SessionRecord,
        more: usize,
        bytes: usize,
        limits: &SessionLimits,
    ) -> Result<(), StoreError> {
        if record.subscriptions.len() + more > limits.subscriptions {
            return reached(StoreLimit::Subscriptions);
        }
        if record.text_bytes() + bytes > limits.text_bytes {
            return reached(StoreLimit::SessionText);
        }
        Ok(())
    }

    /// Judges whether the lists of a record may change like this; what takes something away they always may.
    pub(super) fn admit_view(
        record: &SessionRecord,
        update: &ListViewUpdate,
        limits: &SessionLimits,
    ) -> Result<(), StoreError> {
        if let Some(limit) = update.beyond(limits.hidden, limits.open_toolboxes) {
            return reached(limit);
        }
        let more = update.after.text_bytes().saturating_sub(update.before.text_bytes());
        if more > 0 && record.text_bytes() + more > limits.text_bytes {
            return reached(StoreLimit::SessionText);
        }
        Ok(())
    }

    pub(super) fn find(&self, key: &SessionKey, now: SystemTime) -> Option<&SessionRecord> {
        self.records.get(&key.id).filter(|record| record.key == *key && record.is_live(now))
    }

    pub(super) fn touch(&mut self, key: &SessionKey, now: SystemTime) -> Option<&SessionRecord> {
        let record = self.records.get_mut(&key.id)?;
        if record.key != *key || !record.is_live(now) {
            return None;
        }
        let before = record.idle_at;
        record.refresh(now);
        if record.idle_at != before {
            self.ends.remove(&(before, key.id.clone()));
            self.ends.insert((record.idle_at, key.id.clone()));
        }
        Some(record)
    }

    /// Changes a record by `change`, which tells whether it changed anything and leaves the key and the
    /// times alone.
    pub(super) fn update(
        &mut self,
        key: &SessionKey,
        now: SystemTime,
        change: impl FnOnce(&mut SessionRecord) -> Result<bool, StoreError>,
    ) -> Result<SessionUpdate, StoreError> {
        match self.records.get_mut(&key.id) {
            Some(record) if record.key == *key && record.is_live(now) => change(record)
                .map(|changed| if changed { SessionUpdate::Changed } else { SessionUpdate::Unchanged }),
            _ => Ok(SessionUpdate::Unknown),
        }
    }

    pub(super) fn remove(&mut self, key: &SessionKey, now: SystemTime) -> bool {
        let found = self.find(key, now).is_some();
        if found {
            self.forget(&key.id);
        }
        found
    }

    pub(super) fn expire(&mut self, now: SystemTime) -> usize {
        let before = self.records.len();
        while let Some((_, id)) = self.ends.first().filter(|(end, _)| *end <= now) {
            let id = id.clone();
            self.forget(&id);
        }
        before - self.records.len()
    }

    fn forget(&mut self, id: &SessionId) {
        let Some(record) = self.records.remove(id) else { return };
        self.ends.remove(&(record.idle_at, record.key.id));
        if let Some(owned) = self.owned.get_mut(&record.key.owner) {
            *owned -= 1;
            if *owned == 0 {
                self.owned.remove(&record.key.owner);
            }
        }
    }
}

fn reached<T>(limit: StoreLimit) -> Result<T, StoreError> {
    Err(StoreError::LimitReached { limit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_core::{ports::EndpointPath, protocol::ClientCapabilities, version::ProtocolVersion};
    use proptest::prelude::*;
    use std::time::Duration;

    fn key(number: u8) -> SessionKey {
        let owner = Owner::Principal { issuer: None, subject: (number % 3).to_string().into(), client: None };
        SessionKey { id: SessionId::from_random([number; 32]), owner, endpoint: EndpointPath::new("/mcp") }
    }

    proptest! {
        #[test]
        fn the_indexes_follow_every_change(
            steps in prop::collection::vec((0_u8..4, 0_u8..8, 0_u64..5), 0..60),
        ) {
            let limits = SessionLimits { total: 6, per_principal: 3, ..SessionLimits::default() };
            let (mut table, mut now) = (SessionTable::default(), SystemTime::UNIX_EPOCH);
            for (step, number, seconds) in steps {
                now += Duration::from_secs(seconds);
                let (version, client) = (ProtocolVersion::LATEST_HANDSHAKE, ClientCapabilities::default());
                let idle_ttl = Duration::from_secs(9);
                let record = SessionRecord::begin(key(number), version, &client, None, idle_ttl, now);
                match step {
                    0 => drop(table.create(record, &limits, now)),
                    1 => drop(table.touch(&key(number), now).cloned()),
                    2 => { table.remove(&key(number), now); }
                    _ => { table.expire(now); }
                }
                let (mut ends, mut owned) = (BTreeSet::new(), HashMap::default());
                for record in table.records.values() {
                    ends.insert((record.idle_at, record.key.id.clone()));
                    *owned.entry(record.key.owner.clone()).or_insert(0) += 1;
                }
                prop_assert_eq!(&table.ends, &ends);
                prop_assert_eq!(&table.owned, &owned);
                prop_assert!(table.len() <= 6 && owned.values().all(|count| *count <= 3));
            }
        }
    }
}
