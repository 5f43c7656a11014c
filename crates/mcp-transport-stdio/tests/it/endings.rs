//! How a connection ends, and what becomes of requests in flight.

use crate::fixture::{Client, built, call, cancel, modern_call, modern_meta, request, text};
use mcp_transport_stdio::{StdioOptions, serve};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, duplex},
    time::Instant,
};

fn ids(messages: &[Value]) -> Vec<i64> {
    let mut ids: Vec<i64> = messages.iter().filter_map(|message| message["id"].as_i64()).collect();
    ids.sort_unstable();
    ids
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_drops_no_answer_that_is_owed() {
    for _ in 0..50 {
        let mut client = Client::ready().await;
        let mut calls = String::new();
        for id in 10..50 {
            calls.push_str(&format!("{}\n", call(id, "echo", json!({"text": "x"}))));
        }
        calls.push_str(&format!("{}\n", call(50, "slow_echo", json!({"ms": 300, "text": "late"}))));
        client.bytes(calls.as_bytes()).await;
        let (messages, end) = client.finish().await;
        assert!(end.is_ok());
        assert_eq!(ids(&messages), (10..=50).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_hangs_is_cancelled_after_the_grace() {
    let mut client = Client::ready().await;
    client.call(1, "slow_echo", json!({"ms": 4_000, "text": "in time"})).await;
    client.call(2, "slow_echo", json!({"ms": 60_000, "text": "too late"})).await;
    let begin = Instant::now();
    let (messages, end) = client.finish().await;
    assert!(end.is_ok());
    assert_eq!(ids(&messages), [1]);
    assert!(begin.elapsed() < Duration::from_millis(5_600), "{:?}", begin.elapsed());
    assert!(begin.elapsed() >= Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_ends_a_listen_stream_at_once() {
    let mut client = Client::ready().await;
    client.send(&listen(1)).await;
    assert_eq!(client.next().await["method"], "notifications/subscriptions/acknowledged");
    let begin = Instant::now();
    let (messages, end) = client.finish().await;
    assert!(end.is_ok());
    assert!(messages.is_empty());
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_ends_listen_streams_finishes_calls_and_refuses_new_ones() {
    let mut client = Client::ready().await;
    client.send(&listen(1)).await;
    assert_eq!(client.next().await["method"], "notifications/subscriptions/acknowledged");
    client.call(2, "slow_echo", json!({"ms": 2_000, "text": "finished"})).await;
    client.send(&modern_call(3, "never", json!({}))).await;
    client.send(&request(4, "ping")).await;
    assert_eq!(client.next().await["id"], 4);
    let begin = Instant::now();
    client.shut_down();
    assert_eq!(client.next().await["id"], 1);
    client.call(5, "echo", json!({"text": "x"})).await;
    let refused = client.next().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(5), &json!(-32603)));
    assert_eq!(text(&client.next().await), "finished");
    let (messages, end) = client.rest().await;
    assert!(end.is_ok() && messages.is_empty());
    assert!(begin.elapsed() < Duration::from_millis(5_600), "{:?}", begin.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_cancellation_is_still_heard_while_the_connection_ends() {
    let mut client = Client::ready().await;
    client.call(2, "never", json!({})).await;
    client.send(&request(3, "ping")).await;
    client.next().await;
    let begin = Instant::now();
    client.shut_down();
    client.send(&cancel(2)).await;
    let (messages, end) = client.rest().await;
    assert!(end.is_ok() && messages.is_empty());
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_goes_away_ends_everything_at_once() {
    let (mut to, reader) = duplex(1 << 16);
    let (writer, from) = duplex(1 << 16);
    let serving =
        tokio::spawn(serve(built(), reader, writer, StdioOptions::default(), std::future::pending()));
    let mut lines = format!("{}\n", modern_call(1, "never", json!({})));
    for id in 2..5 {
        lines.push_str(&format!("{}\n", modern_call(id, "blob", json!({"bytes": 1 << 20}))));
    }
    drop(from);
    let begin = Instant::now();
    to.write_all(lines.as_bytes()).await.unwrap();
    assert!(serving.await.unwrap().is_ok());
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_goes_away_within_an_answer_ends_everything_at_once() {
    let (mut to, reader) = duplex(1 << 16);
    let (writer, mut from) = duplex(1 << 10);
    let serving =
        tokio::spawn(serve(built(), reader, writer, StdioOptions::default(), std::future::pending()));
    to.write_all(format!("{}\n", modern_call(1, "blob", json!({"bytes": 1 << 20}))).as_bytes())
        .await
        .unwrap();
    from.read_exact(&mut [0; 5_000]).await.unwrap();
    drop(from);
    assert!(serving.await.unwrap().is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_never_reads_again_does_not_hold_up_the_end() {
    let mut client = Client::of(built(), StdioOptions::default(), 4_096);
    for id in 0..3 {
        client.send(&modern_call(id, "blob", json!({"bytes": 1 << 20}))).await;
    }
    let (to, serving) = client.stop_reading();
    let begin = Instant::now();
    drop(to);
    assert!(serving.await.unwrap().is_ok());
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_cancellations_race_their_answers() {
    let mut client = Client::ready().await;
    let mut lines = String::new();
    for round in 0..1_000_u64 {
        let id = format!("r-{round}");
        lines.clear();
        lines.push_str(&format!("{}\n", call(&*id, "slow_echo", json!({"ms": round % 3, "text": "x"}))));
        if round % 2 == 0 {
            client.bytes(lines.as_bytes()).await;
            lines.clear();
            if round % 4 == 0 {
                tokio::time::sleep(Duration::from_millis(round % 3)).await;
            }
        }
        lines.push_str(&format!("{}\n", cancel(&*id)));
        client.bytes(lines.as_bytes()).await;
    }
    client.call("end", "echo", json!({"text": "x"})).await;
    let (messages, end) = client.finish().await;
    assert!(end.is_ok());
    let mut seen: Vec<&str> = messages.iter().map(|message| message["id"].as_str().unwrap()).collect();
    assert!(seen.contains(&"end"));
    let all = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), all, "no request has two answers");
    assert!(messages.iter().all(|message| message["result"].is_object()));
}

#[tokio::test]
async fn nothing_goes_out_for_a_request_after_its_cancellation() {
    let mut client = Client::ready().await;
    let mut message = modern_call(7, "reports", json!({"count": 1_000_000_000}));
    message["params"]["_meta"]["progressToken"] = json!("p");
    client.send(&message).await;
    assert_eq!(client.next().await["method"], "notifications/progress");
    client.send(&cancel(7)).await;
    client.send(&request("mark", "ping")).await;
    while client.next().await["id"] != "mark" {}
    let (messages, end) = client.finish().await;
    assert!(end.is_ok());
    assert_eq!(messages, Vec::<Value>::new());
}

#[tokio::test]
async fn a_dropped_connection_cancels_its_calls() {
    let (mut to, reader) = duplex(1 << 16);
    let (writer, mut from) = duplex(1 << 16);
    let serving =
        tokio::spawn(serve(built(), reader, writer, StdioOptions::default(), std::future::pending()));
    to.write_all(format!("{}\n", modern_call(1, "slow_echo", json!({"ms": 60_000, "text": "x"}))).as_bytes())
        .await
        .unwrap();
    serving.abort();
    assert!(serving.await.unwrap_err().is_cancelled());
    let mut rest = Vec::new();
    from.read_to_end(&mut rest).await.unwrap();
    assert!(rest.is_empty());
}

fn listen(id: u64) -> Value {
    json!({"jsonrpc":"2.0","id":id,"method":"subscriptions/listen","params":{
        "notifications":{"toolsListChanged":true},"_meta":modern_meta()}})
}
