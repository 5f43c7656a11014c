//! Where events wait for clients whose connection broke.

use super::{EventId, SessionKey, StoreError, StreamId};
use crate::setting::SettingFaults;
use async_trait::async_trait;
use bytes::Bytes;
use std::{
    fmt,
    time::{Duration, SystemTime},
};

/// Keeps the latest events of streams, so that an interrupted stream can be taken up where it broke.
///
/// Each operation is one atomic step. A stream belongs to a session and is found only with the session's
/// whole key, owner and endpoint included. The log is bounded in count, bytes and age; what does not fit any
/// more is dropped from the oldest on, and a replay tells that something is missing rather than hide it.
///
/// A stream that nobody touches for [`EventLimits::age`] is forgotten: whoever holds one open touches it
/// every [`EventLimits::touch_interval`].
///
/// # Security
/// * One that replays a stream under another session, owner or endpoint shows a stranger what a server told
///   its client.
/// * One that replays events of a second stream repeats messages that another connection receives.
/// * One without bounds lets any client fill the memory of the server.
///
/// Spec: 2025-11-25, basic/transports#resumability-and-redelivery.
#[async_trait]
pub trait EventLog: fmt::Debug + Send + Sync {
    /// Begins a stream without events.
    ///
    /// Where the session has as many streams as it may, the closed one that was touched longest ago makes
    /// room.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the session has a stream of this id; [`StoreError::LimitReached`] with
    /// `StreamsOfSession` when all streams of the session are open, or with `Streams`.
    async fn open_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<(), StoreError>;

    /// Adds an event at the end of an open stream, and tells its id.
    ///
    /// The payload is kept as it is: it should be a buffer of its own, not a part of a larger one. Ids of
    /// one stream grow by one. An event too large for [`EventLimits::stream_bytes`] or
    /// [`EventLimits::total_bytes`] is numbered and not kept.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn append_event(
        &self,
        stream: &StreamKey,
        payload: Bytes,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<Appended, StoreError>;

    /// Gives the events of one stream that follow an event, oldest first.
    ///
    /// `None` when the session has no such stream, or the stream has not come as far as that event. Counts as
    /// touching the stream.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] and [`StoreError::Corrupt`].
    async fn replay(
        &self,
        session: &SessionKey,
        after: &EventId,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<Option<Replay>, StoreError>;

    /// Says that a stream is in use; tells whether there is one.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn touch_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<bool, StoreError>;

    /// Ends a stream; its events can still be replayed while they last. Tells whether it was open.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn close_stream(
        &self,
        stream: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<bool, StoreError>;

    /// Forgets all streams of a session, and tells how many there were.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn remove_session(&self, session: &SessionKey) -> Result<usize, StoreError>;

    /// Frees what events and streams occupy that are past their age, and tells how many streams it forgot.
    ///
    /// Called now and then. Nothing depends on it but memory; a log may free them by itself, too.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn expire(&self, limits: &EventLimits, now: SystemTime) -> Result<usize, StoreError>;
}

/// What a stream is found by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "a stream belongs to a session")]
pub struct StreamKey {
    /// The session it belongs to.
    pub session: SessionKey,
    /// Which of the session's streams it is.
    pub stream: StreamId,
}

/// What became of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a stream is open, closed or not there")]
pub enum Appended {
    /// It is on the stream, under this id.
    Event(EventId),
    /// The stream is closed.
    Closed,
    /// There is no such stream; it may have been forgotten.
    Unknown,
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "an event has an id and a payload")]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// The JSON-RPC message, encoded.
    pub payload: Bytes,
}

/// What follows an event on its stream.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "every caller has to look at each part")]
pub struct Replay {
    /// The events, oldest first.
    pub events: Vec<Event>,
    /// Whether some are missing.
    pub missed: Missed,
    /// Whether more may follow.
    pub life: StreamLife,
}

/// Whether events between the asked one and the present have been dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "events are missing or not")]
pub enum Missed {
    /// All are there.
    Nothing,
    /// At least one is gone.
    Some,
}

/// Whether a stream goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a stream is open or closed")]
pub enum StreamLife {
    /// More events may follow.
    Open,
    /// No event follows.
    Closed,
}

/// How much is kept for replay; all with defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "settings are written as a struct with `..Default::default()`")]
pub struct EventLimits {
    /// Events of one stream, 1 to 1,000,000; 256 by default.
    pub stream_events: usize,
    /// The bytes of one stream's events, 1,024 to 1,073,741,824; 4 MiB by default.
    pub stream_bytes: usize,
    /// Streams of one session, open and closed, 1 to 10,000; 32 by default.
    pub session_streams: usize,
    /// Streams in the whole log, 1 to 100,000,000; 50,000 by default.
    pub total_streams: usize,
    /// The bytes of all events, 1,024 to 1,099,511,627,776; 64 MiB by default.
    pub total_bytes: usize,
    /// How long an event can be replayed, and an untouched stream is remembered, 1 s to 30 days; 10 minutes
    /// by default.
    pub age: Duration,
}

impl Default for EventLimits {
    fn default() -> Self {
        Self {
            stream_events: 256,
            stream_bytes: 4 * 1024 * 1024,
            session_streams: 32,
            total_streams: 50_000,
            total_bytes: 64 * 1024 * 1024,
            age: Duration::from_secs(10 * 60),
        }
    }
}

impl EventLimits {
    /// Checks that each setting lies within its range.
    ///
    /// # Errors
    /// [`SettingFaults`] with every setting that does not.
    pub fn check(&self) -> Result<(), SettingFaults> {
        let mut faults = SettingFaults::default();
        faults.within("stream_events", self.stream_events, &(1..=1_000_000));
        faults.within("stream_bytes", self.stream_bytes, &(1_024..=1 << 30));
        faults.within("session_streams", self.session_streams, &(1..=10_000));
        faults.within("total_streams", self.total_streams, &(1..=100_000_000));
        faults.within("total_bytes", self.total_bytes as u64, &(1_024..=1 << 40));
        faults.within("age", self.age, &(Duration::from_secs(1)..=Duration::from_secs(30 * 24 * 3_600)));
        faults.finish()
    }

    /// How often whoever holds a stream open touches it: a third of its age.
    #[must_use]
    pub fn touch_interval(&self) -> Duration {
        self.age / 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::SettingFault;

    #[test]
    fn the_defaults_are_within_their_ranges_and_a_setting_outside_is_named() {
        let limits = EventLimits::default();
        assert_eq!(limits.check(), Ok(()));
        let faults = EventLimits { session_streams: 0, ..limits }.check().unwrap_err();
        assert_eq!(faults.iter().map(SettingFault::setting).collect::<Vec<_>>(), ["session_streams"]);
        assert_eq!(limits.touch_interval() * 3, limits.age);
    }
}
