//! Events in memory.

use super::event_table::EventTable;
use async_trait::async_trait;
use bytes::Bytes;
use mcp_core::ports::{Appended, EventId, EventLimits, EventLog, Replay, SessionKey, StoreError, StreamKey};
use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

/// An [`EventLog`] within one process.
///
/// A payload counts with 128 bytes beyond its length, which is about what keeping it costs. When the log is
/// full, the oldest event of all streams is dropped first.
#[derive(Default)]
pub struct MemoryEvents {
    table: Mutex<EventTable>,
}

impl MemoryEvents {
    /// An empty log.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, EventTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl EventLog for MemoryEvents {
    async fn open_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.lock().open(stream, limits, now)
    }

    async fn append_event(
        &self,
        stream: &StreamKey,
        payload: Bytes,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<Appended, StoreError> {
        Ok(self.lock().append(stream, payload, limits, now))
    }

    async fn replay(
        &self,
        session: &SessionKey,
        after: &EventId,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<Option<Replay>, StoreError> {
        Ok(self.lock().replay(session, after, limits, now))
    }

    async fn touch_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<bool, StoreError> {
        Ok(self.lock().touch(stream, limits, now))
    }

    async fn close_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<bool, StoreError> {
        Ok(self.lock().close(stream, limits, now))
    }

    async fn remove_session(&self, session: &SessionKey) -> Result<usize, StoreError> {
        Ok(self.lock().remove_session(session))
    }

    async fn expire(&self, limits: &EventLimits, now: SystemTime) -> Result<usize, StoreError> {
        Ok(self.lock().expire(limits, now))
    }
}

impl fmt::Debug for MemoryEvents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = self.lock();
        let (streams, bytes) = (table.streams(), table.bytes());
        drop(table);
        formatter.debug_struct("MemoryEvents").field("streams", &streams).field("bytes", &bytes).finish()
    }
}
