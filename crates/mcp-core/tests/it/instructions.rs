//! Instructions that are made for each client that connects.

use crate::wire::{Headers, agreeing, modern, plain, post, serving};
use mcp_core::{
    handler::ProtocolError,
    registry::{McpRouter, tool},
    server::{Connecting, Limits, Server, ServerBuilder},
};
use serde_json::{Value, json};
use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

fn building() -> ServerBuilder {
    serving(McpRouter::new().tool("add", tool(|| async { "sum" }).describe("Adds")))
}

fn hello(version: &str) -> Value {
    let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    plain(1, "initialize", params)
}

fn discovering() -> Value {
    modern(1, "server/discover", json!({}))
}

async fn told(server: &Server, message: &Value) -> Value {
    let headers = if message["method"] == "initialize" { Headers::default() } else { agreeing(message) };
    post(server, message, &headers).await.reply
}

#[tokio::test(start_paused = true)]
async fn they_are_made_for_the_version_that_the_client_speaks() {
    let make = |connecting: Connecting| async move { Ok(connecting.version.as_str().to_owned()) };
    let server = building().instructions_from(make).build().unwrap();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let reply = told(&server, &hello(version)).await;
        assert_eq!(reply["result"]["instructions"], version, "{reply}");
    }
    assert_eq!(told(&server, &discovering()).await["result"]["instructions"], "2026-07-28");
}

#[tokio::test(start_paused = true)]
async fn none_are_made_for_a_handshake_that_is_refused() {
    let made = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&made);
    let make = move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        async { Ok("made".to_owned()) }
    };
    let server = building().instructions_from(make).build().unwrap();
    let reply = told(&server, &plain(1, "initialize", json!({ "capabilities": {} }))).await;
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
    assert_eq!(made.load(Ordering::Relaxed), 0);
}

#[tokio::test(start_paused = true)]
async fn a_client_is_refused_when_they_take_too_long_or_panic() {
    let never = |_| pending::<Result<String, ProtocolError>>();
    for (call_timeout, seconds) in
        [(Some(Duration::from_secs(5)), 5), (Some(Duration::from_secs(3_600)), 60), (None, 60)]
    {
        let limits = Limits { call_timeout, ..Limits::default() };
        let server = building().instructions_from(never).limits(limits).build().unwrap();
        for message in [hello("2025-11-25"), discovering()] {
            let began = tokio::time::Instant::now();
            let reply = told(&server, &message).await;
            assert_eq!(reply["error"]["code"], -32603, "{reply}");
            let waited = began.elapsed();
            assert!((seconds..=seconds + 1).contains(&waited.as_secs()), "{waited:?}");
        }
    }
    let panics = |_| async { panic!("a secret") };
    let server = building().instructions_from(panics).build().unwrap();
    for message in [hello("2025-11-25"), discovering()] {
        let reply = told(&server, &message).await;
        assert_eq!(reply["error"]["code"], -32603, "{reply}");
        assert!(!reply.to_string().contains("secret"), "{reply}");
    }
}
