//! A client that reads slowly, or not at all.

use crate::fixture::{built, modern_call};
use mcp_transport_stdio::{StdioOptions, serve};
use serde_json::json;
use std::time::Duration;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, duplex},
    time::timeout,
};

const RESULT: usize = 1_000;

#[tokio::test(start_paused = true)]
async fn a_reader_that_stops_stops_the_requests_too() {
    let room = 8 * 1_024;
    let (mut to, reader) = duplex(room);
    let (writer, mut from) = duplex(room);
    let serving =
        tokio::spawn(serve(built(), reader, writer, StdioOptions::default(), std::future::pending()));
    let line = format!("{}\n", modern_call(1, "blob", json!({ "bytes": RESULT })));
    let mut taken = 0;
    // On a paused clock a timeout fires only when nothing else can go on.
    while timeout(Duration::from_secs(1), to.write_all(line.as_bytes())).await.is_ok() {
        taken += line.len();
        assert!(taken < 10 << 20, "requests are taken although nobody reads the answers");
    }
    // One pipe, what is read ahead, and the requests whose answers fill the batch and the other pipe.
    let answered = (64 * 1_024 + room) / RESULT + 2;
    let bound = room + 3 * 64 * 1_024 + answered * line.len();
    assert!(taken <= bound, "{taken} bytes were taken");
    // Everything goes on as soon as it is read again.
    drop(to);
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).await.unwrap();
    let answers = bytes.iter().filter(|byte| **byte == b'\n').count();
    assert!(answers >= taken / line.len(), "{answers} of {}", taken / line.len());
    assert!(serving.await.unwrap().is_ok());
}

#[tokio::test(start_paused = true)]
async fn calls_that_finish_while_nobody_reads_wait_in_line() {
    let (mut to, reader) = duplex(1 << 20);
    let (writer, from) = duplex(1_024);
    let serving =
        tokio::spawn(serve(built(), reader, writer, StdioOptions::default(), std::future::pending()));
    for id in 0..500 {
        let call = modern_call(id, "slow_echo", json!({"ms": 10, "text": "x".repeat(500)}));
        to.write_all(format!("{call}\n").as_bytes()).await.unwrap();
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    drop(to);
    let mut lines = BufReader::new(from).lines();
    let mut seen = 0;
    while let Some(line) = lines.next_line().await.unwrap() {
        let reply: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(reply["result"]["content"][0]["text"].as_str().unwrap().len(), 500);
        seen += 1;
    }
    assert_eq!(seen, 500);
    assert!(serving.await.unwrap().is_ok());
}
