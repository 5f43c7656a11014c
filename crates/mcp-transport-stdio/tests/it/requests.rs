//! Requests side by side, and what must not end the connection.

use crate::fixture::{
    Client, call, cancel, handshake, handshake_of, modern_call, modern_meta, request, text,
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

#[tokio::test]
async fn a_request_without_a_usable_id_is_refused_and_not_run() {
    let mut client = Client::ready().await;
    client.send(&request(Value::Null, "tools/list")).await;
    client.send(&request(2, "tools/list")).await;
    assert_eq!(client.next().await["error"]["code"], -32600);
    assert_eq!(client.next().await["id"], 2);
}

#[tokio::test(start_paused = true)]
async fn a_number_and_a_text_are_different_ids() {
    let mut client = Client::ready().await;
    client.call(1, "slow_echo", json!({"ms": 400, "text": "number"})).await;
    client.call("1", "slow_echo", json!({"ms": 50, "text": "text"})).await;
    for (id, shown) in [(json!("1"), "text"), (json!(1), "number")] {
        let reply = client.next().await;
        assert_eq!((&reply["id"], text(&reply)), (&id, shown));
    }
    for id in [json!(0), json!(-5), json!("")] {
        client.call(id.clone(), "echo", json!({"text": "x"})).await;
        assert_eq!(client.next().await["id"], id);
    }
}

#[tokio::test]
async fn unknown_notifications_are_silent() {
    let mut client = Client::ready().await;
    client.send(&json!({"jsonrpc":"2.0","method":"notifications/stderr","params":{"content":"x"}})).await;
    client.send(&json!({"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}})).await;
    client.send(&json!({"jsonrpc":"2.0","method":"notifications/initialized","params":null})).await;
    client.send(&request(9, "tools/list")).await;
    assert_eq!(client.next().await["id"], 9);
}

#[tokio::test]
async fn slow_and_blocking_calls_do_not_hold_up_the_others() {
    let mut client = Client::ready().await;
    client.call(2, "slow_echo", json!({"ms": 60_000, "text": "z"})).await;
    for id in 100..116 {
        client.call(id, "block", json!({"ms": 1_000})).await;
    }
    let begin = Instant::now();
    client.send(&request(4, "ping")).await;
    client.call(5, "echo", json!({"text": "q"})).await;
    client.send(&cancel(2)).await;
    client.send(&request(6, "ping")).await;
    for id in [4, 5, 6] {
        assert_eq!(client.next().await["id"], id);
    }
    assert!(begin.elapsed() < Duration::from_millis(250), "{:?}", begin.elapsed());
    let (rest, end) = client.finish().await;
    assert!(end.is_ok());
    let mut ids: Vec<i64> = rest.iter().map(|reply| reply["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (100..116).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn a_panic_costs_one_call() {
    let mut client = Client::ready().await;
    client.call(2, "slow_echo", json!({"ms": 500, "text": "other"})).await;
    client.call(3, "panic", json!({})).await;
    client.call(4, "echo", json!({"text": "after"})).await;
    let reply = client.next().await;
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!(3), &json!(-32603)));
    assert!(!reply.to_string().contains("secret"));
    assert_eq!(text(&client.next().await), "after");
    assert_eq!(text(&client.next().await), "other");
}

#[tokio::test]
async fn anything_may_come_before_the_handshake() {
    let mut discover = request(1, "server/discover");
    discover["params"]["_meta"] = modern_meta();
    for first in [discover, request(1, "server/discover"), request(1, "vendor/hello")] {
        let mut client = Client::new();
        client.send(&first).await;
        let reply = client.next().await;
        assert_eq!(reply["id"], 1);
        assert!(reply["result"].is_object() || reply["error"]["code"].is_i64());
        client.shake_hands().await;
        client.send(&request(3, "tools/list")).await;
        assert!(client.next().await["result"]["tools"].is_array());
    }
}

#[tokio::test]
async fn both_eras_share_a_stream() {
    let mut client = Client::new();
    client.send(&modern_call(1, "echo", json!({"text": "modern"}))).await;
    assert_eq!(client.next().await["result"]["resultType"], "complete");
    client.send(&handshake()).await;
    client.next().await;
    client.call(2, "echo", json!({"text": "old"})).await;
    let reply = client.next().await;
    assert!(reply["result"].get("resultType").is_none());
    client.send(&modern_call(3, "echo", json!({"text": "modern"}))).await;
    assert_eq!(client.next().await["result"]["resultType"], "complete");
}

#[tokio::test]
async fn notifications_of_a_call_come_before_its_reply() {
    let mut client = Client::ready().await;
    let mut message = call(7, "reports", json!({"count": 50}));
    message["params"]["_meta"] = json!({"progressToken": "p"});
    client.send(&message).await;
    let mut last = 0.0;
    loop {
        let message = client.next().await;
        match message["method"].as_str() {
            Some("notifications/progress") => {
                let progress = message["params"]["progress"].as_f64().unwrap();
                assert!(progress > last);
                last = progress;
            }
            Some(other) => assert_eq!(other, "notifications/message"),
            None => break assert_eq!(message["id"], 7),
        }
    }
    assert!(last > 0.0);
}

#[tokio::test(start_paused = true)]
async fn a_batch_is_served_beside_other_requests_where_the_revision_has_them() {
    let mut client = Client::new();
    client.send(&handshake_of("2025-03-26")).await;
    assert_eq!(client.next().await["result"]["protocolVersion"], "2025-03-26");
    let slow = call(1, "slow_echo", json!({"ms": 500, "text": "slow"}));
    let hanging = call(2, "never", json!({}));
    let note = json!({"jsonrpc":"2.0","method":"notifications/x"});
    client.send(&json!([slow, note, hanging, request(3, "nope")])).await;
    client.send(&json!([])).await;
    client.send(&json!([note])).await;
    client.send(&request(4, "ping")).await;
    let refused = client.next().await;
    assert_eq!((&refused["error"]["code"], &refused["id"]), (&json!(-32600), &Value::Null));
    assert_eq!(client.next().await["id"], 4);
    client.send(&cancel(2)).await;
    let batch = client.next().await;
    let entries = batch.as_array().unwrap();
    assert_eq!((entries.len(), text(&entries[0])), (2, "slow"));
    assert_eq!((&entries[1]["id"], &entries[1]["error"]["code"]), (&json!(3), &json!(-32601)));
    let (rest, end) = client.finish().await;
    assert!(rest.is_empty() && end.is_ok());
}

#[tokio::test]
async fn a_batch_in_another_revision_is_refused_and_the_connection_goes_on() {
    let mut client = Client::ready().await;
    for batch in [json!([request(1, "tools/list")]), json!([]), json!([1, 2]), json!([[]])] {
        client.send(&batch).await;
        client.send(&request(2, "ping")).await;
        assert_eq!(client.next().await["error"]["code"], -32600, "{batch}");
        assert_eq!(client.next().await["id"], 2);
    }
}
