//! Sessions of handshake clients over sockets: each module is one subject.

#![expect(clippy::needless_pass_by_value, reason = "JSON made in place reads best where it is passed")]

mod isolation;
mod requests;
mod resuming;
mod streams;

use mcp_tests::http_client::WrittenEvent;
use serde_json::{Value, json};

/// The revisions of the handshake era that Streamable HTTP serves.
const REVISIONS: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];
const NEWEST: &str = "2025-11-25";

fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": "t" } });
    request(id, "tools/call", params)
}

fn cancel(id: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id.into() } })
}

fn text_of(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

/// The progress that events tell, and 0 for the reply.
fn progress(events: &[WrittenEvent]) -> Vec<u64> {
    let messages = events.iter().filter_map(|event| event.message.as_ref());
    messages.map(|message| message["params"]["progress"].as_f64().unwrap_or_default() as u64).collect()
}
