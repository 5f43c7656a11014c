//! Peers that break the rules, vanish, or ask for too much: each module is one kind of attack.
//!
//! Every attack is a [`siege`](siege::Siege): it runs twice against a process of its own while a well-behaved client
//! is served beside it, and leaves neither memory nor anything that is counted behind.

#![expect(clippy::needless_pass_by_value, reason = "JSON made in place reads best where it is passed")]

mod batches;
mod cancels;
mod framing;
mod http2;
mod legacy;
mod lines;
mod neighbour;
mod raw;
mod rounds;
mod sessions;
mod siege;
mod sizes;
mod sockets;
mod strangers;
mod streams;
mod tasks;
mod watch;

use mcp_tests::{
    http_client::Request,
    message::{MODERN, modern},
};
use serde_json::{Value, json};

/// The newest revision with sessions.
const HANDSHAKE: &str = "2025-11-25";

/// A request of the handshake era.
fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// A tool call of the handshake era whose progress may be told.
fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": "t" } });
    request(id, "tools/call", params)
}

fn cancel(id: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id.into() } })
}

/// A tool call of the newest revision by a client that can do everything, and hears of progress and every log line.
fn willing_call(id: usize, tool: &str, arguments: Value) -> Request {
    let meta = json!({
        "progressToken": "t",
        "io.modelcontextprotocol/logLevel": "debug",
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {
            "elicitation": {}, "sampling": {}, "roots": {},
            "extensions": { "io.modelcontextprotocol/tasks": {} },
        },
    });
    modern(id, "tools/call", json!({ "name": tool, "arguments": arguments, "_meta": meta }))
}

/// The text of a tool's result.
fn text_of(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_default()
}
