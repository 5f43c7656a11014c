//! Sessions in memory.

use super::session_table::SessionTable;
use async_trait::async_trait;
use mcp_core::{
    ports::{
        ListViewChange, ListViewUpdate, SessionKey, SessionLimits, SessionRecord, SessionStore,
        SessionUpdate, StoreError,
    },
    protocol::LogLevel,
};
use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

/// A [`SessionStore`] within one process.
///
/// Each operation holds one lock for a time that grows with the logarithm of the number of sessions, and
/// with the number of subscriptions of its own. A new session makes room by removing the expired ones.
#[derive(Default)]
pub struct MemorySessions {
    table: Mutex<SessionTable>,
}

impl MemorySessions {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, SessionTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SessionStore for MemorySessions {
    async fn create(
        &self,
        record: SessionRecord,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.lock().create(record, limits, now)
    }

    async fn touch(&self, key: &SessionKey, now: SystemTime) -> Result<Option<SessionRecord>, StoreError> {
        Ok(self.lock().touch(key, now).cloned())
    }

    async fn load(&self, key: &SessionKey, now: SystemTime) -> Result<Option<SessionRecord>, StoreError> {
        Ok(self.lock().find(key, now).cloned())
    }

    async fn mark_initialized(&self, key: &SessionKey, now: SystemTime) -> Result<SessionUpdate, StoreError> {
        self.lock().update(key, now, |record| {
            let changed = !record.initialized;
            record.initialized = true;
            Ok(changed)
        })
    }

    async fn set_log_level(
        &self,
        key: &SessionKey,
        level: LogLevel,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        self.lock().update(key, now, |record| Ok(record.log_level.replace(level) != Some(level)))
    }

    async fn subscribe(
        &self,
        key: &SessionKey,
        uri: &str,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        self.lock().update(key, now, |record| {
            if record.subscriptions.contains(uri) {
                return Ok(false);
            }
            SessionTable::admit(record, 1, uri.len(), limits)?;
            Ok(record.subscriptions.insert(uri.into()))
        })
    }

    async fn unsubscribe(
        &self,
        key: &SessionKey,
        uri: &str,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        self.lock().update(key, now, |record| Ok(record.subscriptions.remove(uri)))
    }

    async fn change_view(
        &self,
        key: &SessionKey,
        change: &ListViewChange,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<Option<ListViewUpdate>, StoreError> {
        let mut told = None;
        self.lock().update(key, now, |record| {
            let update =
                ListViewUpdate { before: record.view.clone(), after: record.view.changed_by(change) };
            SessionTable::admit_view(record, &update, limits)?;
            record.view = update.after.clone();
            let changed = update.before != update.after;
            told = Some(update);
            Ok(changed)
        })?;
        Ok(told)
    }

    async fn remove(&self, key: &SessionKey, now: SystemTime) -> Result<bool, StoreError> {
        Ok(self.lock().remove(key, now))
    }

    async fn expire(&self, now: SystemTime) -> Result<usize, StoreError> {
        Ok(self.lock().expire(now))
    }

    async fn count(&self, now: SystemTime) -> Result<usize, StoreError> {
        let mut table = self.lock();
        table.expire(now);
        Ok(table.len())
    }
}

impl fmt::Debug for MemorySessions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MemorySessions").field("sessions", &self.lock().len()).finish()
    }
}
