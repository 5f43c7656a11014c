//! A stream is one session's.

use super::{
    super::demand::{CALLERS, done},
    append, replay, session, stream,
};
use bytes::Bytes;
use futures_util::future::join_all;
use mcp_core::ports::{
    Appended, EndpointPath, EventLimits, EventLog, Owner, SessionKey, StoreError, StreamKey,
};
use std::time::SystemTime;

pub(super) async fn a_stream_is_found_by_its_whole_key(log: &dyn EventLog, now: SystemTime) {
    let limits = EventLimits::default();
    let own = stream(&session(1, 0), 0);
    done(log.open_stream(&own, &limits, now).await);
    append(log, &own, Bytes::from_static(b"secret"), &limits, now).await;
    let foreign = [
        SessionKey { owner: Owner::Anonymous, ..own.session.clone() },
        SessionKey {
            owner: Owner::Principal { issuer: None, subject: "ada".into(), client: None },
            ..own.session.clone()
        },
        SessionKey { endpoint: EndpointPath::new("/other"), ..own.session.clone() },
        session(1, 1),
    ];
    for session in foreign {
        let key = StreamKey { session, stream: own.stream.clone() };
        assert_eq!(
            replay(log, &key, 0, &limits, now).await,
            None,
            "a stranger must be told nothing: {key:?}"
        );
        let appended = done(log.append_event(&key, Bytes::from_static(b"x"), &limits, now).await);
        assert_eq!(appended, Appended::Unknown, "a stranger must add nothing: {key:?}");
        assert!(!done(log.touch_stream(&key, &limits, now).await), "a stranger has no such stream: {key:?}");
        assert!(!done(log.close_stream(&key, &limits, now).await), "a stranger must close nothing: {key:?}");
        assert_eq!(
            done(log.remove_session(&key.session).await),
            0,
            "a stranger must remove nothing: {key:?}"
        );
    }
    assert_eq!(append(log, &own, Bytes::from_static(b"more"), &limits, now).await, 2);
    assert_eq!(done(log.remove_session(&own.session).await), 1);
}

pub(super) async fn a_stream_is_opened_once(log: &dyn EventLog, now: SystemTime) {
    let limits = EventLimits::default();
    let (key, other) = (stream(&session(2, 0), 0), stream(&session(2, 1), 0));
    let results = join_all((0..CALLERS).map(|_| log.open_stream(&key, &limits, now))).await;
    let mut opened = 0;
    for result in results {
        match result {
            Err(StoreError::Conflict) => {}
            result => {
                done(result);
                opened += 1;
            }
        }
    }
    assert_eq!(opened, 1, "one of many callers must open the stream");
    done(log.open_stream(&other, &limits, now).await);
    assert_eq!(done(log.remove_session(&key.session).await), 1, "another session may use the same stream id");
    assert_eq!(done(log.remove_session(&other.session).await), 1, "each session has its own stream");
}
