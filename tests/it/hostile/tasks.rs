//! Tasks in numbers, abandoned or cancelled, in both dialects.

use super::{
    HANDSHAKE, request,
    siege::{Siege, flood},
    willing_call,
};
use mcp_tests::{message::modern, session::Session};
use serde_json::{Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// A call on 2025-11-25 that is to be a task and takes an hour.
fn long_task(id: i64) -> Value {
    let params = json!({
        "name": "slow_compute", "arguments": { "seconds": 3600 }, "task": { "ttl": 3_600_000 },
    });
    request(id, "tools/call", params)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_of_sessions_meet_their_limits_and_end_with_their_sessions_or_their_time() {
    Siege::of(&["--max-tasks", "60", "--max-tasks-each", "10", "--longest-task", "2", "--session-idle", "3"])
        .withstand(async |fixture| {
            let refused = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
            let alone = Session::begin(fixture, HANDSHAKE).await;
            for id in 0..10 {
                let reply = alone.send(&long_task(id)).await.reply();
                assert_eq!(reply["result"]["task"]["status"], "working", "{reply}");
            }
            let reply = alone.send(&long_task(10)).await.reply().to_string();
            assert!(reply.contains("tasks.limits.per_owner"), "{reply}");
            flood(12, |number| {
                let (fixture, refused) = (Arc::clone(fixture), Arc::clone(&refused));
                async move {
                    let session = Session::begin(&fixture, HANDSHAKE).await;
                    for id in 0..20 {
                        let response = session.send(&long_task(id)).await;
                        let reply = response.reply();
                        match reply["error"]["message"].as_str() {
                            None => assert_eq!(reply["result"]["task"]["status"], "working", "{reply}"),
                            Some(why) => {
                                assert_eq!(reply["error"]["code"], -32603, "{reply}");
                                let own = usize::from(why.contains("tasks.limits.per_owner"));
                                assert!(own == 1 || why.contains("tasks.limits.total"), "{reply}");
                                refused[own].fetch_add(1, Ordering::Relaxed);
                            }
                        }
                    }
                    // Every other client does not even end its session.
                    if number % 2 == 0 {
                        assert_eq!(session.end().await.status, 204);
                    }
                }
            })
            .await;
            assert!(refused[0].load(Ordering::Relaxed) > 0, "the limit of all is met");
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_of_the_extension_meet_their_limit_and_end_in_their_time() {
    Siege::of(&["--max-tasks", "50", "--longest-task", "2"])
        .withstand(async |fixture| {
            let made = Arc::new(AtomicUsize::new(0));
            flood(300, |id| {
                let (fixture, made) = (Arc::clone(fixture), Arc::clone(&made));
                async move {
                    let reply = fixture.send(&willing_call(id, "failing_job", json!({}))).await.reply();
                    match reply["error"]["message"].as_str() {
                        None => {
                            assert_eq!(reply["result"]["resultType"], "task", "{reply}");
                            made.fetch_add(1, Ordering::Relaxed);
                        }
                        Some(why) => assert!(why.contains("tasks.limits.total"), "{reply}"),
                    }
                }
            })
            .await;
            let made = made.load(Ordering::Relaxed);
            assert!((50..300).contains(&made), "{made}");
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_that_are_asked_for_and_cancelled_at_once_settle_every_time() {
    Siege::of(&["--longest-task", "2"])
        .withstand(async |fixture| {
            flood(300, |id| {
                let fixture = Arc::clone(fixture);
                async move {
                    let tool = ["slow_compute", "confirm_delete"][id % 2];
                    let arguments = [json!({ "seconds": 3600 }), json!({ "filename": "x" })][id % 2].clone();
                    let reply = fixture.send(&willing_call(id, tool, arguments)).await.reply();
                    let task =
                        reply["result"]["taskId"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned();
                    let ask = |method: &str| {
                        let meta = json!({ "io.modelcontextprotocol/clientCapabilities": {
                            "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } } });
                        modern(id, method, json!({ "taskId": task, "_meta": meta }))
                            .header("Mcp-Name", &*task)
                    };
                    let (end, look) = (ask("tasks/cancel"), ask("tasks/get"));
                    let (cancelled, looked) = tokio::join!(fixture.send(&end), fixture.send(&look));
                    assert_eq!(cancelled.reply()["error"], Value::Null, "{}", cancelled.text());
                    assert_eq!(looked.reply()["error"], Value::Null, "{}", looked.text());
                    let settled = fixture.send(&look).await.reply();
                    assert_eq!(settled["result"]["status"], "cancelled", "{settled}");
                }
            })
            .await;
        })
        .await;
}
