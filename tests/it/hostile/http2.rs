//! HTTP/2 clients that reset, stall and flood their streams.

use super::{
    raw::Raw,
    siege::{Siege, flood, until},
};
use bytes::Bytes;
use h2::client::{self, ResponseFuture, SendRequest};
use http::{Request, Response, StatusCode};
use mcp_tests::{
    fixture::Fixture,
    http_client::PATIENCE,
    message::{MODERN, modern_message},
};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::{net::TcpStream, time::timeout};

/// Connects with the window that each stream has.
async fn connect(fixture: &Fixture, window: u32) -> SendRequest<Bytes> {
    let stream = TcpStream::connect(fixture.address()).await.expect("the server listens");
    let mut settings = client::Builder::new();
    settings.initial_window_size(window).initial_connection_window_size(1 << 20);
    let (sender, connection) = settings.handshake(stream).await.expect("the server speaks HTTP/2");
    // What ends it is seen by whoever sends.
    tokio::spawn(async move {
        let _ = connection.await;
    });
    sender
}

fn post(address: &str, tool: &str, arguments: &Value) -> (Request<()>, Bytes) {
    let meta = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "debug" });
    let message =
        modern_message(1, "tools/call", json!({ "name": tool, "arguments": arguments, "_meta": meta }));
    let request = Request::post(format!("http://{address}/mcp"))
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", MODERN)
        .header("mcp-method", "tools/call")
        .header("mcp-name", tool)
        .body(())
        .unwrap();
    (request, message.to_string().into())
}

/// Begins a call; `None` when the connection is over.
async fn begin(
    sender: &SendRequest<Bytes>,
    fixture: &Fixture,
    tool: &str,
    arguments: &Value,
) -> Option<ResponseFuture> {
    let mut sender = timeout(PATIENCE, sender.clone().ready()).await.expect("a stream becomes free").ok()?;
    let (request, body) = post(&fixture.address().to_string(), tool, arguments);
    let (response, mut upload) = sender.send_request(request, false).ok()?;
    upload.send_data(body, true).ok()?;
    Some(response)
}

async fn whole(response: Response<h2::RecvStream>) -> Result<Vec<u8>, h2::Error> {
    let mut body = response.into_body();
    let mut bytes = Vec::new();
    while let Some(data) = timeout(PATIENCE, body.data()).await.expect("the stream goes on or ends") {
        let data = data?;
        let _ = body.flow_control().release_capacity(data.len());
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_that_are_reset_as_soon_as_they_are_begun_end_their_calls() {
    Siege::of(&[])
        .withstand(async |fixture| {
            flood(10, |_| {
                let fixture = Arc::clone(fixture);
                async move {
                    let mut sender = connect(&fixture, 65_535).await;
                    for _ in 0..300 {
                        let wait = json!({ "ms": 3_600_000, "text": "late" });
                        match begin(&sender, &fixture, "slow_echo", &wait).await {
                            Some(response) => drop(response),
                            // The server had enough of it.
                            None => sender = connect(&fixture, 65_535).await,
                        }
                    }
                }
            })
            .await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_whose_answers_nobody_takes_are_reset_and_their_siblings_are_served() {
    Siege::of(&["--wire-timeout", "1"])
        .peak(128)
        .withstand(async |fixture| {
            let sender = connect(fixture, 1_000).await;
            let mut stalled = Vec::new();
            for _ in 0..50 {
                let large = json!({ "kib": 5_000 });
                stalled.push(begin(&sender, fixture, "log_all", &large).await.unwrap().await.unwrap());
            }
            for _ in 0..50 {
                let response = begin(&sender, fixture, "echo", &json!({ "text": "x" })).await.unwrap().await;
                let response = response.unwrap();
                assert_eq!(response.status(), StatusCode::OK);
                assert!(!whole(response).await.unwrap().is_empty());
            }
            until(fixture, |counts| counts["event_streams"] == 0).await;
            for response in stalled {
                whole(response).await.expect_err("a stream that was cut off does not look whole");
            }
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heads_over_http2_that_are_too_large_are_refused() {
    Siege::of(&[])
        .withstand(async |fixture| {
            let sender = connect(fixture, 65_535).await;
            for _ in 0..10 {
                let (mut request, _) = post(&fixture.address().to_string(), "echo", &json!({}));
                for number in 0..2_000 {
                    let name: http::HeaderName = format!("x-{number}").parse().unwrap();
                    request.headers_mut().insert(name, "y".repeat(30).parse().unwrap());
                }
                let mut ready = sender.clone().ready().await.unwrap();
                let (response, _) = ready.send_request(request, true).unwrap();
                match timeout(PATIENCE, response).await.unwrap() {
                    Ok(response) => {
                        assert_eq!(response.status(), StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)
                    }
                    Err(error) => assert!(error.is_reset() || error.is_go_away(), "{error}"),
                }
            }
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_frames_that_ask_for_an_answer_keeps_nothing() {
    Siege::of(&["--wire-timeout", "1"])
        .withstand(async |fixture| {
            flood(10, |_| {
                let fixture = Arc::clone(fixture);
                async move {
                    let mut client = Raw::connect(&fixture).await;
                    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec();
                    for _ in 0..100_000 {
                        // SETTINGS without settings, and PING; each is to be acknowledged, and nobody reads that.
                        bytes.extend(b"\0\0\0\x04\0\0\0\0\0");
                        bytes.extend(b"\0\0\x08\x06\0\0\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08");
                    }
                    let _ = client.write(&bytes).await;
                    client.reset();
                }
            })
            .await;
        })
        .await;
}
