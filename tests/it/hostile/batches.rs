//! Batches of 2025-03-26, as large as they may be and larger.

use super::{
    call,
    siege::{Siege, flood},
};
use mcp_tests::session::Session;
use serde_json::{Value, json};

const BATCHES: &str = "2025-03-26";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_flood_of_batches_each_call_is_answered_or_told_that_it_is_too_much() {
    Siege::of(&["--max-requests", "250"])
        .withstand(async |fixture| {
            let session = Session::begin(fixture, BATCHES).await;
            flood(40, |number| {
                let session = session.clone();
                async move {
                    let one = |id: usize| {
                        call(number * 1_000 + id, "slow_echo", json!({ "ms": 5, "text": "x".repeat(1_000) }))
                    };
                    let batch: Vec<Value> = (0..100).map(one).collect();
                    let replies = replies(&session, &json!(batch)).await;
                    assert_eq!(replies.len(), 100);
                    for reply in replies {
                        let why = reply["error"]["message"].as_str().unwrap_or("limits.requests_in_flight");
                        assert!(why.contains("limits.requests_in_flight"), "{reply}");
                    }
                }
            })
            .await;
            assert_eq!(session.end().await.status, 204);
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_that_are_too_large_or_nested_or_empty_are_refused_as_a_whole() {
    Siege::of(&[])
        .withstand(async |fixture| {
            let session = Session::begin(fixture, BATCHES).await;
            let many: Vec<Value> = (0..10_000).map(|id| call(id, "slow_echo", json!({}))).collect();
            let mut nested = json!([call(1, "echo", json!({ "text": "x" }))]);
            for _ in 0..100 {
                nested = json!([nested]);
            }
            for batch in [json!(many), json!([]), nested] {
                for _ in 0..10 {
                    let response = session.send(&batch).await;
                    let errors = response.messages();
                    let errors =
                        errors.iter().flat_map(|one| one.as_array().cloned().unwrap_or(vec![one.clone()]));
                    for error in errors {
                        let code = error["error"]["code"].as_i64();
                        assert!([Some(-32600), Some(-32700)].contains(&code), "{error}");
                    }
                }
            }
            assert_eq!(session.end().await.status, 204);
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_that_are_abandoned_end_with_their_session() {
    Siege::of(&[])
        .withstand(async |fixture| {
            let session = Session::begin(fixture, BATCHES).await;
            let one = |id: usize| call(id, "progress", json!({ "n": 360_000, "gap_ms": 10 }));
            for round in 0..9 {
                let batch: Vec<Value> = (0..100).map(|id| one(round * 100 + id)).collect();
                let mut stream = session.stream(&json!(batch)).await;
                assert_eq!(stream.next().await.unwrap()["method"], "notifications/progress");
                stream.reset();
            }
            assert_eq!(session.end().await.status, 204);
        })
        .await;
}

async fn replies(session: &Session, batch: &Value) -> Vec<Value> {
    let messages = session.send(batch).await.messages();
    let all = messages.into_iter().flat_map(|message| match message {
        Value::Array(replies) => replies,
        one => vec![one],
    });
    all.filter(|message| message.get("id").is_some()).collect()
}
