//! What a message may cost to decode: each limit as the builder takes it, at its edge and beyond, in both eras.

use crate::wire::{Answered, Headers, agreeing, ask, connect, modern, plain, post_text, serving};
use bytes::Bytes;
use mcp_core::{
    json::JsonLimits,
    registry::{McpRouter, tool},
    server::{Limits, Server},
};
use serde_json::{Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// A limit, set to something small, and what of a message is measured by it.
struct Edge {
    setting: &'static str,
    limits: JsonLimits,
    /// A call that is exactly at the limit, or one beyond it.
    call: fn(&Value, usize) -> String,
    limit: usize,
}

/// The call with one more member in its parameters, which nothing looks at.
fn with(call: &Value, member: &str) -> String {
    let text = call.to_string();
    let marker = r#""params":{"#;
    assert!(text.contains(marker), "{text}");
    text.replacen(marker, &format!("{marker}{member},"), 1)
}

/// How many values and names there are.
fn tokens(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(tokens).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(|value| 1 + tokens(value)).sum::<usize>(),
        _ => 1,
    }
}

fn edges() -> [Edge; 7] {
    let limits = JsonLimits::default;
    [
        Edge {
            setting: "document_bytes",
            limits: JsonLimits { document_bytes: 1_000, ..limits() },
            call: |call, length| format!("{:length$}", call.to_string()),
            limit: 1_000,
        },
        Edge {
            setting: "depth",
            limits: JsonLimits { depth: 9, ..limits() },
            // The message and its parameters are open already.
            call: |call, depth| {
                with(call, &format!(r#""x":{}{}"#, "[".repeat(depth - 2), "]".repeat(depth - 2)))
            },
            limit: 9,
        },
        Edge {
            setting: "tokens",
            limits: JsonLimits { tokens: 1_024, ..limits() },
            // A name and an array beside what is in it.
            call: |call, count| {
                with(call, &format!(r#""x":[{}]"#, vec!["0"; count - tokens(call) - 2].join(",")))
            },
            limit: 1_024,
        },
        Edge {
            setting: "number_chars",
            limits: JsonLimits { number_chars: 20, ..limits() },
            call: |call, count| with(call, &format!(r#""x":{}"#, "7".repeat(count))),
            limit: 20,
        },
        Edge {
            setting: "name_chars",
            limits: JsonLimits { name_chars: 64, ..limits() },
            call: |call, count| with(call, &format!(r#""{}":0"#, "é".repeat(count))),
            limit: 64,
        },
        Edge {
            setting: "string_chars",
            limits: JsonLimits { string_chars: 64, ..limits() },
            call: |call, count| with(call, &format!(r#""x":"{}""#, "\\u00e9".repeat(count))),
            limit: 64,
        },
        Edge {
            setting: "number_scale",
            limits: JsonLimits { number_scale: 400, ..limits() },
            call: |call, scale| with(call, &format!(r#""x":1e{scale}"#)),
            limit: 400,
        },
    ]
}

/// A server that counts its calls.
fn counting(calls: &Arc<AtomicUsize>, message: JsonLimits) -> Server {
    let calls = Arc::clone(calls);
    let count = move || {
        calls.fetch_add(1, Ordering::Relaxed);
        async { "counted" }
    };
    serving(McpRouter::new().tool("count", tool(count).describe("Counts")))
        .limits(Limits { message, ..Limits::default() })
        .build()
        .unwrap()
}

/// A call of each era with its headers.
fn in_both_eras() -> [(Value, Headers); 2] {
    let call = json!({ "name": "count" });
    let new = modern(1, "tools/call", call.clone());
    let headers = agreeing(&new);
    [(plain(1, "tools/call", call), Headers::default()), (new, headers)]
}

fn assert_parse_error(setting: &str, answered: &Answered) {
    let error = json!({ "jsonrpc": "2.0", "error": { "code": -32700, "message": "Parse error" } });
    assert_eq!((answered.status, &answered.reply), (400, &error), "{setting}");
}

#[tokio::test]
async fn every_limit_of_a_message_is_a_setting_that_holds_at_its_edge() {
    for Edge { setting, limits, call, limit } in edges() {
        let calls = Arc::default();
        let server = counting(&calls, limits);
        for (message, headers) in in_both_eras() {
            calls.store(0, Ordering::Relaxed);
            let answered = post_text(&server, call(&message, limit), &headers).await;
            assert_eq!((answered.status, answered.text()), (200, "counted"), "{setting}: {}", answered.reply);
            let answered = post_text(&server, call(&message, limit + 1), &headers).await;
            assert_parse_error(setting, &answered);
            assert_eq!(calls.load(Ordering::Relaxed), 1, "{setting}: nothing is dispatched beyond the limit");
        }
    }
}

#[tokio::test]
async fn a_message_beyond_a_limit_does_not_end_the_stream_it_came_on() {
    for Edge { setting, limits, call, limit } in edges() {
        let calls = Arc::default();
        let mut stream = connect(&counting(&calls, limits));
        let (message, _) = &in_both_eras()[1];
        let refused = stream.receive(Bytes::from(call(message, limit + 1))).unwrap();
        assert_parse_error(setting, &crate::wire::drive(refused).await);
        let served = stream.receive(Bytes::from(call(message, limit))).unwrap();
        assert_eq!(crate::wire::drive(served).await.text(), "counted", "{setting}");
        assert_eq!(ask(&mut stream, message).await.text(), "counted", "{setting}");
    }
}

#[test]
fn a_limit_outside_its_range_is_told_with_its_setting() {
    for (setting, message) in [
        ("document_bytes", JsonLimits { document_bytes: 0, ..JsonLimits::default() }),
        ("depth", JsonLimits { depth: 1_001, ..JsonLimits::default() }),
        ("tokens", JsonLimits { tokens: 262_145, ..JsonLimits::default() }),
        ("number_chars", JsonLimits { number_chars: 19, ..JsonLimits::default() }),
        ("name_chars", JsonLimits { name_chars: 63, ..JsonLimits::default() }),
        ("string_chars", JsonLimits { string_chars: 63, ..JsonLimits::default() }),
        ("number_scale", JsonLimits { number_scale: 399, ..JsonLimits::default() }),
    ] {
        let limits = Limits { message, ..Limits::default() };
        let fault = serving(McpRouter::new()).limits(limits).build().unwrap_err().to_string();
        assert!(fault.contains(&format!("limits.message.{setting}")), "{fault}");
    }
}

#[tokio::test]
async fn numbers_keep_their_digits_through_a_call() {
    let echo = |context: mcp_core::context::Context| async move { context.arguments_text().to_owned() };
    let server = serving(
        McpRouter::new()
            .tool("echo", tool(echo).describe("Echoes").input_schema(json!({ "type": "object" }))),
    )
    .build()
    .unwrap();
    let numbers = r#"{"a":9007199254740993,"b":0.10000000000000001,"c":1e400,"d":-0.0,"e":123456789012345678901234567890}"#;
    for (message, headers) in [
        (plain(1, "tools/call", json!({ "name": "echo", "arguments": "HERE" })), Headers::default()),
        (
            modern(1, "tools/call", json!({ "name": "echo", "arguments": "HERE" })),
            agreeing(&modern(1, "tools/call", json!({ "name": "echo" }))),
        ),
    ] {
        let text = message.to_string().replace("\"HERE\"", numbers);
        assert_eq!(post_text(&server, text, &headers).await.text(), numbers);
    }
}

#[tokio::test]
async fn an_id_is_echoed_up_to_its_longest_and_a_longer_one_is_not_repeated() {
    let calls = Arc::default();
    let server = counting(&calls, JsonLimits::default());
    // 1,024 bytes as JSON text; an escape counts as it is written.
    let (longest, escaped) = ("i".repeat(1_022), "\\u0061".repeat(170));
    for (message, headers) in in_both_eras() {
        let with_id = |id: &str| message.to_string().replacen(r#""id":1"#, &format!(r#""id":"{id}""#), 1);
        for id in [longest.clone(), format!("{escaped}aa")] {
            let answered = post_text(&server, with_id(&id), &headers).await;
            let echoed = id.replace("\\u0061", "a");
            assert_eq!((answered.text(), &answered.reply["id"]), ("counted", &json!(echoed)));
        }
        calls.store(0, Ordering::Relaxed);
        for id in [format!("{longest}i"), format!("{escaped}aaa")] {
            let answered = post_text(&server, with_id(&id), &headers).await;
            let error =
                json!({ "jsonrpc": "2.0", "error": { "code": -32600, "message": "Invalid Request" } });
            assert_eq!((answered.status, &answered.reply), (400, &error));
            let mut stream = connect(&server);
            let refused = stream.receive(Bytes::from(with_id(&id))).unwrap();
            assert_eq!(crate::wire::drive(refused).await.reply, error);
        }
        assert_eq!(calls.load(Ordering::Relaxed), 0, "nothing is run");
    }
}
