//! When a stream is there, and when it is not any more.

use super::{
    super::demand::{CALLERS, done},
    append, replay, session, stream, told,
};
use bytes::Bytes;
use futures_util::future::join_all;
use mcp_core::ports::{Appended, EventLimits, EventLog, Missed, StreamLife};
use std::time::{Duration, SystemTime};

const SECOND: Duration = Duration::from_secs(1);

fn payload() -> Bytes {
    Bytes::from_static(b"{}")
}

pub(super) async fn a_closed_stream_takes_no_event_and_is_replayed_to_its_end(
    log: &dyn EventLog,
    now: SystemTime,
) {
    let limits = EventLimits::default();
    let key = stream(&session(20, 0), 0);
    let appended = done(log.append_event(&key, payload(), &limits, now).await);
    assert_eq!(appended, Appended::Unknown, "a stream that nobody opened is not there");
    done(log.open_stream(&key, &limits, now).await);
    append(log, &key, payload(), &limits, now).await;
    let closed = join_all((0..CALLERS).map(|_| log.close_stream(&key, &limits, now))).await;
    let closings = closed.into_iter().map(done).filter(|closed| *closed).count();
    assert_eq!(closings, 1, "one of many callers must be told that it closed the stream");
    let appended = done(log.append_event(&key, payload(), &limits, now).await);
    assert_eq!(appended, Appended::Closed, "a closed stream must take no event");
    let found = replay(log, &key, 0, &limits, now).await;
    assert_eq!(told(found.as_ref()), [(1, payload())], "a closed stream must be replayed");
    assert_eq!(found.map(|replay| replay.life), Some(StreamLife::Closed), "its end must be told");
    assert_eq!(done(log.remove_session(&key.session).await), 1);
}

pub(super) async fn streams_end_with_their_session(log: &dyn EventLog, now: SystemTime) {
    let limits = EventLimits::default();
    let (ended, other) = (session(21, 0), session(21, 1));
    let keys = [stream(&ended, 0), stream(&ended, 1), stream(&other, 2)];
    for key in &keys {
        done(log.open_stream(key, &limits, now).await);
        append(log, key, payload(), &limits, now).await;
    }
    assert_eq!(done(log.remove_session(&ended).await), 2, "all streams of the session must go");
    let [first, second, stays] = &keys;
    for key in [first, second] {
        assert_eq!(replay(log, key, 0, &limits, now).await, None, "an ended session has no stream");
        let appended = done(log.append_event(key, payload(), &limits, now).await);
        assert_eq!(appended, Appended::Unknown, "no event may bring a stream back");
    }
    let found = replay(log, stays, 0, &limits, now).await;
    assert_eq!(told(found.as_ref()), [(1, payload())], "the streams of other sessions must stay");
    assert_eq!(done(log.remove_session(&other).await), 1);
}

pub(super) async fn streams_and_events_are_forgotten_with_age(log: &dyn EventLog, now: SystemTime) {
    let limits = EventLimits { age: Duration::from_secs(60), ..EventLimits::default() };
    let session = session(22, 0);
    let (quiet, held) = (stream(&session, 0), stream(&session, 1));
    for key in [&quiet, &held] {
        done(log.open_stream(key, &limits, now).await);
        append(log, key, payload(), &limits, now).await;
    }
    let almost = now + limits.age - SECOND;
    assert!(done(log.touch_stream(&held, &limits, almost).await), "a stream within its age is there");
    append(log, &held, payload(), &limits, almost).await;

    let later = now + limits.age;
    done(log.expire(&limits, later).await);
    assert_eq!(
        replay(log, &quiet, 0, &limits, later).await,
        None,
        "a stream that nobody touched must be forgotten"
    );
    let found = replay(log, &held, 0, &limits, later).await;
    assert_eq!(told(found.as_ref()), [(2, payload())], "an event past its age must not be replayed");
    assert_eq!(
        found.map(|replay| replay.missed),
        Some(Missed::Some),
        "that an event is missing must be told"
    );
    let found = replay(log, &held, 1, &limits, later).await;
    assert_eq!(
        found.map(|replay| replay.missed),
        Some(Missed::Nothing),
        "a client that has it misses nothing"
    );
    let next = append(log, &held, payload(), &limits, later).await;
    assert_eq!(next, 3, "numbers must go on when events are dropped");

    let end = later + limits.age;
    assert!(!done(log.touch_stream(&held, &limits, end).await), "touching must not bring a stream back");
    done(log.expire(&limits, end).await);
    assert_eq!(done(log.remove_session(&session).await), 0, "nothing is left of the session");
}
