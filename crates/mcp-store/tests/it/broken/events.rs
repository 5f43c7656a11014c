//! Logs of events with one fault each.

use super::{complaint, others_go_on};
use async_trait::async_trait;
use bytes::Bytes;
use mcp_core::ports::{
    Appended, EventId, EventLimits, EventLog, Missed, Replay, SessionId, SessionKey, StoreError, StreamKey,
    StreamLife,
};
use mcp_store::{MemoryEvents, contract};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// Finds a stream by the id of its session alone.
    IgnoresOwner,
    /// Never says that events are missing.
    HidesGaps,
    /// Never says that a stream is closed.
    HidesTheEnd,
    /// Repeats the event that the client has already.
    RepeatsTheLast,
    /// Keeps whatever it is given.
    Unbounded,
    /// Keeps events for ever.
    Ageless,
    /// Opens streams that have gone when an event comes for them.
    RevivesStreams,
    /// Looks whether a stream is there, and opens it later.
    LooksBeforeOpening,
}

#[derive(Debug)]
struct Broken {
    inner: MemoryEvents,
    keys: Mutex<HashMap<SessionId, SessionKey>>,
    fault: Fault,
}

impl Broken {
    fn new(fault: Fault) -> Self {
        Self { inner: MemoryEvents::new(), keys: Mutex::default(), fault }
    }

    fn session(&self, key: &SessionKey) -> SessionKey {
        let keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let created = keys.get(&key.id).filter(|_| self.fault == Fault::IgnoresOwner);
        created.unwrap_or(key).clone()
    }

    fn stream(&self, key: &StreamKey) -> StreamKey {
        StreamKey { session: self.session(&key.session), stream: key.stream.clone() }
    }

    fn limits(&self, limits: &EventLimits) -> EventLimits {
        match self.fault {
            Fault::Unbounded => {
                EventLimits { stream_events: 1_000, stream_bytes: 1 << 30, total_bytes: 1 << 30, ..*limits }
            }
            Fault::Ageless => EventLimits { age: Duration::from_secs(1_000_000), ..*limits },
            _ => *limits,
        }
    }
}

#[async_trait]
impl EventLog for Broken {
    async fn open_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.keys.lock().unwrap().insert(stream.session.id.clone(), stream.session.clone());
        if self.fault == Fault::LooksBeforeOpening && !self.inner.touch_stream(stream, limits, now).await? {
            others_go_on().await;
            return match self.inner.open_stream(stream, limits, now).await {
                Err(StoreError::Conflict) => Ok(()),
                result => result,
            };
        }
        self.inner.open_stream(stream, &self.limits(limits), now).await
    }

    async fn append_event(
        &self,
        stream: &StreamKey,
        payload: Bytes,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<Appended, StoreError> {
        let stream = self.stream(stream);
        let appended = self.inner.append_event(&stream, payload.clone(), &self.limits(limits), now).await?;
        if self.fault == Fault::RevivesStreams && appended == Appended::Unknown {
            self.inner.open_stream(&stream, limits, now).await?;
            return self.inner.append_event(&stream, payload, limits, now).await;
        }
        Ok(appended)
    }

    async fn replay(
        &self,
        session: &SessionKey,
        after: &EventId,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<Option<Replay>, StoreError> {
        let session = self.session(session);
        let mut after = after.clone();
        if self.fault == Fault::RepeatsTheLast {
            after.number = after.number.saturating_sub(1);
        }
        let mut replay = self.inner.replay(&session, &after, &self.limits(limits), now).await?;
        if let Some(replay) = &mut replay {
            match self.fault {
                Fault::HidesGaps => replay.missed = Missed::Nothing,
                Fault::HidesTheEnd => replay.life = StreamLife::Open,
                _ => {}
            }
        }
        Ok(replay)
    }

    async fn touch_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<bool, StoreError> {
        self.inner.touch_stream(&self.stream(stream), &self.limits(limits), now).await
    }

    async fn close_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<bool, StoreError> {
        self.inner.close_stream(&self.stream(stream), &self.limits(limits), now).await
    }

    async fn remove_session(&self, session: &SessionKey) -> Result<usize, StoreError> {
        self.inner.remove_session(&self.session(session)).await
    }

    async fn expire(&self, limits: &EventLimits, now: SystemTime) -> Result<usize, StoreError> {
        self.inner.expire(&self.limits(limits), now).await
    }
}

fn complaint_about(fault: Fault) -> Option<String> {
    complaint(contract::events(&Broken::new(fault), SystemTime::now()))
}

#[test]
fn a_log_without_fault_passes() {
    assert_eq!(complaint_about(Fault::None), None);
}

#[test]
fn each_fault_is_caught_for_what_it_is() {
    for (fault, expected) in [
        (Fault::IgnoresOwner, "a stranger must be told nothing"),
        (Fault::HidesGaps, "that an event is missing must be told"),
        (Fault::HidesTheEnd, "its end must be told"),
        (Fault::RepeatsTheLast, "exactly what follows number 1 must be replayed"),
        (Fault::Unbounded, "the newest events must be kept"),
        (Fault::Ageless, "a stream that nobody touched must be forgotten"),
        (Fault::RevivesStreams, "a stranger must add nothing"),
        (Fault::LooksBeforeOpening, "one of many callers must open the stream"),
    ] {
        let complaint = complaint_about(fault).unwrap_or_default();
        assert!(complaint.contains(expected), "{fault:?}: {complaint}");
    }
}
