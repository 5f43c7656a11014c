//! Stores of sessions with one fault each.

use super::{complaint, others_go_on};
use async_trait::async_trait;
use mcp_core::{
    ports::{
        ListViewChange, ListViewUpdate, SessionId, SessionKey, SessionLimits, SessionRecord, SessionStore,
        SessionUpdate, StoreError,
    },
    protocol::LogLevel,
};
use mcp_store::{MemorySessions, contract};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// Finds a session by its id alone.
    IgnoresOwner,
    /// Finds sessions that are idle for too long, until they are freed.
    IgnoresIdleness,
    /// Counts, and inserts later.
    CountsFirst,
    /// Looks whether the session is there, and removes it later.
    LooksBeforeRemoving,
    /// Looks how many subscriptions there are, and adds one later.
    LooksBeforeSubscribing,
    /// Moves the end of a session whenever it is looked at.
    LoadingTouches,
    /// Says that each change changed something.
    AlwaysChanged,
    /// Forgets what the client said about log messages.
    ForgetsLevel,
    /// Looks how much is hidden, and hides more later.
    LooksBeforeHiding,
    /// Looks how many toolboxes are open, and opens one more later.
    LooksBeforeOpening,
    /// Does not know what was hidden before a change.
    ForgetsBefore,
}

#[derive(Debug)]
struct Broken {
    inner: MemorySessions,
    keys: Mutex<HashMap<SessionId, SessionKey>>,
    fault: Fault,
}

impl Broken {
    fn new(fault: Fault) -> Self {
        Self { inner: MemorySessions::new(), keys: Mutex::default(), fault }
    }

    fn key(&self, key: &SessionKey) -> SessionKey {
        let keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let created = keys.get(&key.id).filter(|_| self.fault == Fault::IgnoresOwner);
        created.unwrap_or(key).clone()
    }

    fn told(&self, update: SessionUpdate) -> SessionUpdate {
        match update {
            SessionUpdate::Unchanged if self.fault == Fault::AlwaysChanged => SessionUpdate::Changed,
            update => update,
        }
    }
}

#[async_trait]
impl SessionStore for Broken {
    async fn create(
        &self,
        record: SessionRecord,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.keys.lock().unwrap().insert(record.key.id.clone(), record.key.clone());
        if self.fault == Fault::CountsFirst && self.inner.count(now).await? + 1 < limits.total {
            others_go_on().await;
            let unbounded = SessionLimits { total: usize::MAX, ..*limits };
            return self.inner.create(record, &unbounded, now).await;
        }
        self.inner.create(record, limits, now).await
    }

    async fn touch(&self, key: &SessionKey, now: SystemTime) -> Result<Option<SessionRecord>, StoreError> {
        self.inner.touch(&self.key(key), now).await
    }

    async fn load(&self, key: &SessionKey, now: SystemTime) -> Result<Option<SessionRecord>, StoreError> {
        if self.fault == Fault::LoadingTouches {
            return self.inner.touch(key, now).await;
        }
        let now = if self.fault == Fault::IgnoresIdleness { SystemTime::UNIX_EPOCH } else { now };
        self.inner.load(&self.key(key), now).await
    }

    async fn mark_initialized(&self, key: &SessionKey, now: SystemTime) -> Result<SessionUpdate, StoreError> {
        self.inner.mark_initialized(&self.key(key), now).await.map(|update| self.told(update))
    }

    async fn set_log_level(
        &self,
        key: &SessionKey,
        level: LogLevel,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        let level = if self.fault == Fault::ForgetsLevel { LogLevel::Info } else { level };
        self.inner.set_log_level(&self.key(key), level, now).await.map(|update| self.told(update))
    }

