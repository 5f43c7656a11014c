//! Requests as a client of a given version would send them, and what comes back.

use crate::{
    context::Transport,
    exchange::Outgoing,
    protocol::meta_key,
    server::{Peer, Server},
    version::{Era, ProtocolVersion},
};
use bytes::Bytes;
use serde_json::{Map, Value, json};
use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

/// A client of one protocol version that calls a server directly.
///
/// What it sends goes the way of every request: decoded, admitted, checked, lowered.
#[derive(Clone, Debug)]
pub struct TestClient {
    server: Server,
    version: ProtocolVersion,
    peer: Peer,
    capabilities: Value,
    next_id: Arc<AtomicI64>,
}

/// Everything that answered one request.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// The notifications before the reply, in order.
    pub notifications: Vec<Value>,
    /// The `result`, or the `error`, of the reply.
    pub outcome: Result<Value, Value>,
}

impl Server {
    /// A client of the given version in the same process.
    #[must_use]
    pub fn client(&self, version: ProtocolVersion) -> TestClient {
        TestClient {
            server: self.clone(),
            version,
            peer: Peer::anonymous(Transport::InProcess),
            capabilities: json!({}),
            next_id: Arc::new(AtomicI64::new(1)),
        }
    }
}

impl TestClient {
    /// Calls as this peer.
    #[must_use]
    pub fn with_peer(mut self, peer: Peer) -> Self {
        self.peer = peer;
        self
    }

    /// Declares client capabilities, an object; only modern clients carry them on each request.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Sends a request; `params` is an object or null.
    pub async fn request(&self, method: &str, params: Value) -> Answer {
        self.request_with_meta(method, params, Map::new()).await
    }

    /// Sends a request with entries for its `_meta`, such as a `progressToken`.
    pub async fn request_with_meta(&self, method: &str, params: Value, meta: Map<String, Value>) -> Answer {
        let mut params = match params {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        let mut all = Map::new();
        if self.version.era() == Era::Modern {
            all.insert(meta_key::PROTOCOL_VERSION.to_owned(), json!(self.version.as_str()));
            all.insert(meta_key::CLIENT_CAPABILITIES.to_owned(), self.capabilities.clone());
        }
        all.extend(meta);
        if !all.is_empty() {
            params.insert("_meta".to_owned(), Value::Object(all));
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        self.send(Bytes::from(message)).await
    }

    /// Sends any text as a message.
    pub async fn send(&self, message: impl Into<Bytes>) -> Answer {
        let mut notifications = Vec::new();
        let mut exchange = self.server.dispatch(self.version, message, self.peer.clone());
        while let Some(running) = &mut exchange {
            match poll_fn(|context| running.poll_message(context)).await {
                Some(Outgoing::Notification(bytes)) => notifications.push(parse(&bytes)),
                Some(Outgoing::Reply(reply)) => {
                    let mut reply = parse(&reply.body);
                    let outcome = match reply.get_mut("result") {
                        Some(result) => Ok(result.take()),
                        None => Err(reply.get_mut("error").map(Value::take).unwrap_or_default()),
                    };
                    return Answer { notifications, outcome };
                }
                None => break,
            }
        }
        Answer { notifications, outcome: Err(Value::Null) }
    }

    /// Calls a tool.
    pub async fn call_tool(&self, name: &str, arguments: Value) -> Answer {
        self.request("tools/call", json!({ "name": name, "arguments": arguments })).await
    }

    /// Lists the tools.
    pub async fn list_tools(&self) -> Answer {
        self.request("tools/list", Value::Null).await
    }

    /// Reads a resource.
    pub async fn read_resource(&self, uri: &str) -> Answer {
        self.request("resources/read", json!({ "uri": uri })).await
    }

    /// Renders a prompt.
    pub async fn get_prompt(&self, name: &str, arguments: Value) -> Answer {
        self.request("prompts/get", json!({ "name": name, "arguments": arguments })).await
    }
}

impl Answer {
    /// The text of the first content block of a tool result; empty when there is none.
    #[must_use]
    pub fn text(&self) -> &str {
        let content =
            self.outcome.as_ref().ok().and_then(|result| result.get("content")?.get(0)?.get("text"));
        content.and_then(Value::as_str).unwrap_or_default()
    }

    /// Tells whether a tool reported its own failure.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|result| result.get("isError") == Some(&Value::Bool(true)))
    }

    /// The JSON-RPC error code; `None` for a result.
    #[must_use]
    pub fn code(&self) -> Option<i64> {
        self.outcome.as_ref().err()?.get("code")?.as_i64()
    }

    /// The result.
    #[must_use]
    pub fn result(&self) -> Option<&Value> {
        self.outcome.as_ref().ok()
    }
}

/// What the server writes is JSON; anything else shows up as null in a test's assertion.
fn parse(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_default()
}
