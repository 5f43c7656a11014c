//! A session is one person's at one endpoint.

use super::{
    super::demand::{CALLERS, done},
    key, owner, record,
};
use futures_util::future::join_all;
use mcp_core::{
    ports::{EndpointPath, Owner, SessionKey, SessionLimits, SessionStore, SessionUpdate, StoreError},
    protocol::LogLevel,
};
use std::time::SystemTime;

pub(super) async fn a_session_is_found_by_its_whole_key(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits::default();
    let own = key(1, 0);
    let created = record(&own, now);
    done(store.create(created.clone(), &limits, now).await);
    let foreign = [
        SessionKey { owner: owner("bob"), ..own.clone() },
        SessionKey { owner: Owner::Anonymous, ..own.clone() },
        SessionKey {
            owner: Owner::Principal { issuer: None, subject: "ada".into(), client: None },
            ..own.clone()
        },
        SessionKey { endpoint: EndpointPath::new("/other"), ..own.clone() },
        SessionKey { id: key(1, 1).id, ..own.clone() },
    ];
    for key in &foreign {
        assert_eq!(done(store.load(key, now).await), None, "a foreign key must load nothing: {key:?}");
        assert_eq!(done(store.touch(key, now).await), None, "a foreign key must touch nothing: {key:?}");
        let updates = [
            done(store.mark_initialized(key, now).await),
            done(store.set_log_level(key, LogLevel::Error, now).await),
            done(store.subscribe(key, "a://b", &limits, now).await),
            done(store.unsubscribe(key, "a://b", now).await),
        ];
        assert_eq!(updates, [SessionUpdate::Unknown; 4], "a foreign key must change nothing: {key:?}");
        assert!(!done(store.remove(key, now).await), "a foreign key must remove nothing: {key:?}");
    }
    let loaded = done(store.load(&own, now).await);
    assert_eq!(loaded, Some(created), "the session must be as it was created");
    assert!(done(store.remove(&own, now).await), "the owner must be able to remove the session");
}

pub(super) async fn an_id_is_taken_once(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits::default();
    let contested = key(2, 0);
    let attempts = (0..CALLERS).map(|caller| {
        let owner = if caller % 2 == 0 { owner("ada") } else { owner("bob") };
        let key = SessionKey { owner, ..contested.clone() };
        async move { (store.create(record(&key, now), &limits, now).await, key) }
    });
    let results = join_all(attempts).await;
    let mut winners = Vec::new();
    for (result, key) in results {
        match result {
            Err(StoreError::Conflict) => {}
            result => {
                done(result);
                winners.push(key);
            }
        }
    }
    assert_eq!(winners.len(), 1, "one of many sessions with one id must be created");
    for winner in winners {
        assert!(done(store.remove(&winner, now).await), "the session that was created must be there");
    }
}
