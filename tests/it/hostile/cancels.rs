//! Cancellations that race their answers, and ids that are used twice.

use super::{
    HANDSHAKE, call, cancel,
    siege::{Siege, flood},
    text_of,
};
use mcp_tests::session::Session;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancellations_that_race_their_answers_leave_every_id_free() {
    Siege::of(&[])
        .withstand(async |fixture| {
            let session = Session::begin(fixture, HANDSHAKE).await;
            flood(1_000, |id| {
                let session = session.clone();
                async move {
                    let work = call(id, "slow_echo", json!({ "ms": id % 3, "text": "done" }));
                    let stop = cancel(id);
                    let (answer, cancelled) = tokio::join!(session.send(&work), session.send(&stop));
                    assert_eq!(cancelled.status, 202);
                    // Either is right; a stream without a reply says that the cancellation won.
                    match answer.status {
                        200 => {
                            let last = answer.messages().pop();
                            assert!(last.as_ref().is_none_or(|last| text_of(last) == "done"), "{last:?}");
                        }
                        202 | 204 => assert!(answer.body.is_empty()),
                        status => panic!("{status}: {}", answer.text()),
                    }
                    // The id is free again.
                    let again = session.send(&call(id, "echo", json!({ "text": "again" }))).await.reply();
                    assert_eq!(text_of(&again), "again", "{again}");
                }
            })
            .await;
            assert_eq!(session.end().await.status, 204);
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_id_that_is_used_again_in_flight_is_answered_where_it_was_asked_and_its_first_call_goes_on() {
    Siege::of(&[])
        .withstand(async |fixture| {
            let session = Session::begin(fixture, HANDSHAKE).await;
            let mut first = session.stream(&call(7, "progress", json!({ "n": 360_000, "gap_ms": 10 }))).await;
            assert_eq!(first.next().await.unwrap()["method"], "notifications/progress");
            flood(500, |_| {
                let session = session.clone();
                async move {
                    let reply = session.send(&call(7, "echo", json!({ "text": "x" }))).await.reply();
                    // Over HTTP an answer goes to the connection that asked, whatever its id.
                    assert_eq!(text_of(&reply), "x", "{reply}");
                }
            })
            .await;
            assert_eq!(first.next().await.unwrap()["method"], "notifications/progress");
            assert_eq!(session.send(&cancel(7)).await.status, 202);
            while first.next().await.is_some() {}
            let reply = session.send(&call(7, "echo", json!({ "text": "x" }))).await.reply();
            assert_eq!(text_of(&reply), "x");
            assert_eq!(session.end().await.status, 204);
        })
        .await;
}
