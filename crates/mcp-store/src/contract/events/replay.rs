//! What a client that comes back is told.

use super::{
    super::demand::{CALLERS, done},
    append, replay, session, stream, told,
};
use bytes::Bytes;
use futures_util::future::join_all;
use mcp_core::ports::{Appended, EventLimits, EventLog, Missed, StreamLife};
use std::time::SystemTime;

pub(super) async fn events_are_numbered_and_replayed_from_any_place(log: &dyn EventLog, now: SystemTime) {
    let limits = EventLimits::default();
    let key = stream(&session(10, 0), 0);
    done(log.open_stream(&key, &limits, now).await);
    let nothing = replay(log, &key, 0, &limits, now).await;
    let nothing = nothing.map(|replay| (replay.events.len(), replay.missed, replay.life));
    assert_eq!(
        nothing,
        Some((0, Missed::Nothing, StreamLife::Open)),
        "a stream is there before its first event"
    );

    let payloads: Vec<Bytes> =
        [&b"{}"[..], b"", "\u{0}\u{2028}é\n".as_bytes(), &[0xFF, 0x00]].map(Bytes::from).into();
    for (payload, number) in payloads.iter().zip(1..) {
        let appended = append(log, &key, payload.clone(), &limits, now).await;
        assert_eq!(appended, number, "events must be numbered from 1, without a gap");
    }
    let all: Vec<_> = (1..).zip(payloads).collect();
    for (place, after) in (0..=all.len()).zip(0..) {
        let found = replay(log, &key, after, &limits, now).await;
        let expected = all.get(place..).unwrap_or_default();
        assert_eq!(told(found.as_ref()), expected, "exactly what follows number {after} must be replayed");
        assert_eq!(found.map(|replay| replay.missed), Some(Missed::Nothing), "nothing is missing");
    }
    let beyond = replay(log, &key, all.len() as u64 + 1, &limits, now).await;
    assert_eq!(beyond, None, "a place that the stream has not reached is no place");
    assert_eq!(done(log.remove_session(&key.session).await), 1);
}

pub(super) async fn events_at_once_each_have_a_number(log: &dyn EventLog, now: SystemTime) {
    let limits = EventLimits::default();
    let key = stream(&session(11, 0), 0);
    done(log.open_stream(&key, &limits, now).await);
    let payload = |caller: u8| Bytes::from(vec![caller]);
    let appends = (0..CALLERS).map(|caller| log.append_event(&key, payload(caller), &limits, now));
    let appended = join_all(appends).await;
    let mut expected = Vec::new();
    for (result, caller) in appended.into_iter().zip(0..) {
        if let Appended::Event(id) = done(result) {
            expected.push((id.number, payload(caller)));
        }
    }
    expected.sort();
    let numbers: Vec<_> = expected.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=u64::from(CALLERS)).collect::<Vec<_>>(), "each event must have its own number");
    let found = replay(log, &key, 0, &limits, now).await;
    assert_eq!(told(found.as_ref()), expected, "each number must stay with its payload");
    assert_eq!(done(log.remove_session(&key.session).await), 1);
}

pub(super) async fn only_the_interrupted_stream_is_replayed(log: &dyn EventLog, now: SystemTime) {
    let limits = EventLimits::default();
    let session = session(12, 0);
    let (first, second) = (stream(&session, 0), stream(&session, 1));
    for key in [&first, &second] {
        done(log.open_stream(key, &limits, now).await);
    }
    for round in 0..3_u8 {
        append(log, &first, Bytes::from(vec![1, round]), &limits, now).await;
        append(log, &second, Bytes::from(vec![2, round]), &limits, now).await;
    }
    for (key, mark) in [(&first, 1), (&second, 2)] {
        let found = replay(log, key, 1, &limits, now).await;
        let expected = [(2, Bytes::from(vec![mark, 1])), (3, Bytes::from(vec![mark, 2]))];
        assert_eq!(told(found.as_ref()), expected, "no event of another stream may be replayed");
    }
    assert_eq!(done(log.remove_session(&session).await), 2);
}
