//! Streams by key, by when they were touched, and their events by age.

use super::stream::{Kept, Stream, cost};
use bytes::Bytes;
use foldhash::HashMap;
use mcp_core::ports::{
    Appended, EventId, EventLimits, Replay, SessionKey, StoreError, StoreLimit, StreamId, StreamKey,
    StreamLife,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, SystemTime},
};

/// The streams of a process, with three indexes that every change keeps in step.
///
/// Streams are numbered within the table, so that the indexes need not repeat their keys.
#[derive(Debug, Default)]
pub(super) struct EventTable {
    streams: BTreeMap<u64, Stream>,
    sessions: HashMap<SessionKey, Siblings>,
    touched: BTreeSet<(SystemTime, u64)>,
    /// The stream of each kept event, in the order in which events arrived.
    arrivals: BTreeMap<u64, u64>,
    bytes: usize,
    next_stream: u64,
    next_arrival: u64,
}

/// The streams of one session.
#[derive(Debug, Default, PartialEq, Eq)]
struct Siblings {
    by_id: BTreeMap<StreamId, u64>,
    /// Those that are closed, by when they were touched: the first makes room for a new one.
    closed: BTreeSet<(SystemTime, u64)>,
}

impl EventTable {
    pub(super) fn streams(&self) -> usize {
        self.streams.len()
    }

    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn open(
        &mut self,
        key: &StreamKey,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.expire(limits, now);
        let siblings = self.sessions.get(&key.session);
        if siblings.is_some_and(|siblings| siblings.by_id.contains_key(&key.stream)) {
            return Err(StoreError::Conflict);
        }
        if let Some(full) = siblings.filter(|siblings| siblings.by_id.len() >= limits.session_streams) {
            let Some(&(_, closed)) = full.closed.first() else {
                return Err(StoreError::LimitReached { limit: StoreLimit::StreamsOfSession });
            };
            self.forget(closed);
        } else if self.streams.len() >= limits.total_streams {
            return Err(StoreError::LimitReached { limit: StoreLimit::Streams });
        }
        let number = self.next_stream;
        self.next_stream += 1;
        self.streams.insert(number, Stream::open(key.clone(), now));
        self.touched.insert((now, number));
        self.sessions.entry(key.session.clone()).or_default().by_id.insert(key.stream.clone(), number);
        Ok(())
    }

