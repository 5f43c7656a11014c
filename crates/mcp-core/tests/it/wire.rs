//! Messages as peers write them, and everything that comes back.

use crate::runtime::TestRuntime;
use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _};
use mcp_core::{
    admit::{HeaderField, RequestHead},
    connection::Connection,
    context::Transport,
    exchange::{Exchange, Outgoing},
    registry::McpRouter,
    server::{Peer, Posted, Server, ServerBuilder},
    version::ProtocolVersion,
};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, sync::Arc};

pub(crate) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const LOG_KEY: &str = "io.modelcontextprotocol/logLevel";
pub(crate) const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";
pub(crate) const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

pub(crate) const MODERN: ProtocolVersion = ProtocolVersion::LATEST;
pub(crate) const HANDSHAKE: ProtocolVersion = ProtocolVersion::LATEST_HANDSHAKE;

/// A server on its way, with a name and a version.
pub(crate) fn serving(router: McpRouter<()>) -> ServerBuilder {
    Server::builder(router, Arc::new(TestRuntime)).name("test").version("1")
}

/// A built server.
pub(crate) fn server(router: McpRouter<()>) -> Server {
    serving(router).build().unwrap()
}

/// A connection over a byte stream.
pub(crate) fn connect(server: &Server) -> Connection {
    Connection::new(server.clone(), Peer::anonymous(Transport::Stdio))
}

/// Headers of an HTTP request, by lower-case name, in the order they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Headers(BTreeMap<String, Vec<Vec<u8>>>);

impl Headers {
    pub(crate) fn with(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.0.entry(name.to_ascii_lowercase()).or_default().push(value.as_ref().to_vec());
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.0.remove(name);
        self
    }
}

impl RequestHead for Headers {
    fn field(&self, name: &str) -> HeaderField<'_> {
        match self.0.get(name).map(Vec::as_slice) {
            None | Some([]) => HeaderField::Absent,
            Some([value]) => HeaderField::Once(value),
            Some(_) => HeaderField::Repeated,
        }
    }

    fn path(&self) -> &str {
        "/mcp"
    }

    fn accepts_event_stream(&self) -> bool {
        true
    }
}

/// The headers that agree with a modern message.
pub(crate) fn agreeing(message: &Value) -> Headers {
    let mut headers = Headers::default()
        .with("mcp-protocol-version", MODERN.as_str())
        .with("mcp-method", text(message, "/method"));
    if let Some(name) = ["/params/name", "/params/uri"].iter().find_map(|path| message.pointer(path)) {
        headers = headers.with("mcp-name", name.as_str().unwrap_or_default());
    }
    headers
}

fn text<'a>(message: &'a Value, path: &str) -> &'a str {
    message.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

/// A request without anything of an era.
pub(crate) fn plain(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// A request of the newest revision.
pub(crate) fn modern(id: impl Into<Value>, method: &str, params: Value) -> Value {
    with_meta(plain(id, method, params), json!({}))
}

/// Adds what every modern request carries, and further entries of `_meta`.
pub(crate) fn with_meta(mut message: Value, extra: Value) -> Value {
    let mut meta = Map::new();
    meta.insert(VERSION_KEY.into(), json!(MODERN.as_str()));
    meta.insert(CAPABILITIES_KEY.into(), json!({}));
    meta.extend(extra.as_object().cloned().unwrap_or_default());
    message["params"]["_meta"] = Value::Object(meta);
    message
}

/// What answered one message.
#[derive(Debug, PartialEq)]
pub(crate) struct Answered {
    pub(crate) notifications: Vec<Value>,
    /// The whole reply; null when there was none.
    pub(crate) reply: Value,
    pub(crate) status: u16,
}

impl Answered {
    pub(crate) fn result(&self) -> &Value {
        self.reply.get("result").unwrap_or_else(|| panic!("no result: {}", self.reply))
    }

    pub(crate) fn code(&self) -> i64 {
        self.reply["error"]["code"].as_i64().unwrap_or_default()
    }

    pub(crate) fn message(&self) -> &str {
        text(&self.reply, "/error/message")
    }

    /// The text of the first content block.
    pub(crate) fn text(&self) -> &str {
        text(&self.reply, "/result/content/0/text")
    }
}

/// Polls an exchange to its end; every message must be one line of JSON.
pub(crate) async fn drive(mut exchange: Exchange) -> Answered {
    let mut answered = Answered { notifications: Vec::new(), reply: Value::Null, status: 0 };
    while let Some(outgoing) = exchange.next().await {
        assert!(answered.reply.is_null(), "something follows the reply: {outgoing:?}");
        match outgoing {
            Outgoing::Notification(bytes) | Outgoing::Request(bytes) => {
                answered.notifications.push(read(&bytes));
            }
            Outgoing::Stream(_) => {}
            Outgoing::Reply(reply) => {
                answered.reply = read(&reply.body);
                answered.status = reply.status;
            }
        }
    }
    answered
}

/// Reads one line of JSON.
pub(crate) fn read(bytes: &[u8]) -> Value {
    assert!(!bytes.contains(&b'\n') && !bytes.contains(&b'\r'), "more than one line");
    serde_json::from_slice(bytes).unwrap_or_else(|fault| panic!("{fault}: {}", bytes.escape_ascii()))
}

/// The messages that are there without waiting.
pub(crate) fn ready(exchange: &mut Exchange) -> Vec<Outgoing> {
    std::iter::from_fn(|| exchange.next().now_or_never().flatten()).collect()
}

/// The notifications that are there without waiting.
pub(crate) fn heard(exchange: &mut Exchange) -> Vec<Value> {
    ready(exchange)
        .into_iter()
        .map(|outgoing| match outgoing {
            Outgoing::Notification(bytes) | Outgoing::Request(bytes) => read(&bytes),
            Outgoing::Stream(control) => panic!("{control:?}"),
            Outgoing::Reply(reply) => panic!("a reply: {}", read(&reply.body)),
        })
        .collect()
}

/// Posts a message and drives what serves it.
pub(crate) async fn post(server: &Server, message: &Value, headers: &Headers) -> Answered {
    post_text(server, message.to_string(), headers).await
}

/// Posts any text.
pub(crate) async fn post_text(server: &Server, body: impl Into<Bytes>, headers: &Headers) -> Answered {
    match server.post(body.into(), headers, Peer::anonymous(Transport::Http)).await {
        Posted::Accepted => Answered { notifications: Vec::new(), reply: Value::Null, status: 202 },
        Posted::Refused(reply) => {
            Answered { notifications: Vec::new(), reply: read(&reply.body), status: reply.status }
        }
        Posted::Exchange(exchange) => drive(exchange).await,
    }
}

/// Gives a connection one message; `None` when nothing answers it.
pub(crate) fn receive(connection: &mut Connection, message: &Value) -> Option<Exchange> {
    connection.receive(Bytes::from(message.to_string()))
}

/// Gives a connection one request and drives what answers it.
pub(crate) async fn ask(connection: &mut Connection, message: &Value) -> Answered {
    drive(receive(connection, message).unwrap_or_else(|| panic!("nothing answers {message}"))).await
}

/// A connection whose handshake is done.
pub(crate) async fn shaken(server: &Server, version: ProtocolVersion) -> Connection {
    let mut connection = connect(server);
    let params = json!({ "protocolVersion": version.as_str(), "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let answered = ask(&mut connection, &plain("hello", "initialize", params)).await;
    assert_eq!(answered.result()["protocolVersion"], version.as_str());
    assert!(
        receive(&mut connection, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .is_none()
    );
    connection
}
