//! How many sessions there may be.

use super::{
    super::demand::{CALLERS, done, reached, some_succeed},
    IDLE_TTL, key, owner, record,
};
use futures_util::future::join_all;
use mcp_core::ports::{Owner, SessionKey, SessionLimits, SessionStore, StoreLimit};
use std::time::SystemTime;

async fn remove_all(store: &dyn SessionStore, keys: &[SessionKey], now: SystemTime) -> usize {
    let mut removed = 0;
    for key in keys {
        removed += usize::from(done(store.remove(key, now).await));
    }
    removed
}

pub(super) async fn the_limits_of_a_principal_and_of_the_store_hold_at_any_pace(
    store: &dyn SessionStore,
    now: SystemTime,
) {
    let limits = SessionLimits { total: 8, per_principal: 3, ..SessionLimits::default() };
    let of_ada: Vec<_> = (0..CALLERS).map(|number| key(20, number)).collect();
    let results = join_all(of_ada.iter().map(|key| store.create(record(key, now), &limits, now))).await;
    some_succeed(results, 3, StoreLimit::SessionsOfPrincipal);

    let anonymous = |number| SessionKey { owner: Owner::Anonymous, ..key(21, number) };
    let of_nobody: Vec<_> = (0..CALLERS).map(anonymous).collect();
    let results = join_all(of_nobody.iter().map(|key| store.create(record(key, now), &limits, now))).await;
    some_succeed(results, 5, StoreLimit::Sessions);

    let of_bob = SessionKey { owner: owner("bob"), ..key(22, 0) };
    reached(&store.create(record(&of_bob, now), &limits, now).await, StoreLimit::Sessions);
    let wide = SessionLimits { total: 9, ..limits };
    done(store.create(record(&of_bob, now), &wide, now).await);
    reached(&store.create(record(&key(20, CALLERS), now), &wide, now).await, StoreLimit::SessionsOfPrincipal);

    assert_eq!(remove_all(store, &of_ada, now).await, 3, "only the admitted sessions must be there");
    done(store.create(record(&key(20, CALLERS), now), &limits, now).await);
    let rest = [of_bob, key(20, CALLERS)];
    assert_eq!(remove_all(store, &of_nobody, now).await + remove_all(store, &rest, now).await, 7);
    assert_eq!(done(store.count(now).await), 0, "a session that was refused must leave nothing behind");
}

pub(super) async fn expired_sessions_make_room(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits { total: 1, per_principal: 1, ..SessionLimits::default() };
    done(store.create(record(&key(23, 0), now), &limits, now).await);
    reached(&store.create(record(&key(23, 1), now), &limits, now).await, StoreLimit::SessionsOfPrincipal);
    let end = now + IDLE_TTL;
    done(store.create(record(&key(23, 1), end), &limits, end).await);
    assert!(done(store.remove(&key(23, 1), end).await));
    done(store.expire(end).await);
}

pub(super) async fn the_text_of_a_session_is_bounded(store: &dyn SessionStore, now: SystemTime) {
    let key = key(24, 0);
    let session = record(&key, now);
    let bytes = session.text_bytes();
    let exact = SessionLimits { text_bytes: bytes, ..SessionLimits::default() };
    let narrow = SessionLimits { text_bytes: bytes - 1, ..exact };
    reached(&store.create(session.clone(), &narrow, now).await, StoreLimit::SessionText);
    done(store.create(session, &exact, now).await);
    reached(&store.subscribe(&key, "a://b", &exact, now).await, StoreLimit::SessionText);
    assert!(done(store.remove(&key, now).await));
}
