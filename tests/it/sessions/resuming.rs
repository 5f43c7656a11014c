//! Calls whose connection breaks.

use super::{NEWEST, REVISIONS, call, cancel, progress};
use mcp_tests::{fixture::Fixture, session::Session};
use serde_json::json;
use std::{fs, path::PathBuf, time::Duration};
use tokio::time::sleep;

#[tokio::test]
async fn what_a_broken_connection_did_not_carry_is_fetched_as_often_as_it_is_asked_for() {
    let fixture = Fixture::start();
    for version in REVISIONS {
        let session = Session::begin(&fixture, version).await;
        let mut stream = session.stream(&call(1, "progress", json!({ "n": 5, "gap_ms": 60 }))).await;
        let first = stream.event().await.unwrap();
        assert_eq!(first.message.is_none() && first.retry.is_some(), version == NEWEST, "{first:?}");
        let mut last = first;
        while last.message.as_ref().is_none_or(|message| message["params"]["progress"].as_f64() != Some(2.0))
        {
            last = stream.event().await.unwrap();
        }
        stream.reset();
        sleep(Duration::from_millis(500)).await;
        let rest = session.resume(last.id.as_deref().unwrap()).await.rest().await;
        assert_eq!(progress(&rest), [3, 4, 5, 0], "{version}");
        let later = session.resume(rest[1].id.as_deref().unwrap()).await.rest().await;
        assert_eq!(later, rest[2..]);
    }
}

#[tokio::test]
async fn a_call_that_still_runs_is_taken_over_from_a_connection_that_is_left_open() {
    let fixture = Fixture::start();
    for version in REVISIONS {
        let session = Session::begin(&fixture, version).await;
        let mut half_open = session.stream(&call(1, "progress", json!({ "n": 4, "gap_ms": 200 }))).await;
        let mut first = half_open.event().await.unwrap();
        while first.message.is_none() {
            first = half_open.event().await.unwrap();
        }
        let rest = session.resume(first.id.as_deref().unwrap()).await.rest().await;
        assert_eq!(progress(&rest), [2, 3, 4, 0], "{version}");
        assert!(progress(&half_open.rest().await).is_empty(), "nothing comes twice");
    }
}

#[tokio::test]
async fn an_event_of_another_session_or_none_at_all_resumes_nothing() {
    let fixture = Fixture::start();
    let [session, other] = [Session::begin(&fixture, NEWEST).await, Session::begin(&fixture, NEWEST).await];
    let all = session.stream(&call(1, "progress", json!({ "n": 2, "gap_ms": 1 }))).await.rest().await;
    let id = all[0].id.clone().unwrap();
    for (session, id) in [(&other, &*id), (&session, "x"), (&session, ""), (&session, "nothing.1")] {
        let response = fixture.send(&session.getting().header("Last-Event-ID", id)).await;
        assert_eq!((response.status, response.error_code()), (400, Some(-32600)), "{id}");
    }
    let ids: std::collections::BTreeSet<_> = all.iter().map(|event| event.id.clone().unwrap()).collect();
    assert_eq!(ids.len(), all.len());
}

/// A file that ticks are written to, removed when dropped.
struct Ticks(PathBuf);

impl Ticks {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("{name}-{}", std::process::id())))
    }

    fn count(&self) -> usize {
        fs::read_to_string(&self.0).unwrap_or_default().lines().count()
    }
}

impl Drop for Ticks {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[tokio::test]
async fn a_client_that_leaves_cancels_nothing_and_a_cancellation_does() {
    let fixture = Fixture::start();
    for version in REVISIONS {
        let session = Session::begin(&fixture, version).await;
        let (left, stopped) = (Ticks::new("left"), Ticks::new("stopped"));
        let ticks = |id: u32, file: &Ticks, n: u32| {
            call(id, "tick_file", json!({ "path": file.0.to_str().unwrap(), "n": n, "gap_ms": 20 }))
        };
        let mut stream = session.stream(&ticks(1, &left, 10)).await;
        stream.next().await.unwrap();
        stream.reset();
        let mut stream = session.stream(&ticks(2, &stopped, 1_000)).await;
        stream.next().await.unwrap();
        assert_eq!(session.send(&cancel(2)).await.status, 202);
        let rest = stream.rest().await;
        assert!(!progress(&rest).contains(&0), "{version}: no reply follows a cancellation");
        sleep(Duration::from_millis(500)).await;
        assert_eq!(left.count(), 10, "{version}");
        let count = stopped.count();
        assert!(count < 1_000);
        sleep(Duration::from_millis(100)).await;
        assert_eq!(stopped.count(), count, "{version}");
    }
}
