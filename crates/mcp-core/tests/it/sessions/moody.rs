//! Stores that fail or take their time when a test says so.

use async_trait::async_trait;
use bytes::Bytes;
use mcp_core::{
    ports::{
        Appended, EventId, EventLimits, EventLog, ListViewChange, ListViewUpdate, Replay, SessionKey,
        SessionLimits, SessionRecord, SessionStore, SessionUpdate, StoreError, StreamKey,
    },
    protocol::LogLevel,
};
use mcp_store::{MemoryEvents, MemorySessions};
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

/// How a store behaves at the moment.
#[derive(Debug, Default)]
pub(crate) struct Mood {
    fails: AtomicBool,
    /// How long each operation takes, in milliseconds.
    takes: AtomicU64,
}

impl Mood {
    pub(crate) fn fail(&self, fails: bool) {
        self.fails.store(fails, Ordering::SeqCst);
    }

    pub(crate) fn take(&self, milliseconds: u64) {
        self.takes.store(milliseconds, Ordering::SeqCst);
    }

    pub(crate) async fn go(&self) -> Result<(), StoreError> {
        let takes = self.takes.load(Ordering::SeqCst);
        if takes > 0 {
            tokio::time::sleep(Duration::from_millis(takes)).await;
        }
        match self.fails.load(Ordering::SeqCst) {
            true => Err(StoreError::Unavailable { source: "the cable is cut".into() }),
            false => Ok(()),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Moody<T> {
    pub(crate) store: T,
    pub(crate) mood: Mood,
    /// How it is after a session was found, and before that is told.
    pub(crate) telling: Mood,
}

#[async_trait]
impl SessionStore for Moody<MemorySessions> {
    async fn create(
        &self,
        record: SessionRecord,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.mood.go().await?;
        self.store.create(record, limits, now).await
    }

    async fn touch(&self, key: &SessionKey, now: SystemTime) -> Result<Option<SessionRecord>, StoreError> {
        self.mood.go().await?;
        let found = self.store.touch(key, now).await;
        self.telling.go().await?;
        found
    }

    async fn load(&self, key: &SessionKey, now: SystemTime) -> Result<Option<SessionRecord>, StoreError> {
        self.mood.go().await?;
        self.store.load(key, now).await
    }

    async fn mark_initialized(&self, key: &SessionKey, now: SystemTime) -> Result<SessionUpdate, StoreError> {
        self.mood.go().await?;
        self.store.mark_initialized(key, now).await
    }

    async fn set_log_level(
        &self,
        key: &SessionKey,
        level: LogLevel,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        self.mood.go().await?;
        self.store.set_log_level(key, level, now).await
    }

    async fn subscribe(
        &self,
        key: &SessionKey,
        uri: &str,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        self.mood.go().await?;
        self.store.subscribe(key, uri, limits, now).await
    }

    async fn unsubscribe(
        &self,
        key: &SessionKey,
        uri: &str,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        self.mood.go().await?;
        self.store.unsubscribe(key, uri, now).await
    }

    async fn change_view(
        &self,
        key: &SessionKey,
        change: &ListViewChange,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<Option<ListViewUpdate>, StoreError> {
        self.mood.go().await?;
        self.store.change_view(key, change, limits, now).await
    }

    async fn remove(&self, key: &SessionKey, now: SystemTime) -> Result<bool, StoreError> {
        self.mood.go().await?;
        self.store.remove(key, now).await
    }

    async fn expire(&self, now: SystemTime) -> Result<usize, StoreError> {
        self.mood.go().await?;
        self.store.expire(now).await
    }

    async fn count(&self, now: SystemTime) -> Result<usize, StoreError> {
        self.mood.go().await?;
        self.store.count(now).await
    }
}

#[async_trait]
impl EventLog for Moody<MemoryEvents> {
    async fn open_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.mood.go().await?;
        self.store.open_stream(stream, limits, now).await
    }

    async fn append_event(
        &self,
        stream: &StreamKey,
        payload: Bytes,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<Appended, StoreError> {
        self.mood.go().await?;
        self.store.append_event(stream, payload, limits, now).await
    }

    async fn replay(
        &self,
        session: &SessionKey,
        after: &EventId,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<Option<Replay>, StoreError> {
        self.mood.go().await?;
        self.store.replay(session, after, limits, now).await
    }

    async fn touch_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<bool, StoreError> {
        self.mood.go().await?;
        self.store.touch_stream(stream, limits, now).await
    }

    async fn close_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<bool, StoreError> {
        self.mood.go().await?;
        self.store.close_stream(stream, limits, now).await
    }

    async fn remove_session(&self, session: &SessionKey) -> Result<usize, StoreError> {
        self.mood.go().await?;
        self.store.remove_session(session).await
    }

    async fn expire(&self, limits: &EventLimits, now: SystemTime) -> Result<usize, StoreError> {
        self.mood.go().await?;
        self.store.expire(limits, now).await
    }
}
