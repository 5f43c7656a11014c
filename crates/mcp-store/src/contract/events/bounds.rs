//! How much a log keeps.

use super::{
    super::demand::{CALLERS, done, reached, some_succeed},
    append, replay, session, stream, told,
};
use bytes::Bytes;
use futures_util::future::join_all;
use mcp_core::ports::{EventLimits, EventLog, Missed, StoreLimit, StreamKey};
use std::time::{Duration, SystemTime};

/// A payload large enough that what a store adds to it does not matter.
fn payload() -> Bytes {
    Bytes::from(vec![b'x'; 10_000])
}

async fn numbers(log: &dyn EventLog, key: &StreamKey, limits: &EventLimits, now: SystemTime) -> Vec<u64> {
    told(replay(log, key, 0, limits, now).await.as_ref()).into_iter().map(|(number, _)| number).collect()
}

pub(super) async fn the_oldest_events_of_a_stream_make_room(log: &dyn EventLog, now: SystemTime) {
    let session = session(30, 0);
    let few = EventLimits { stream_events: 3, ..EventLimits::default() };
    let small = EventLimits { stream_bytes: 35_000, ..EventLimits::default() };
    for (number, limits) in [(0, few), (1, small)] {
        let key = stream(&session, number);
        done(log.open_stream(&key, &limits, now).await);
        for _ in 0..5 {
            append(log, &key, payload(), &limits, now).await;
        }
        assert_eq!(numbers(log, &key, &limits, now).await, [3, 4, 5], "the newest events must be kept");
        for (after, missed) in [(1, Missed::Some), (2, Missed::Nothing)] {
            let found = replay(log, &key, after, &limits, now).await;
            assert_eq!(found.map(|replay| replay.missed), Some(missed), "what is missing must be told");
        }
    }
    let key = stream(&session, 1);
    let large = append(log, &key, Bytes::from(vec![b'x'; 40_000]), &small, now).await;
    assert_eq!(large, 6, "an event that is too large is numbered all the same");
    let next = append(log, &key, Bytes::from_static(b"{}"), &small, now).await;
    let found = replay(log, &key, 5, &small, now).await;
    assert_eq!(
        told(found.as_ref()),
        [(next, Bytes::from_static(b"{}"))],
        "a too large event must not be kept"
    );
    assert_eq!(found.map(|replay| replay.missed), Some(Missed::Some), "and its absence must be told");
    assert_eq!(done(log.remove_session(&session).await), 2);
}

pub(super) async fn the_oldest_events_of_the_log_make_room(log: &dyn EventLog, now: SystemTime) {
    let limits = EventLimits { total_bytes: 45_000, ..EventLimits::default() };
    let (old, new) = (stream(&session(31, 0), 0), stream(&session(31, 1), 0));
    for key in [&old, &new] {
        done(log.open_stream(key, &limits, now).await);
    }
    for key in [&old, &old, &new, &old, &new, &new] {
        append(log, key, payload(), &limits, now).await;
    }
    assert_eq!(
        numbers(log, &old, &limits, now).await,
        [3],
        "the oldest events must be dropped, whosever they are"
    );
    assert_eq!(numbers(log, &new, &limits, now).await, [1, 2, 3], "newer events must be kept");
    done(log.remove_session(&old.session).await);
    append(log, &new, payload(), &limits, now).await;
    assert_eq!(
        numbers(log, &new, &limits, now).await,
        [1, 2, 3, 4],
        "events of ended sessions must not count"
    );
    assert_eq!(done(log.remove_session(&new.session).await), 1);
}

pub(super) async fn the_streams_of_a_session_are_bounded(log: &dyn EventLog, now: SystemTime) {
    let limits = EventLimits { session_streams: 3, total_streams: 4, ..EventLimits::default() };
    let session_one = session(32, 0);
    let keys: Vec<_> = (0..CALLERS).map(|number| stream(&session_one, number)).collect();
    let results = join_all(keys.iter().map(|key| log.open_stream(key, &limits, now))).await;
    let opened: Vec<_> =
        keys.iter().zip(&results).filter(|(_, result)| result.is_ok()).map(|(key, _)| key.clone()).collect();
    some_succeed(results, 3, StoreLimit::StreamsOfSession);
    let [first, second, third] = opened.as_slice() else { return };

    let others = [stream(&session(32, 1), 0), stream(&session(32, 2), 0)];
    done(log.open_stream(&others[0], &limits, now).await);
    reached(&log.open_stream(&others[1], &limits, now).await, StoreLimit::Streams);

    let later = now + Duration::from_secs(1);
    done(log.close_stream(second, &limits, now).await);
    done(log.close_stream(first, &limits, later).await);
    let new = stream(&session_one, CALLERS);
    done(log.open_stream(&new, &limits, later).await);
    assert_eq!(replay(log, second, 0, &limits, later).await, None, "the stream closed first must make room");
    for key in [first, third, &new] {
        assert!(replay(log, key, 0, &limits, later).await.is_some(), "other streams must stay");
    }
    assert_eq!(done(log.remove_session(&session_one).await), 3);
    assert_eq!(done(log.remove_session(&others[0].session).await), 1);
}
