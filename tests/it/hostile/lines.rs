//! Lines on a byte stream that are no message, and peers that do not read theirs.

use super::{
    HANDSHAKE, call, cancel, request, text_of,
    watch::{KEPT, Watch},
};
use mcp_tests::stdio_client::StdioClient;
use serde_json::{Value, json};

/// Attacks a process of its own twice after a handshake, and fails unless all that is counted returns to what it was,
/// and no more memory is kept than [`Watch::judge`] allows.
async fn withstand(arguments: &[&str], peak: u64, attack: impl AsyncFn(&mut StdioClient)) {
    let arguments = [&["--probe"], arguments].concat();
    let mut client = StdioClient::start_controlled(&arguments).await;
    let params = json!({
        "protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": { "name": "probe", "version": "1" },
    });
    client.write(&request("hello", "initialize", params)).await;
    assert_eq!(client.next().await["result"]["protocolVersion"], HANDSHAKE);
    client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    served(&mut client, "before").await;
    let mut watch = Watch::begin(client.process(), client.counts().await);
    for _ in 0..2 {
        attack(&mut client).await;
        watch.rests(async || client.counts().await).await;
        served(&mut client, "after").await;
    }
    watch.judge(peak, KEPT);
}

/// Calls as a well-behaved client would; the answer has to be the next message.
async fn served(client: &mut StdioClient, text: &str) {
    client.write(&call(text, "echo", json!({ "text": text }))).await;
    let reply = client.next().await;
    assert_eq!((reply["id"].as_str(), text_of(&reply)), (Some(text), text), "{reply}");
}

#[tokio::test]
async fn lines_that_are_no_message_are_refused_one_by_one_and_messages_between_are_served() {
    let huge = "x".repeat(17 << 20);
    let lines = [
        "\0".to_owned(),
        "{".to_owned(),
        "{}{}".to_owned(),
        "[".repeat(1_000_000),
        "{\"a\":".repeat(200_000),
        format!("[{}1]", "1,".repeat(100_000)),
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}}", "9".repeat(10_000)),
        format!("{{\"jsonrpc\":\"2.0\",\"id\":\"{}\",\"method\":\"ping\"}}", "a".repeat(10_000)),
        huge,
    ];
    withstand(&[], 64, async |client| {
        for line in lines.iter().cycle().take(lines.len() * 3) {
            client.write_line(line.as_bytes()).await;
            let refusal = client.next().await;
            let code = refusal["error"]["code"].as_i64();
            assert!([Some(-32700), Some(-32600)].contains(&code), "{refusal}");
            assert!(refusal.to_string().len() < 1_000, "{refusal}");
            served(client, "between").await;
        }
        client.write_line(b"").await;
        client.write_line(b"   \t").await;
    })
    .await;
}

#[tokio::test]
async fn thousands_of_cancellations_race_their_answers_and_every_id_is_free_again() {
    withstand(&[], 64, async |client| {
        for id in 0..2_000 {
            client.write(&call(id, "slow_echo", json!({ "ms": id % 3, "text": "x" }))).await;
            client.write(&cancel(id)).await;
        }
        // Those that are not answered by then are cancelled; the ids of all can be used again.
        client.write(&request("last", "ping", json!({}))).await;
        while client.next().await["id"] != "last" {}
        for id in 0..2_000 {
            client.write(&call(id, "slow_echo", json!({ "ms": 3_600_000, "text": "x" }))).await;
            client.write(&cancel(id)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_id_that_is_in_flight_is_refused_however_often_it_comes() {
    withstand(&[], 64, async |client| {
        client.write(&call(7, "slow_echo", json!({ "ms": 3_600_000, "text": "x" }))).await;
        for _ in 0..1_000 {
            client.write(&call(7, "echo", json!({ "text": "x" }))).await;
            let refusal = client.next().await;
            assert_eq!(refusal["error"]["code"], -32600, "{refusal}");
        }
        client.write(&cancel(7)).await;
    })
    .await;
}

#[tokio::test]
async fn requests_beyond_the_limit_are_refused_and_the_others_answered() {
    withstand(&["--max-requests", "100"], 64, async |client| {
        for id in 0..1_000 {
            client.write(&call(id, "slow_echo", json!({ "ms": 3_600_000, "text": "x" }))).await;
        }
        for _ in 100..1_000 {
            let refusal = client.next().await;
            let why = refusal["error"]["message"].as_str().unwrap_or_default();
            assert!(why.contains("limits.requests_in_flight"), "{refusal}");
        }
        for id in 0..100 {
            client.write(&cancel(id)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_flood_of_reports_that_nobody_reads_for_long_is_bounded_and_every_reply_comes() {
    withstand(&[], 96, async |client| {
        let level = json!({ "level": "debug" });
        client.write(&request("level", "logging/setLevel", level)).await;
        // All of it waits until somebody reads.
        for id in 0..5 {
            client.write(&call(id, "log_all", json!({ "kib": 2_000 }))).await;
        }
        let mut replies = 0;
        while replies < 6 {
            replies += usize::from(client.next().await["id"] != Value::Null);
        }
    })
    .await;
}
