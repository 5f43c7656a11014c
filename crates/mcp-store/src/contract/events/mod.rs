//! What a log of events must do.

mod bounds;
mod identity;
mod life;
mod replay;

use super::demand::done;
use bytes::Bytes;
use mcp_core::ports::{
    Appended, EndpointPath, EventId, EventLimits, EventLog, Owner, Replay, SessionId, SessionKey, StreamId,
    StreamKey,
};
use std::time::SystemTime;

/// Checks a log of events; the [module](crate::contract) says what it needs.
///
/// # Panics
/// When the log does something else than [`EventLog`] promises.
pub async fn events(log: &dyn EventLog, now: SystemTime) {
    identity::a_stream_is_found_by_its_whole_key(log, now).await;
    identity::a_stream_is_opened_once(log, now).await;
    replay::events_are_numbered_and_replayed_from_any_place(log, now).await;
    replay::events_at_once_each_have_a_number(log, now).await;
    replay::only_the_interrupted_stream_is_replayed(log, now).await;
    life::a_closed_stream_takes_no_event_and_is_replayed_to_its_end(log, now).await;
    life::streams_end_with_their_session(log, now).await;
    life::streams_and_events_are_forgotten_with_age(log, now).await;
    bounds::the_oldest_events_of_a_stream_make_room(log, now).await;
    bounds::the_oldest_events_of_the_log_make_room(log, now).await;
    bounds::the_streams_of_a_session_are_bounded(log, now).await;
}

fn session(check: u8, number: u8) -> SessionKey {
    let mut bytes = [1; 32];
    bytes[0] = check;
    bytes[1] = number;
    let owner = Owner::Principal { issuer: None, subject: "ada".into(), client: Some("cli".into()) };
    SessionKey { id: SessionId::from_random(bytes), owner, endpoint: EndpointPath::new("/mcp") }
}

fn stream(session: &SessionKey, number: u8) -> StreamKey {
    StreamKey { session: session.clone(), stream: StreamId::from_random([number; 12]) }
}

/// Adds an event to a stream that must take it, and gives its number.
async fn append(
    log: &dyn EventLog,
    key: &StreamKey,
    payload: Bytes,
    limits: &EventLimits,
    now: SystemTime,
) -> u64 {
    let appended = done(log.append_event(key, payload, limits, now).await);
    let Appended::Event(id) = &appended else { return refused(&appended) };
    assert_eq!(id.stream, key.stream, "an event's id must name its stream");
    id.number
}

#[expect(clippy::panic, reason = "a check of a test suite fails by panicking")]
fn refused(appended: &Appended) -> u64 {
    panic!("an open stream must take an event: {appended:?}")
}

/// What follows a place on a stream.
async fn replay(
    log: &dyn EventLog,
    key: &StreamKey,
    number: u64,
    limits: &EventLimits,
    now: SystemTime,
) -> Option<Replay> {
    let after = EventId { stream: key.stream.clone(), number };
    done(log.replay(&key.session, &after, limits, now).await)
}

/// The numbers and payloads of a replay; empty when there is none.
fn told(replay: Option<&Replay>) -> Vec<(u64, Bytes)> {
    let events = replay.map(|replay| replay.events.as_slice()).unwrap_or_default();
    events.iter().map(|event| (event.id.number, event.payload.clone())).collect()
}
