//! What may stand between messages, and what counts as one.

use crate::fixture::{Client, call, handshake, request, text};
use mcp_transport_stdio::StdioOptions;
use serde_json::{Value, json};

#[tokio::test]
async fn a_mark_returns_blank_lines_and_a_missing_last_line_end_are_no_obstacle() {
    let mut client = Client::new();
    let initialized = json!({"jsonrpc":"2.0","method":"notifications/initialized"});
    let stream = format!(
        "\u{feff}{}\r\n\r\n\n  \n{initialized}\r\n{}\r\n{}",
        handshake(),
        request(2, "tools/list"),
        request(3, "tools/list")
    );
    client.bytes(stream.as_bytes()).await;
    let (messages, end) = client.finish().await;
    assert!(end.is_ok());
    let ids: Vec<&Value> = messages.iter().map(|message| &message["id"]).collect();
    assert_eq!(ids, [&json!("hello"), &json!(2), &json!(3)]);
    assert!(messages.iter().all(|message| message["result"].is_object()));
}

#[tokio::test]
async fn only_a_line_feed_ends_a_message() {
    let mut client = Client::ready().await;
    let shown = "a\u{2028}b\u{2029}c\u{85}d\u{b}e\u{c}f\ng\r\nh\0i";
    client.call(3, "echo", json!({ "text": shown })).await;
    let line = client.line().await.unwrap();
    assert_eq!(line.matches('\n').count(), 1);
    assert_eq!(text(&serde_json::from_str(&line).unwrap()), shown);
}

#[tokio::test]
async fn bytes_that_are_no_text_cost_one_error_each() {
    let mut client = Client::ready().await;
    client.bytes(b"\xFF\xFE\n").await;
    let (head, tail) = (
        br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"caf"#,
        b"\"}}}\n",
    );
    client.bytes(&[&head[..], b"\xE9", tail].concat()).await;
    client.send(&request(3, "tools/list")).await;
    for _ in 0..2 {
        assert_eq!(client.next().await["error"]["code"], -32700);
    }
    assert_eq!(client.next().await["id"], 3);
}

#[tokio::test]
async fn megabytes_go_both_ways_in_pieces_of_any_size() {
    let mut client = Client::ready().await;
    let long = "aé".repeat(5 << 18);
    let line = format!("{}\n", call(2, "echo", json!({ "text": long })));
    for piece in line.as_bytes().chunks(1_001) {
        client.bytes(piece).await;
    }
    assert!(text(&client.next().await) == long);
    client.call(3, "blob", json!({"bytes": 8 << 20})).await;
    assert_eq!(text(&client.next().await).len(), 8 << 20);
}

#[tokio::test]
async fn a_line_beyond_the_limit_is_answered_once_and_skipped() {
    let options = StdioOptions { line_bytes: 1_024, ..StdioOptions::default() };
    let mut client = Client::of(crate::fixture::built(), options, 100_000);
    client.call(1, "echo", json!({"text": "x".repeat(50_000)})).await;
    client.shake_hands_after_error().await;
    client.call(2, "echo", json!({"text": "short"})).await;
    assert_eq!(text(&client.next().await), "short");
}

impl Client {
    async fn shake_hands_after_error(&mut self) {
        assert_eq!(self.next().await["error"]["code"], -32700);
        self.shake_hands().await;
    }
}
