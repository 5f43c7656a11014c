//! A server with the tools that the tests call, and a client of raw lines.

#[path = "../tools/mod.rs"]
mod tools;

pub(crate) use tools::built;

use mcp_server::Server;
use mcp_transport_stdio::{StdioError, StdioOptions, serve};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex},
    sync::oneshot,
    task::JoinHandle,
};

/// A client on the other end of a connection.
pub(crate) struct Client {
    to: Option<DuplexStream>,
    from: BufReader<DuplexStream>,
    end: Option<oneshot::Sender<()>>,
    serving: JoinHandle<Result<(), StdioError>>,
}

impl Client {
    pub(crate) fn new() -> Self {
        Self::of(built(), StdioOptions::default(), 64 * 1024)
    }

    /// A client whose pipes hold `room` bytes each.
    pub(crate) fn of(server: Server, options: StdioOptions, room: usize) -> Self {
        let (to, reader) = duplex(room);
        let (writer, from) = duplex(room);
        let (end, ended) = oneshot::channel();
        let shutdown = async move {
            if ended.await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let serving = tokio::spawn(async move { serve(server, reader, writer, options, shutdown).await });
        Self { to: Some(to), from: BufReader::new(from), end: Some(end), serving }
    }

    /// A client that has done the handshake.
    pub(crate) async fn ready() -> Self {
        let mut client = Self::new();
        client.shake_hands().await;
        client
    }

    pub(crate) async fn shake_hands(&mut self) {
        self.send(&handshake()).await;
        assert_eq!(self.next().await["result"]["protocolVersion"], "2025-11-25");
        self.send(&json!({"jsonrpc":"2.0","method":"notifications/initialized"})).await;
    }

    pub(crate) async fn bytes(&mut self, bytes: &[u8]) {
        self.to.as_mut().unwrap().write_all(bytes).await.unwrap();
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.bytes(format!("{message}\n").as_bytes()).await;
    }

    pub(crate) async fn call(&mut self, id: impl Into<Value>, tool: &str, arguments: Value) {
        self.send(&call(id, tool, arguments)).await;
    }

    /// The next line; `None` at the end of the stream.
    pub(crate) async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let count = self.from.read_line(&mut line).await.unwrap();
        if count == 0 {
            return None;
        }
        assert!(line.ends_with('\n') && !line.ends_with("\r\n"), "{line:?}");
        Some(line)
    }

    pub(crate) async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(60), self.line());
        serde_json::from_str(&line.await.expect("a message comes").expect("the stream goes on")).unwrap()
    }

    /// Closes the input and gives everything that still comes, and how serving ended.
    pub(crate) async fn finish(mut self) -> (Vec<Value>, Result<(), StdioError>) {
        self.to = None;
        self.rest().await
    }

    pub(crate) async fn rest(mut self) -> (Vec<Value>, Result<(), StdioError>) {
        let mut messages = Vec::new();
        while let Some(line) = self.line().await {
            messages.push(serde_json::from_str(&line).unwrap());
        }
        (messages, self.serving.await.unwrap())
    }

    /// Completes the shutdown future.
    pub(crate) fn shut_down(&mut self) {
        self.end.take().unwrap().send(()).unwrap();
    }

    /// Goes on sending, and never reads again.
    pub(crate) fn stop_reading(self) -> (DuplexStream, JoinHandle<Result<(), StdioError>>) {
        (self.to.unwrap(), self.serving)
    }
}

pub(crate) fn handshake() -> Value {
    handshake_of("2025-11-25")
}

pub(crate) fn handshake_of(version: &str) -> Value {
    json!({"jsonrpc":"2.0","id":"hello","method":"initialize","params":{
        "protocolVersion":version,"capabilities":{},"clientInfo":{"name":"probe","version":"1"}}})
}

pub(crate) fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc":"2.0","id":id.into(),"method":"tools/call","params":{"name":tool,"arguments":arguments}})
}

/// The same call by a modern client.
pub(crate) fn modern_call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    let mut call = call(id, tool, arguments);
    call["params"]["_meta"] = modern_meta();
    call
}

pub(crate) fn modern_meta() -> Value {
    json!({"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})
}

pub(crate) fn cancel(id: impl Into<Value>) -> Value {
    json!({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":id.into(),"reason":"race"}})
}

pub(crate) fn request(id: impl Into<Value>, method: &str) -> Value {
    json!({"jsonrpc":"2.0","id":id.into(),"method":method,"params":{}})
}

/// The text of a tool's result.
pub(crate) fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap_or_default()
}
