//! HTTP+SSE of 2024-11-05, as a process serves it.

#![expect(clippy::needless_pass_by_value, reason = "JSON made in place reads best where it is passed")]

mod many;
mod order;
#[cfg(unix)]
mod shutdown;

use mcp_tests::{fixture::Fixture, legacy_client::LegacyClient};
use serde_json::{Value, json};

const OLDEST: &str = "2024-11-05";

fn start() -> Fixture {
    Fixture::start_with(&["--probe", "--legacy-sse"])
}

fn request(id: i64, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn call(id: i64, tool: &str, arguments: Value) -> Value {
    request(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

fn initialize(version: &str) -> Value {
    let client = json!({ "name": "probe", "version": "1" });
    request(0, "initialize", json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client }))
}

fn initialized() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
}

/// A client whose handshake is complete.
async fn shaken(fixture: &Fixture) -> LegacyClient {
    let mut client = LegacyClient::open(fixture).await;
    client.write(&initialize(OLDEST)).await;
    assert_eq!(client.next().await["result"]["protocolVersion"], OLDEST);
    client.write(&initialized()).await;
    client
}
