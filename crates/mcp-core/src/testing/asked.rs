//! What a server asks a test's client.

use serde_json::{Value, json};
use std::sync::Arc;

/// Gives the client's answer to a request.
pub(super) type Answering = Arc<dyn Fn(&Asked<'_>) -> Value + Send + Sync>;

/// A request of the server to the client.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Asked<'a> {
    /// The key of the ask; `None` where the request travels without it, to a live client.
    pub key: Option<&'a str>,
    /// The method, such as `elicitation/create`.
    pub method: &'a str,
    /// The parameters; null when there are none.
    pub params: &'a Value,
}

impl<'a> Asked<'a> {
    pub(super) fn new(key: Option<&'a str>, request: &'a Value) -> Self {
        let method = request.get("method").and_then(Value::as_str).unwrap_or_default();
        Self { key, method, params: request.get("params").unwrap_or(&Value::Null) }
    }
}

/// A response as a client sends it.
pub(super) fn response(request: &Value, result: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": request.get("id"), "result": result }).to_string()
}
