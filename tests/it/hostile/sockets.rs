//! Connections that say nothing, half of something, or everything very slowly.

use super::{
    raw::Raw,
    siege::{Siege, flood, until},
};
use std::sync::Arc;

/// The beginning of a request whose body is much longer.
const BEGUN: &[u8] = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
    Accept: application/json, text/event-stream\r\nContent-Length: 100000\r\n\r\n{\"jsonrpc\":";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_say_nothing_or_half_are_closed_in_time() {
    Siege::of(&["--wire-timeout", "0.5"])
        .withstand(async |fixture| {
            let beginnings: [&[u8]; 4] = [b"", b"POST", b"POST /mcp HTTP/1.1\r\nHost: localh", BEGUN];
            let mut open = Vec::new();
            for number in 0..400 {
                let mut client = Raw::connect(fixture).await;
                client.write(beginnings[number % beginnings.len()]).await.unwrap();
                open.push(client);
            }
            for (number, client) in open.into_iter().enumerate() {
                let answer = client.until_closed().await;
                let said = if number % beginnings.len() == 3 { " 408 " } else { "" };
                assert!(answer.contains(said), "{answer}");
                assert!(!answer.contains(" 200 "), "{answer}");
            }
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_by_single_bytes_end_in_time() {
    Siege::of(&["--wire-timeout", "0.5"])
        .withstand(async |fixture| {
            flood(32, |number| {
                let fixture = Arc::clone(fixture);
                async move {
                    let mut client = Raw::connect(&fixture).await;
                    // Heads and bodies that never stop, and are never there.
                    let begun = [BEGUN, b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: "][number % 2];
                    client.write(begun).await.unwrap();
                    client.drip(b'1').await;
                }
            })
            .await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_closes_its_half_after_the_request_gets_its_answer() {
    Siege::of(&[])
        .withstand(async |fixture| {
            flood(200, |_| {
                let fixture = Arc::clone(fixture);
                async move {
                    let mut client = Raw::connect(&fixture).await;
                    let body = mcp_tests::message::modern_message(1, "tools/list", serde_json::json!({}))
                        .to_string();
                    let head = format!(
                        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                         Accept: application/json, text/event-stream\r\nMcp-Method: tools/list\r\n\
                         MCP-Protocol-Version: 2026-07-28\r\nContent-Length: {}\r\n\r\n",
                        body.len()
                    );
                    client.write((head + &body).as_bytes()).await.unwrap();
                    client.close_half().await.unwrap();
                    let answer = client.until_closed().await;
                    // What is half closed may be given up, but never answered in half.
                    assert!(answer.is_empty() || answer.ends_with('}'), "{answer}");
                    assert!(answer.is_empty() || answer.contains(" 200 "), "{answer}");
                    let mut client = Raw::connect(&fixture).await;
                    client.write(BEGUN).await.unwrap();
                    client.close_half().await.unwrap();
                    let answer = client.until_closed().await;
                    assert!(!answer.contains(" 200 "), "{answer}");
                }
            })
            .await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_beyond_the_limit_wait_until_silent_ones_are_closed() {
    // The client beside opens connections of its own: it waits for them, and is served.
    Siege::of(&["--max-connections", "40", "--wire-timeout", "0.5"])
        .withstand(async |fixture| {
            let mut open = Vec::new();
            for _ in 0..120 {
                open.push(Raw::connect(fixture).await);
            }
            for client in open {
                assert_eq!(client.until_closed().await, "");
            }
            until(fixture, |counts| counts["event_streams"] == 0).await;
        })
        .await;
}
