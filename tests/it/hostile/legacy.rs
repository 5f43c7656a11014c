//! HTTP+SSE of 2024-11-05: streams that are opened and left, and messages to nobody.

use super::{
    call, request,
    siege::{Siege, flood, until},
};
use mcp_tests::{http_client::Request, legacy_client::LegacyClient};
use serde_json::json;
use std::sync::Arc;

async fn shaken(client: &mut LegacyClient) {
    let params = json!({
        "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": { "name": "probe", "version": "1" },
    });
    client.write(&request(0, "initialize", params)).await;
    assert_eq!(client.next().await["result"]["protocolVersion"], "2024-11-05");
    client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_that_never_shake_hands_end_in_their_time() {
    Siege::of(&["--legacy-sse", "--session-opening", "1"])
        .withstand(async |fixture| {
            let mut open = Vec::new();
            for _ in 0..200 {
                open.push(LegacyClient::open(fixture).await);
            }
            let gone = open[0].post(&request(1, "ping", json!({})));
            for mut client in open {
                assert!(client.ends().await);
            }
            assert_eq!(fixture.send(&gone).await.status, 404);
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_that_break_off_in_the_middle_of_their_calls_end_them() {
    Siege::of(&["--legacy-sse"])
        .withstand(async |fixture| {
            flood(200, |_| {
                let fixture = Arc::clone(fixture);
                async move {
                    let mut client = LegacyClient::open(&fixture).await;
                    shaken(&mut client).await;
                    for id in 1..5 {
                        client.write(&call(id, "progress", json!({ "n": 360_000, "gap_ms": 10 }))).await;
                    }
                    assert_eq!(client.next().await["method"], "notifications/progress");
                }
            })
            .await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_that_stop_reading_are_ended_with_their_calls() {
    Siege::of(&["--legacy-sse", "--wire-timeout", "1"])
        .peak(96)
        .withstand(async |fixture| {
            let mut silent = Vec::new();
            for _ in 0..5 {
                let mut client = LegacyClient::open(fixture).await;
                shaken(&mut client).await;
                for id in 1..10 {
                    let large = "x".repeat(1_000_000);
                    let echo = client.post(&call(id, "echo", json!({ "text": large })));
                    let status = fixture.send(&echo).await.status;
                    assert!([202, 404].contains(&status), "{status}");
                }
                silent.push(client);
            }
            until(fixture, |counts| counts["legacy_sessions"] == 0).await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_to_sessions_that_do_not_exist_find_nobody() {
    Siege::of(&["--legacy-sse"])
        .withstand(async |fixture| {
            let client = LegacyClient::open(fixture).await;
            flood(400, |number| {
                let fixture = Arc::clone(fixture);
                let (path, key) = client.url.split_once('=').unwrap();
                let guess = match number % 3 {
                    0 => format!("{path}={}", "a".repeat(key.len())),
                    1 => format!("{path}={}", "%00".repeat(10_000)),
                    _ => path.to_owned(),
                };
                async move {
                    let post = Request::new("POST", &guess).header("Content-Type", "application/json");
                    let response = fixture.send(&post.body(request(1, "ping", json!({})).to_string())).await;
                    assert!([400, 404].contains(&response.status), "{}", response.text());
                    assert!(response.body.len() < 1_000);
                }
            })
            .await;
        })
        .await;
}
