//! The stores in memory keep the contract, also among threads.

use futures_util::FutureExt;
use mcp_core::{
    ports::{
        EndpointPath, EventId, EventLimits, EventLog, Missed, Owner, SessionId, SessionKey, SessionLimits,
        SessionRecord, SessionStore, StreamId, StreamKey,
    },
    protocol::ClientCapabilities,
    version::ProtocolVersion,
};
use mcp_store::{MemoryEvents, MemorySessions, MemoryTasks, contract};
use std::{
    sync::Barrier,
    thread,
    time::{Duration, SystemTime},
};

/// Runs what never waits.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("stores in memory never wait")
}

fn key(number: u8) -> SessionKey {
    let owner = Owner::Principal { issuer: None, subject: "ada".into(), client: None };
    SessionKey { id: SessionId::from_random([number; 32]), owner, endpoint: EndpointPath::new("/mcp") }
}

fn record(key: SessionKey, now: SystemTime) -> SessionRecord {
    let capabilities = ClientCapabilities::default();
    SessionRecord::begin(
        key,
        ProtocolVersion::LATEST_HANDSHAKE,
        &capabilities,
        None,
        Duration::from_secs(60),
        now,
    )
}

/// Lets threads begin together, and gives what each of them found.
fn together<T: Send>(threads: u8, work: impl Fn(u8) -> T + Sync) -> Vec<T> {
    let barrier = Barrier::new(threads.into());
    thread::scope(|scope| {
        let started: Vec<_> = (0..threads)
            .map(|number| {
                let (barrier, work) = (&barrier, &work);
                scope.spawn(move || {
                    barrier.wait();
                    work(number)
                })
            })
            .collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn sessions_keep_the_contract() {
    let store = MemorySessions::new();
    at_once(contract::sessions(&store, SystemTime::now()));
    assert_eq!(format!("{store:?}"), "MemorySessions { sessions: 0 }");
}

#[test]
fn events_keep_the_contract() {
    let log = MemoryEvents::new();
    at_once(contract::events(&log, SystemTime::now()));
    assert_eq!(format!("{log:?}"), "MemoryEvents { streams: 0, bytes: 0 }");
}

#[test]
fn tasks_keep_the_contract() {
    let store = MemoryTasks::new();
    at_once(contract::tasks(&store, SystemTime::now()));
    assert_eq!(format!("{store:?}"), "MemoryTasks { tasks: 0 }");
}

#[test]
fn threads_do_not_get_past_a_limit() {
    let (store, now) = (MemorySessions::new(), SystemTime::now());
    let limits = SessionLimits { per_principal: 3, ..SessionLimits::default() };
    let created = together(8, |number| at_once(store.create(record(key(number), now), &limits, now)).is_ok());
    assert_eq!(created.iter().filter(|created| **created).count(), 3);
    assert_eq!(at_once(store.count(now)).unwrap(), 3);
}

#[test]
fn threads_lose_no_event() {
    let (log, now) = (MemoryEvents::new(), SystemTime::now());
    let limits = EventLimits { stream_events: 1_000, ..EventLimits::default() };
    let stream = StreamKey { session: key(0), stream: StreamId::from_random([0; 12]) };
    at_once(log.open_stream(&stream, &limits, now)).unwrap();
    together(8, |number| {
        for _ in 0..100 {
            at_once(log.append_event(&stream, vec![number].into(), &limits, now)).unwrap();
        }
    });
    let after = EventId::opening(stream.stream.clone());
    let replay = at_once(log.replay(&stream.session, &after, &limits, now)).unwrap().unwrap();
    let numbers: Vec<_> = replay.events.iter().map(|event| event.id.number).collect();
    assert_eq!(numbers, (1..=800).collect::<Vec<_>>());
    assert_eq!(replay.missed, Missed::Nothing);
}

#[test]
fn a_flood_of_abandoned_sessions_and_streams_leaves_nothing_behind() {
    let (store, log) = (MemorySessions::new(), MemoryEvents::new());
    let (limits, event_limits) = (SessionLimits::default(), EventLimits::default());
    let begin = SystemTime::now();
    for number in 0..20_000_u32 {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        let now = begin + Duration::from_millis(u64::from(number) * 100);
        let key = SessionKey { id: SessionId::from_random(bytes), owner: Owner::Anonymous, ..key(0) };
        let stream = StreamKey { session: key.clone(), stream: StreamId::from_random([0; 12]) };
        at_once(store.create(record(key, now), &limits, now)).unwrap();
        at_once(log.open_stream(&stream, &event_limits, now)).unwrap();
        at_once(log.append_event(&stream, vec![b'x'; 1_000].into(), &event_limits, now)).unwrap();
    }
    assert_eq!(format!("{store:?}"), "MemorySessions { sessions: 600 }");
    let end = begin + Duration::from_secs(100_000);
    assert_eq!(at_once(store.expire(end)).unwrap(), 600);
    assert!(at_once(log.expire(&event_limits, end)).unwrap() > 0);
    assert_eq!(format!("{log:?}"), "MemoryEvents { streams: 0, bytes: 0 }");
}