    pub(super) fn append(
        &mut self,
        key: &StreamKey,
        payload: Bytes,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Appended {
        self.expire(limits, now);
        let Some(number) = self.number(&key.session, &key.stream) else { return Appended::Unknown };
        let Some(stream) = self.streams.get_mut(&number) else { return Appended::Unknown };
        if stream.life == StreamLife::Closed {
            return Appended::Closed;
        }
        stream.last += 1;
        let id = EventId { stream: stream.id().clone(), number: stream.last };
        let cost = cost(&payload);
        if cost <= limits.stream_bytes.min(limits.total_bytes) {
            let arrival = self.next_arrival;
            self.next_arrival += 1;
            stream.kept.push_back(Kept { number: stream.last, arrival, at: now, payload });
            stream.bytes += cost;
            self.bytes += cost;
            self.arrivals.insert(arrival, number);
        }
        self.refresh(number, now);
        self.shrink(number, limits);
        Appended::Event(id)
    }

    pub(super) fn replay(
        &mut self,
        session: &SessionKey,
        after: &EventId,
        limits: &EventLimits,
        now: SystemTime,
    ) -> Option<Replay> {
        self.expire(limits, now);
        let number = self.number(session, &after.stream)?;
        let replay = self.streams.get(&number)?.after(after.number)?;
        self.refresh(number, now);
        Some(replay)
    }

    pub(super) fn touch(&mut self, key: &StreamKey, limits: &EventLimits, now: SystemTime) -> bool {
        self.expire(limits, now);
        let number = self.number(&key.session, &key.stream);
        if let Some(number) = number {
            self.refresh(number, now);
        }
        number.is_some()
    }

    pub(super) fn close(&mut self, key: &StreamKey, limits: &EventLimits, now: SystemTime) -> bool {
        self.expire(limits, now);
        let Some(number) = self.number(&key.session, &key.stream) else { return false };
        let Some(stream) = self.streams.get_mut(&number) else { return false };
        let was_open = stream.life == StreamLife::Open;
        if was_open {
            self.refresh(number, now);
            self.mark_closed(number);
        }
        was_open
    }

    pub(super) fn remove_session(&mut self, session: &SessionKey) -> usize {
        let numbers: Vec<u64> =
            self.sessions.get(session).map_or_else(Vec::new, |all| all.by_id.values().copied().collect());
        for number in &numbers {
            self.forget(*number);
        }
        numbers.len()
    }

    /// Drops events and forgets streams that are past their age; tells how many streams.
    pub(super) fn expire(&mut self, limits: &EventLimits, now: SystemTime) -> usize {
        while let Some((_, number)) = self.oldest_event().filter(|(at, _)| is_past(*at, limits.age, now)) {
            self.drop_first(number);
        }
        let before = self.streams.len();
        while let Some(&(_, number)) = self.touched.first().filter(|(at, _)| is_past(*at, limits.age, now)) {
            self.forget(number);
        }
        before - self.streams.len()
    }

    fn number(&self, session: &SessionKey, stream: &StreamId) -> Option<u64> {
        self.sessions.get(session)?.by_id.get(stream).copied()
    }

    /// When the oldest kept event arrived, and the stream it is on: always the first that its stream keeps.
    fn oldest_event(&self) -> Option<(SystemTime, u64)> {
        let (_, number) = self.arrivals.first_key_value()?;
        let first = self.streams.get(number)?.kept.front()?;
        Some((first.at, *number))
    }

    fn mark_closed(&mut self, number: u64) {
        let Some(stream) = self.streams.get_mut(&number) else { return };
        stream.life = StreamLife::Closed;
        if let Some(siblings) = self.sessions.get_mut(&stream.key.session) {
            siblings.closed.insert((stream.touched_at, number));
        }
    }

    /// Records that a stream is in use; a clock that went back changes nothing.
    fn refresh(&mut self, number: u64, now: SystemTime) {
        let Some(stream) = self.streams.get_mut(&number) else { return };
        if stream.touched_at < now {
            let before = (stream.touched_at, number);
            self.touched.remove(&before);
            stream.touched_at = now;
            self.touched.insert((now, number));
            if stream.life == StreamLife::Closed
                && let Some(siblings) = self.sessions.get_mut(&stream.key.session)
            {
                siblings.closed.remove(&before);
                siblings.closed.insert((now, number));
            }
        }
    }

    /// Drops what goes beyond the limits of a stream and of the whole log, the oldest first.
    fn shrink(&mut self, number: u64, limits: &EventLimits) {
        let beyond =
            |stream: &Stream| stream.kept.len() > limits.stream_events || stream.bytes > limits.stream_bytes;
        while self.streams.get(&number).is_some_and(beyond) && self.drop_first(number) {}
        while self.bytes > limits.total_bytes {
            let Some((_, oldest)) = self.oldest_event() else { break };
            if !self.drop_first(oldest) {
                break;
            }
        }
    }

    /// Drops the first event that a stream keeps; tells whether there was one.
    fn drop_first(&mut self, number: u64) -> bool {
        let Some(stream) = self.streams.get_mut(&number) else { return false };
        let Some(event) = stream.kept.pop_front() else { return false };
        stream.bytes -= event.cost();
        self.bytes -= event.cost();
        self.arrivals.remove(&event.arrival);
        true
    }

    fn forget(&mut self, number: u64) {
        while self.drop_first(number) {}
        let Some(stream) = self.streams.remove(&number) else { return };
        self.touched.remove(&(stream.touched_at, number));
        if let Some(siblings) = self.sessions.get_mut(&stream.key.session) {
            siblings.by_id.remove(&stream.key.stream);
            siblings.closed.remove(&(stream.touched_at, number));
            if siblings.by_id.is_empty() {
                self.sessions.remove(&stream.key.session);
            }
        }
    }
}

/// Tells whether `age` has passed since `at`; not while the clock shows a time before it.
fn is_past(at: SystemTime, age: Duration, now: SystemTime) -> bool {
    now.duration_since(at).is_ok_and(|passed| passed >= age)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_core::ports::{EndpointPath, Owner, SessionId};
    use proptest::prelude::*;

    fn key(number: u8) -> StreamKey {
        let id = SessionId::from_random([number / 3; 32]);
        let session = SessionKey { id, owner: Owner::Anonymous, endpoint: EndpointPath::new("/mcp") };
        StreamKey { session, stream: StreamId::from_random([number; 12]) }
    }

    /// Checks that the indexes tell what the streams tell.
    fn check_indexes(table: &EventTable) -> Result<(), TestCaseError> {
        let streams = || table.streams.iter();
        let events =
            || streams().flat_map(|(number, stream)| stream.kept.iter().map(move |event| (number, event)));
        let bytes: usize = events().map(|(_, event)| event.cost()).sum();
        let arrivals: BTreeMap<u64, u64> = events().map(|(number, event)| (event.arrival, *number)).collect();
        let touched: BTreeSet<_> = streams().map(|(number, stream)| (stream.touched_at, *number)).collect();
        let mut sessions = HashMap::<_, Siblings>::default();
        for (number, stream) in streams() {
            let (StreamKey { session, stream: id }, closed) = (stream.key.clone(), stream.life);
            let siblings = sessions.entry(session).or_default();
            siblings.by_id.insert(id, *number);
            if closed == StreamLife::Closed {
                siblings.closed.insert((stream.touched_at, *number));
            }
        }
        prop_assert_eq!(table.bytes, bytes);
        prop_assert_eq!(&table.arrivals, &arrivals);
        prop_assert_eq!(&table.touched, &touched);
        prop_assert_eq!(&table.sessions, &sessions);
        for (_, stream) in streams() {
            prop_assert_eq!(stream.bytes, stream.kept.iter().map(Kept::cost).sum::<usize>());
            prop_assert!(stream.kept.iter().is_sorted_by_key(|event| (event.number, event.arrival)));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn the_indexes_follow_every_change_and_the_limits_hold(
            steps in prop::collection::vec((0_u8..9, 0_u8..9, 0_u16..700, 0_u64..12), 0..80),
        ) {
            let limits = EventLimits {
                stream_events: 4,
                stream_bytes: 1_500,
                session_streams: 2,
                total_streams: 5,
                total_bytes: 3_000,
                age: Duration::from_secs(20),
            };
            let mut table = EventTable::default();
            let mut now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
            for (step, number, size, seconds) in steps {
                // Now and then the clock goes back.
                now += Duration::from_secs(seconds / 2);
                if seconds == 11 {
                    now -= Duration::from_secs(8);
                }
                let key = key(number);
                match step {
                    0 | 1 => drop(table.open(&key, &limits, now)),
                    2 => { table.close(&key, &limits, now); }
                    3 => { table.touch(&key, &limits, now); }
                    4 if size < 100 => { table.remove_session(&key.session); }
                    4 => { table.replay(&key.session, &EventId::opening(key.stream.clone()), &limits, now); }
                    _ => { table.append(&key, vec![0; size.into()].into(), &limits, now); }
                }
                check_indexes(&table)?;
                prop_assert!(table.bytes <= limits.total_bytes);
                prop_assert!(table.streams.len() <= limits.total_streams);
                prop_assert!(table.sessions.values().all(|all| all.by_id.len() <= limits.session_streams));
                for stream in table.streams.values() {
                    prop_assert!(stream.kept.len() <= limits.stream_events);
                    prop_assert!(stream.bytes <= limits.stream_bytes);
                }
            }
        }
    }
}
