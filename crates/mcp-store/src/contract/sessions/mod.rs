//! What a store of sessions must do.

mod identity;
mod life;
mod limits;
mod list_view;
mod updates;

use mcp_core::{
    ports::{EndpointPath, Owner, SessionId, SessionKey, SessionRecord, SessionStore},
    protocol::ClientCapabilities,
    version::ProtocolVersion,
};
use std::time::{Duration, SystemTime};

/// How long the sessions of these checks may be idle.
const IDLE_TTL: Duration = Duration::from_secs(600);

/// Checks a store of sessions; the [module](crate::contract) says what it needs.
///
/// # Panics
/// When the store does something else than [`SessionStore`] promises.
pub async fn sessions(store: &dyn SessionStore, now: SystemTime) {
    identity::a_session_is_found_by_its_whole_key(store, now).await;
    identity::an_id_is_taken_once(store, now).await;
    life::a_session_lives_while_it_is_touched(store, now).await;
    life::a_session_is_removed_once(store, now).await;
    life::expired_sessions_are_freed_and_others_stay(store, now).await;
    limits::the_limits_of_a_principal_and_of_the_store_hold_at_any_pace(store, now).await;
    limits::expired_sessions_make_room(store, now).await;
    limits::the_text_of_a_session_is_bounded(store, now).await;
    updates::each_change_tells_what_became_of_it(store, now).await;
    updates::changes_at_once_do_not_undo_each_other(store, now).await;
    updates::subscriptions_are_bounded_at_any_pace(store, now).await;
    list_view::each_change_is_told_with_what_was_before_it(store, now).await;
    list_view::what_is_hidden_is_bounded_at_any_pace(store, now).await;
    list_view::what_is_open_is_bounded_at_any_pace(store, now).await;
}

fn owner(subject: &str) -> Owner {
    Owner::Principal { issuer: Some("https://id.example".into()), subject: subject.into(), client: None }
}

/// The key of a session of `ada`; each number names another one, and each check has numbers of its own.
fn key(check: u8, number: u8) -> SessionKey {
    let mut bytes = [0; 32];
    bytes[0] = check;
    bytes[1] = number;
    SessionKey { id: SessionId::from_random(bytes), owner: owner("ada"), endpoint: EndpointPath::new("/mcp") }
}

fn record(key: &SessionKey, now: SystemTime) -> SessionRecord {
    let capabilities =
        ClientCapabilities::from_json(br#"{"roots":{"listChanged":true}}"#).unwrap_or_default();
    let client_info = br#"{"name":"probe","version":"1"}"#;
    let version = ProtocolVersion::LATEST_HANDSHAKE;
    SessionRecord::begin(key.clone(), version, &capabilities, Some(client_info), IDLE_TTL, now)
}