    async fn subscribe(
        &self,
        key: &SessionKey,
        uri: &str,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        let key = self.key(key);
        if self.fault == Fault::LooksBeforeSubscribing {
            let record = self.inner.load(&key, now).await?;
            if record.is_some_and(|record| record.subscriptions.len() < limits.subscriptions) {
                others_go_on().await;
                let unbounded = SessionLimits { subscriptions: usize::MAX, ..*limits };
                return self.inner.subscribe(&key, uri, &unbounded, now).await;
            }
        }
        self.inner.subscribe(&key, uri, limits, now).await.map(|update| self.told(update))
    }

    async fn unsubscribe(
        &self,
        key: &SessionKey,
        uri: &str,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        self.inner.unsubscribe(&self.key(key), uri, now).await.map(|update| self.told(update))
    }

    async fn change_view(
        &self,
        key: &SessionKey,
        change: &ListViewChange,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<Option<ListViewUpdate>, StoreError> {
        let key = self.key(key);
        if self.fault == Fault::LooksBeforeHiding {
            let record = self.inner.load(&key, now).await?;
            if record.is_some_and(|record| record.view.hidden.len() < limits.hidden) {
                others_go_on().await;
                let unbounded = SessionLimits { hidden: usize::MAX, ..*limits };
                return self.inner.change_view(&key, change, &unbounded, now).await;
            }
        }
        if self.fault == Fault::LooksBeforeOpening {
            let record = self.inner.load(&key, now).await?;
            if record.is_some_and(|record| record.view.open.len() < limits.open_toolboxes) {
                others_go_on().await;
                let unbounded = SessionLimits { open_toolboxes: usize::MAX, ..*limits };
                return self.inner.change_view(&key, change, &unbounded, now).await;
            }
        }
        let update = self.inner.change_view(&key, change, limits, now).await?;
        Ok(update.map(|update| match self.fault {
            Fault::ForgetsBefore => ListViewUpdate { before: update.after.clone(), ..update },
            _ => update,
        }))
    }

    async fn remove(&self, key: &SessionKey, now: SystemTime) -> Result<bool, StoreError> {
        let key = self.key(key);
        if self.fault == Fault::LooksBeforeRemoving {
            let found = self.inner.load(&key, now).await?.is_some();
            others_go_on().await;
            self.inner.remove(&key, now).await?;
            return Ok(found);
        }
        self.inner.remove(&key, now).await
    }

    async fn expire(&self, now: SystemTime) -> Result<usize, StoreError> {
        self.inner.expire(now).await
    }

    async fn count(&self, now: SystemTime) -> Result<usize, StoreError> {
        self.inner.count(now).await
    }
}

fn complaint_about(fault: Fault) -> Option<String> {
    complaint(contract::sessions(&Broken::new(fault), SystemTime::now()))
}

#[test]
fn a_store_without_fault_passes() {
    assert_eq!(complaint_about(Fault::None), None);
}

#[test]
fn each_fault_is_caught_for_what_it_is() {
    for (fault, expected) in [
        (Fault::IgnoresOwner, "a foreign key must load nothing"),
        (Fault::IgnoresIdleness, "an idle session must not be found"),
        (Fault::CountsFirst, "as many succeed as the limit of sessions allows"),
        (Fault::LooksBeforeRemoving, "one of many callers must be told that it removed the session"),
        (
            Fault::LooksBeforeSubscribing,
            "as many succeed as the limit of subscriptions of one session allows",
        ),
        (Fault::LoadingTouches, "loading must not move the end"),
        (Fault::AlwaysChanged, "a level that is set already changes nothing"),
        (Fault::ForgetsLevel, "another level must be set"),
        (Fault::LooksBeforeHiding, "as many succeed as the limit of hidden selections of one session allows"),
        (Fault::LooksBeforeOpening, "as many succeed as the limit of open toolboxes of one session allows"),
        (Fault::ForgetsBefore, "a change of the lists must be told with what it changed"),
    ] {
        let complaint = complaint_about(fault).unwrap_or_default();
        assert!(complaint.contains(expected), "{fault:?}: {complaint}");
    }
}
