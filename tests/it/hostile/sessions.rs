//! Sessions that nobody needs: opened, left alone, never ended.

use super::{
    HANDSHAKE, call, request,
    siege::{Siege, flood},
};
use mcp_tests::session::{Session, initialize};
use serde_json::json;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_handshakes_meets_the_limit_of_sessions_and_leaves_none() {
    let siege = Siege::of(&["--max-sessions", "200", "--session-opening", "1"]);
    siege
        .withstand(async |fixture| {
            let refused = Arc::new(AtomicUsize::new(0));
            flood(1_000, |_| {
                let (fixture, refused) = (Arc::clone(fixture), Arc::clone(&refused));
                async move {
                    let response = fixture.send(&initialize(HANDSHAKE, &json!({}))).await;
                    match response.status {
                        200 => assert!(response.header("mcp-session-id").is_some()),
                        503 => {
                            assert!(response.text().contains("sessions.limits.total"), "{}", response.text());
                            refused.fetch_add(1, Ordering::Relaxed);
                        }
                        status => panic!("{status}: {}", response.text()),
                    }
                }
            })
            .await;
            assert!(refused.load(Ordering::Relaxed) > 0, "the limit is met");
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_that_are_abandoned_in_the_middle_of_their_work_end_with_it() {
    Siege::of(&["--session-idle", "3", "--ask-timeout", "1"])
        .withstand(async |fixture| {
            flood(60, |_| {
                let fixture = Arc::clone(fixture);
                async move {
                    let session = Session::begin(&fixture, HANDSHAKE).await;
                    let changes = session.get().await;
                    let mut working =
                        session.stream(&call(1, "progress", json!({ "n": 100, "gap_ms": 10 }))).await;
                    let mut asking = session.stream(&call(2, "echo_with_note", json!({ "text": "x" }))).await;
                    assert_eq!(working.next().await.unwrap()["method"], "notifications/progress");
                    assert_eq!(asking.next().await.unwrap()["method"], "elicitation/create");
                    changes.reset();
                    working.reset();
                    drop(asking);
                }
            })
            .await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_that_one_session_opens_over_and_over_end_those_before() {
    Siege::of(&[])
        .withstand(async |fixture| {
            let session = Session::begin(fixture, HANDSHAKE).await;
            let mut all = Vec::new();
            for _ in 0..300 {
                all.push(session.get().await);
            }
            // All but a few are over, though nobody has read them.
            let counts = fixture.counts().await;
            assert!(counts["session_work"] <= 8, "{counts:?}");
            for id in 0..100 {
                assert_eq!(session.send(&request(id, "ping", json!({}))).await.status, 200);
            }
            assert_eq!(session.end().await.status, 204);
            for mut stream in all {
                stream.rest().await;
            }
        })
        .await;
}
