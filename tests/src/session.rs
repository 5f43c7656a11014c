//! A handshake client's session over HTTP.

use crate::{
    fixture::Fixture,
    http_client::{EventStream, Request, Response},
    message::{handshake, post},
};
use serde_json::{Value, json};
use std::net::SocketAddr;

/// A session that was begun with a handshake.
#[derive(Clone, Debug)]
pub struct Session {
    address: SocketAddr,
    path: String,
    /// The revision that was agreed on.
    pub version: String,
    /// The session's id.
    pub id: String,
    /// The result of the handshake.
    pub welcome: Value,
}

impl Session {
    /// Shakes hands as a client that can be asked for everything.
    pub async fn begin(fixture: &Fixture, version: &str) -> Self {
        let capabilities = json!({ "sampling": {}, "elicitation": {}, "roots": { "listChanged": true } });
        Self::begin_with(fixture, version, capabilities).await
    }

    /// Shakes hands with these capabilities.
    ///
    /// # Panics
    /// When no session is begun.
    pub async fn begin_with(fixture: &Fixture, version: &str, capabilities: Value) -> Self {
        let response = fixture.send(&initialize(version, &capabilities)).await;
        let id = response.header("mcp-session-id").expect("the handshake begins a session").to_owned();
        let welcome = response.reply()["result"].take();
        let version = welcome["protocolVersion"].as_str().expect("a version is agreed on").to_owned();
        let session = Self { address: fixture.address(), path: "/mcp".to_owned(), version, id, welcome };
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(session.send(&initialized).await.status, 202);
        session
    }

    /// A POST of a message within the session.
    #[must_use]
    pub fn post(&self, message: &Value) -> Request {
        self.belonging(handshake(&self.version, message))
    }

    /// The headers of the session on a request.
    #[must_use]
    pub fn belonging(&self, request: Request) -> Request {
        request.header("Mcp-Session-Id", &*self.id).header("MCP-Protocol-Version", &*self.version)
    }

    /// Posts a message on a connection of its own and reads the whole answer.
    pub async fn send(&self, message: &Value) -> Response {
        self.connect().await.send(&self.post(message)).await
    }

    /// Posts a request and gives its reply.
    pub async fn ask(&self, id: i64, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&message).await.reply()
    }

    /// Calls a tool and gives its reply.
    pub async fn call(&self, id: i64, tool: &str, arguments: Value) -> Value {
        self.ask(id, "tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Posts a message that is answered with an event stream.
    pub async fn stream(&self, message: &Value) -> EventStream {
        self.connect().await.listen(&self.post(message)).await
    }

    /// Opens the session's own stream.
    pub async fn get(&self) -> EventStream {
        self.connect().await.listen(&self.getting()).await
    }

    /// Takes a stream up after an event.
    pub async fn resume(&self, last_event_id: &str) -> EventStream {
        self.connect().await.listen(&self.getting().header("Last-Event-ID", last_event_id)).await
    }

    /// A GET within the session.
    #[must_use]
    pub fn getting(&self) -> Request {
        self.belonging(Request::new("GET", &self.path).header("Accept", "text/event-stream"))
    }

    /// Ends the session.
    pub async fn end(&self) -> Response {
        self.connect().await.send(&self.belonging(Request::new("DELETE", &self.path))).await
    }

    async fn connect(&self) -> crate::http_client::HttpClient {
        crate::http_client::HttpClient::connect(self.address).await
    }
}

/// The first message of a handshake.
#[must_use]
pub fn initialize(version: &str, capabilities: &Value) -> Request {
    let params = json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "clientInfo": { "name": "probe", "version": "1" },
    });
    post(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string())
}
