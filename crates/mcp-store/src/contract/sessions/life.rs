//! When a session is there, and when it is not any more.

use super::{
    super::demand::{CALLERS, done},
    IDLE_TTL, key, record,
};
use futures_util::future::join_all;
use mcp_core::{
    ports::{SessionLimits, SessionStore, SessionUpdate},
    protocol::LogLevel,
};
use std::time::{Duration, SystemTime};

const SECOND: Duration = Duration::from_secs(1);

pub(super) async fn a_session_lives_while_it_is_touched(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits::default();
    let key = key(10, 0);
    done(store.create(record(&key, now), &limits, now).await);

    let almost = now + IDLE_TTL - SECOND;
    let touched = done(store.touch(&key, almost).await).map(|record| record.idle_at);
    assert_eq!(
        touched,
        Some(almost + IDLE_TTL),
        "touching must move the end and give the record that tells it"
    );
    done(store.touch(&key, now).await);
    let loaded = done(store.load(&key, now).await).map(|record| record.idle_at);
    assert_eq!(loaded, touched, "a clock that is behind must not bring the end nearer");

    let end = almost + IDLE_TTL;
    assert!(done(store.load(&key, end - SECOND).await).is_some(), "a session that was touched must live on");
    let loaded = done(store.load(&key, end - SECOND).await).map(|record| record.idle_at);
    assert_eq!(loaded, touched, "loading must not move the end");
    assert_eq!(done(store.load(&key, end).await), None, "an idle session must not be found");
    assert_eq!(done(store.touch(&key, end).await), None, "an idle session must not be brought back");
    assert_eq!(done(store.set_log_level(&key, LogLevel::Info, end).await), SessionUpdate::Unknown);
    assert!(!done(store.remove(&key, end).await), "an idle session has ended already");
    done(store.expire(end).await);
}

pub(super) async fn a_session_is_removed_once(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits::default();
    let key = key(11, 0);
    done(store.create(record(&key, now), &limits, now).await);
    let removed = join_all((0..CALLERS).map(|_| store.remove(&key, now))).await;
    let removals = removed.into_iter().map(done).filter(|removed| *removed).count();
    assert_eq!(removals, 1, "one of many callers must be told that it removed the session");
    assert_eq!(done(store.load(&key, now).await), None, "a removed session must not be found");
    assert_eq!(done(store.touch(&key, now).await), None, "a removed session must not be brought back");
    assert_eq!(done(store.mark_initialized(&key, now).await), SessionUpdate::Unknown);
    done(store.create(record(&key, now), &limits, now).await);
    assert!(done(store.remove(&key, now).await), "the id of a removed session is free");
}

pub(super) async fn expired_sessions_are_freed_and_others_stay(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits::default();
    let (early, late) = (key(12, 0), key(12, 1));
    assert_eq!(done(store.count(now).await), 0, "the store must be empty where the checks begin");
    done(store.create(record(&early, now), &limits, now).await);
    done(store.create(record(&late, now + SECOND), &limits, now).await);
    assert_eq!(done(store.count(now).await), 2, "live sessions must be counted");
    let end = now + IDLE_TTL;
    assert_eq!(done(store.count(end).await), 1, "an expired session must not be counted");
    done(store.expire(end).await);
    assert_eq!(done(store.load(&early, end).await), None, "an expired session must be gone");
    assert!(done(store.load(&late, end).await).is_some(), "a live session must stay");
    assert!(done(store.remove(&late, end).await));
    assert_eq!(done(store.expire(end).await), 0, "nothing is left to free");
}
