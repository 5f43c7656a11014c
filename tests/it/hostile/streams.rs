//! Event streams that are opened in numbers, not read, or broken off.

use super::{
    raw::Raw,
    siege::{Siege, flood, until},
    willing_call,
};
use mcp_tests::{http_client::Answering, message::modern};
use serde_json::json;
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_listens_meets_the_limit_and_ends_with_its_connections() {
    Siege::of(&["--max-subscriptions", "100"])
        .withstand(async |fixture| {
            let (mut open, mut refused) = (Vec::new(), 0);
            for id in 0..300 {
                let params = json!({ "notifications": { "toolsListChanged": true } });
                let listen = modern(id, "subscriptions/listen", params);
                match fixture.connect().await.begin(&listen).await {
                    Answering::Events(stream) => open.push(stream),
                    Answering::Whole(response) => {
                        assert_eq!(response.status, 503, "{}", response.text());
                        assert!(response.text().contains("limits.subscriptions"), "{}", response.text());
                        refused += 1;
                    }
                }
            }
            assert_eq!((open.len(), refused), (100, 200));
            for _ in 0..100 {
                fixture.control("POST", "/changed/tools").await;
            }
            for (number, stream) in open.into_iter().enumerate() {
                if number % 2 == 0 { stream.reset() } else { drop(stream) }
            }
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_event_streams_meets_the_limit_and_calls_beyond_it_are_answered_plainly() {
    Siege::of(&["--max-streams", "20"])
        .withstand(async |fixture| {
            flood(400, |id| {
                let fixture = Arc::clone(fixture);
                async move {
                    let work = willing_call(id, "progress", json!({ "n": 3, "gap_ms": 1 }));
                    let response = fixture.send(&work).await;
                    assert_eq!(super::text_of(&response.reply()), "3 reports", "{}", response.text());
                }
            })
            .await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_never_read_what_floods_them_are_cut_off() {
    Siege::of(&["--wire-timeout", "1"])
        .peak(64)
        .withstand(async |fixture| {
            let mut silent = Vec::new();
            for id in 0..5 {
                let mut client = fixture.connect().await;
                // Far more than the sockets on the way take.
                client.write(&willing_call(id, "log_all", json!({ "kib": 4_000 }))).await;
                silent.push(client);
            }
            flood(10, |id| {
                let fixture = Arc::clone(fixture);
                async move {
                    let mut client = fixture.connect().await;
                    let echo = willing_call(id, "echo", json!({ "text": "x".repeat(1_000_000) }));
                    // Once nobody reads the answers the server does not read the requests, and cuts off.
                    while client.try_write(&echo).await {}
                }
            })
            .await;
            until(fixture, |counts| counts["event_streams"] == 0).await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_leaves_in_the_middle_of_a_stream_ends_its_call() {
    Siege::of(&[])
        .withstand(async |fixture| {
            flood(500, |id| {
                let fixture = Arc::clone(fixture);
                async move {
                    // It would go on for an hour.
                    let work = willing_call(id, "progress", json!({ "n": 360_000, "gap_ms": 10 }));
                    let mut stream = fixture.connect().await.listen(&work).await;
                    assert_eq!(stream.next().await.unwrap()["method"], "notifications/progress");
                    if id % 2 == 0 { stream.reset() } else { drop(stream) }
                }
            })
            .await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_leaves_before_its_answer_ends_its_call() {
    Siege::of(&[])
        .withstand(async |fixture| {
            flood(500, |id| {
                let fixture = Arc::clone(fixture);
                async move {
                    let mut client = fixture.connect().await;
                    let wait = json!({ "ms": 3_600_000, "text": "late" });
                    client.write(&willing_call(id, "slow_echo", wait)).await;
                    drop(client);
                    let mut client = Raw::connect(&fixture).await;
                    client.write(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Le").await.unwrap();
                    client.reset();
                }
            })
            .await;
        })
        .await;
}
