//! Requests as clients of each era send them.

use crate::http_client::Request;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

/// The newest revision.
pub const MODERN: &str = "2026-07-28";

/// The `_meta` that every modern request carries.
#[must_use]
pub fn modern_meta() -> Map<String, Value> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": { "name": "probe", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    meta.as_object().cloned().unwrap()
}

/// A modern request message; `params` may hold a `_meta` of its own, which is added to.
#[must_use]
pub fn modern_message(id: impl Into<Value>, method: &str, params: Value) -> Value {
    let mut params = match params {
        Value::Object(params) => params,
        _ => Map::new(),
    };
    let mut meta = modern_meta();
    if let Some(Value::Object(more)) = params.remove("_meta") {
        meta.extend(more);
    }
    params.insert("_meta".to_owned(), Value::Object(meta));
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// A POST with the media types of every client, and any body.
#[must_use]
pub fn post(body: impl Into<Vec<u8>>) -> Request {
    Request::new("POST", "/mcp")
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .body(body)
}

/// A POST of a modern message with the headers that belong to it.
#[must_use]
pub fn modern(id: impl Into<Value>, method: &str, params: Value) -> Request {
    let message = modern_message(id, method, params);
    let name = match method {
        "tools/call" | "prompts/get" => message["params"]["name"].as_str(),
        "resources/read" => message["params"]["uri"].as_str(),
        _ => None,
    };
    let request =
        post(message.to_string()).header("MCP-Protocol-Version", MODERN).header("Mcp-Method", method);
    match name {
        Some(name) => request.header("Mcp-Name", encoded(name)),
        None => request,
    }
}

/// A POST of a modern tool call.
#[must_use]
pub fn modern_call(id: impl Into<Value>, tool: &str, arguments: Value) -> Request {
    let mut params = Map::new();
    params.insert("name".to_owned(), tool.into());
    params.insert("arguments".to_owned(), arguments);
    modern(id, "tools/call", Value::Object(params))
}

/// A POST of a message of a handshake revision, outside any session.
#[must_use]
pub fn handshake(version: &str, message: &Value) -> Request {
    post(message.to_string()).header("MCP-Protocol-Version", version)
}

/// A header's value: plain where it may be, in Base64 otherwise.
#[must_use]
pub fn encoded(text: &str) -> String {
    let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && text.trim() == text;
    if plain && !text.starts_with("=?base64?") {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(text))
    }
}
