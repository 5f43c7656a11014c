//! Changes to a session.

use super::{
    super::demand::{CALLERS, done, reached, some_succeed},
    key, record,
};
use futures_util::future::{join, join_all, join4};
use mcp_core::{
    ports::{SessionLimits, SessionStore, SessionUpdate, StoreLimit},
    protocol::LogLevel,
};
use std::time::SystemTime;

pub(super) async fn each_change_tells_what_became_of_it(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits::default();
    let key = key(30, 0);
    let mut expected = record(&key, now);
    done(store.create(expected.clone(), &limits, now).await);
    let repeated = [SessionUpdate::Changed, SessionUpdate::Unchanged];

    let updates = [
        done(store.set_log_level(&key, LogLevel::Warning, now).await),
        done(store.set_log_level(&key, LogLevel::Warning, now).await),
    ];
    assert_eq!(updates, repeated, "a level that is set already changes nothing");
    let update = done(store.set_log_level(&key, LogLevel::Debug, now).await);
    assert_eq!(update, SessionUpdate::Changed, "another level must be set");

    let updates = [
        done(store.subscribe(&key, "a://b", &limits, now).await),
        done(store.subscribe(&key, "a://b", &limits, now).await),
    ];
    assert_eq!(updates, repeated, "a second subscription to one resource changes nothing");
    assert_eq!(done(store.subscribe(&key, "a://C", &limits, now).await), SessionUpdate::Changed);
    let updates = [
        done(store.unsubscribe(&key, "a://b", now).await),
        done(store.unsubscribe(&key, "a://b", now).await),
    ];
    assert_eq!(updates, repeated, "a resource that is not among them cannot be taken out");

    let marks = join_all((0..CALLERS).map(|_| store.mark_initialized(&key, now))).await;
    let changes = marks.into_iter().map(done).filter(|update| *update == SessionUpdate::Changed).count();
    assert_eq!(changes, 1, "one of many callers must be told that it changed the session");

    expected.log_level = Some(LogLevel::Debug);
    expected.initialized = true;
    expected.subscriptions.insert("a://C".into());
    assert_eq!(done(store.load(&key, now).await), Some(expected), "the session must hold all changes");
    assert!(done(store.remove(&key, now).await));
}

pub(super) async fn changes_at_once_do_not_undo_each_other(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits::default();
    let key = key(31, 0);
    done(store.create(record(&key, now), &limits, now).await);
    let uris: Vec<String> = (0..CALLERS).map(|number| format!("a://{number}")).collect();
    let subscribe = join_all(uris.iter().map(|uri| store.subscribe(&key, uri, &limits, now)));
    let touches = join_all((0..CALLERS).map(|_| store.touch(&key, now)));
    let ((level, mark, updates, touched), unsubscribed) = join(
        join4(
            store.set_log_level(&key, LogLevel::Alert, now),
            store.mark_initialized(&key, now),
            subscribe,
            touches,
        ),
        store.unsubscribe(&key, "a://none", now),
    )
    .await;
    assert_eq!((done(level), done(mark)), (SessionUpdate::Changed, SessionUpdate::Changed));
    assert_eq!(done(unsubscribed), SessionUpdate::Unchanged);
    for update in updates {
        assert_eq!(done(update), SessionUpdate::Changed, "each resource is a new one");
    }
    for record in touched {
        assert!(done(record).is_some(), "the session is there all the time");
    }
    let after = done(store.load(&key, now).await);
    let kept = after.map(|session| (session.log_level, session.initialized, session.subscriptions.len()));
    assert_eq!(
        kept,
        Some((Some(LogLevel::Alert), true, usize::from(CALLERS))),
        "no change may be lost to another one"
    );
    assert!(done(store.remove(&key, now).await));
}

pub(super) async fn subscriptions_are_bounded_at_any_pace(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits { subscriptions: 3, ..SessionLimits::default() };
    let key = key(32, 0);
    done(store.create(record(&key, now), &limits, now).await);
    let uris: Vec<String> = (0..CALLERS).map(|number| format!("a://{number}")).collect();
    let updates = join_all(uris.iter().map(|uri| store.subscribe(&key, uri, &limits, now))).await;
    some_succeed(updates, 3, StoreLimit::Subscriptions);

    let subscribed =
        done(store.load(&key, now).await).map(|session| session.subscriptions).unwrap_or_default();
    assert_eq!(subscribed.len(), 3, "as many as the limit allows must be kept");
    for uri in &subscribed {
        let again = done(store.subscribe(&key, uri, &limits, now).await);
        assert_eq!(again, SessionUpdate::Unchanged, "no limit stands in the way of a resource that is there");
    }
    if let Some(uri) = subscribed.first() {
        assert_eq!(done(store.unsubscribe(&key, uri, now).await), SessionUpdate::Changed);
    }
    assert_eq!(done(store.subscribe(&key, "a://new", &limits, now).await), SessionUpdate::Changed);
    reached(&store.subscribe(&key, "a://newer", &limits, now).await, StoreLimit::Subscriptions);
    assert!(done(store.remove(&key, now).await));
}
