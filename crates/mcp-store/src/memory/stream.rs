//! One stream and the events of it that are kept.

use bytes::Bytes;
use mcp_core::ports::{Event, EventId, Missed, Replay, StreamId, StreamKey, StreamLife};
use std::{collections::VecDeque, time::SystemTime};

/// What keeping an event costs beyond its payload, in bytes.
const OVERHEAD: usize = 128;

/// An event that is kept.
#[derive(Debug)]
pub(super) struct Kept {
    /// Its place on the stream.
    pub(super) number: u64,
    /// Its place among the events of all streams.
    pub(super) arrival: u64,
    pub(super) at: SystemTime,
    pub(super) payload: Bytes,
}

impl Kept {
    /// What it counts for, in bytes.
    pub(super) fn cost(&self) -> usize {
        cost(&self.payload)
    }
}

/// What a payload counts for, in bytes.
pub(super) fn cost(payload: &Bytes) -> usize {
    payload.len().saturating_add(OVERHEAD)
}

/// A stream; its kept events are in order, and some before or between them may be gone.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) key: StreamKey,
    pub(super) life: StreamLife,
    pub(super) kept: VecDeque<Kept>,
    pub(super) bytes: usize,
    pub(super) last: u64,
    pub(super) touched_at: SystemTime,
}

impl Stream {
    pub(super) fn open(key: StreamKey, now: SystemTime) -> Self {
        Self { key, life: StreamLife::Open, kept: VecDeque::new(), bytes: 0, last: 0, touched_at: now }
    }

    pub(super) fn id(&self) -> &StreamId {
        &self.key.stream
    }

    /// What follows the event with this number; `None` when the stream has not come as far.
    pub(super) fn after(&self, number: u64) -> Option<Replay> {
        let following = self.last.checked_sub(number)?;
        let start = self.kept.partition_point(|event| event.number <= number);
        let events: Vec<Event> = self
            .kept
            .iter()
            .skip(start)
            .map(|event| Event {
                id: EventId { stream: self.id().clone(), number: event.number },
                payload: event.payload.clone(),
            })
            .collect();
        let missed = if events.len() as u64 == following { Missed::Nothing } else { Missed::Some };
        Some(Replay { events, missed, life: self.life })
    }
}
