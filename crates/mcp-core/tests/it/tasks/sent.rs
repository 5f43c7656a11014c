//! Every kind of message about tasks, as it is sent to a client of each dialect.

use super::world::*;
use crate::sessions::world::settle;
use bytes::Bytes;
use mcp_core::{connection::Connection, exchange::Outgoing};
use std::{
    future::poll_fn,
    task::{Context as PollContext, Poll, Waker},
};

/// A client on a connection, and everything it was sent, by kind.
struct Wire {
    connection: Connection,
    version: ProtocolVersion,
    sent: Vec<(String, Vec<u8>)>,
}

/// Everything about tasks that is sent to a revision; nothing to one that has none.
pub(crate) async fn sent(version: ProtocolVersion) -> Vec<(String, Vec<u8>)> {
    if version != CORE && version != MODERN {
        return Vec::new();
    }
    let (server, _) = serving();
    let connection = Connection::new(server, Peer::anonymous(Transport::Stdio));
    let mut wire = Wire { connection, version, sent: Vec::new() };
    if version == CORE {
        let info = json!({ "name": "c", "version": "1" });
        let hello = json!({
            "protocolVersion": version.as_str(), "capabilities": { "elicitation": {} }, "clientInfo": info,
        });
        wire.ask("initialize", "initialize", hello).await;
        wire.connection
            .receive(Bytes::from_static(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#));
    } else {
        wire.ask("discover", "server/discover", json!({})).await;
    }
    wire.ask("tools", "tools/list", json!({})).await;
    for (tool, seconds) in [("work", 1), ("fail", 1), ("break", 1), ("inspect", 1), ("report", 4)] {
        let id = wire.begin(tool).await;
        settle().await;
        wire.about("tasks/get", &id).await;
        wire.listen(&id).await;
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        settle().await;
        wire.about("tasks/get", &id).await;
        if version == CORE {
            wire.about("tasks/result", &id).await;
        }
    }
    let id = wire.begin("confirm").await;
    settle().await;
    wire.about("tasks/get", &id).await;
    wire.listen(&id).await;
    if version == CORE {
        wire.about("tasks/result", &id).await;
        wire.ask("task-list", "tasks/list", json!({})).await;
    } else {
        let answers = json!({ "sure": accepted(json!({ "sure": true })) });
        wire.ask("task-update", "tasks/update", json!({ "taskId": id, "inputResponses": answers })).await;
    }
    let id = wire.begin("work").await;
    wire.about("tasks/cancel", &id).await;
    wire.about("tasks/get", &id).await;
    if version == CORE {
        wire.about("tasks/result", &id).await;
    }
    wire.ask("task-error", "tasks/get", json!({ "taskId": "unknown" })).await;
    while let Poll::Ready(told) = wire.connection.poll_change(&mut PollContext::from_waker(Waker::noop())) {
        wire.sent.push(("heard".to_owned(), told.to_vec()));
    }
    wire.sent
}

impl Wire {
    fn request(&self, id: &str, method: &str, mut params: Value) -> Bytes {
        let mut meta = json!({ "progressToken": "token" });
        if self.version == MODERN {
            meta["io.modelcontextprotocol/protocolVersion"] = json!(MODERN.as_str());
            meta["io.modelcontextprotocol/clientCapabilities"] =
                json!({ "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } });
        }
        params["_meta"] = meta;
        Bytes::from(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string())
    }

    /// Sends a request and notes everything that comes until its reply, which it gives.
    async fn ask(&mut self, kind: &str, method: &str, params: Value) -> Value {
        let mut exchange = self.connection.receive(self.request(kind, method, params)).unwrap();
        loop {
            match poll_fn(|context| exchange.poll_message(context))
                .await
                .unwrap_or_else(|| panic!("no reply"))
            {
                Outgoing::Notification(bytes) => self.sent.push(("said".to_owned(), bytes.to_vec())),
                Outgoing::Request(bytes) => {
                    let asked: Value = serde_json::from_slice(&bytes).unwrap();
                    self.sent.push(("ask".to_owned(), bytes.to_vec()));
                    let answer = accepted(json!({ "sure": true }));
                    let answer = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer });
                    self.connection.receive(Bytes::from(answer.to_string()));
                }
                Outgoing::Stream(_) => {}
                Outgoing::Reply(reply) => {
                    self.sent.push((kind.to_owned(), reply.body.to_vec()));
                    return serde_json::from_slice(&reply.body).unwrap();
                }
            }
        }
    }

    async fn begin(&mut self, tool: &str) -> String {
        let arguments = if tool == "work" { json!({ "seconds": 1 }) } else { json!({}) };
        let params = json!({ "name": tool, "arguments": arguments, "task": {} });
        let begun = self.ask("task-created", "tools/call", params).await["result"].take();
        let id = begun.get("taskId").unwrap_or(&begun["task"]["taskId"]);
        id.as_str().unwrap_or_else(|| panic!("no task: {begun}")).to_owned()
    }

    async fn about(&mut self, method: &str, id: &str) {
        let kind = match method {
            "tasks/get" => "task",
            "tasks/result" => "call-task",
            _ => "task-cancel",
        };
        self.ask(kind, method, json!({ "taskId": id })).await;
    }

    /// What a listen stream of the task begins with.
    async fn listen(&mut self, id: &str) {
        if self.version != MODERN {
            return;
        }
        let params = json!({ "notifications": { "taskIds": [id] } });
        let mut stream =
            self.connection.receive(self.request("listen", "subscriptions/listen", params)).unwrap();
        let mut context = PollContext::from_waker(Waker::noop());
        while let Poll::Ready(Some(Outgoing::Notification(bytes))) = stream.poll_message(&mut context) {
            let message: Value = serde_json::from_slice(&bytes).unwrap();
            if message["method"] == "notifications/tasks" {
                self.sent.push(("task-changed".to_owned(), bytes.to_vec()));
            }
        }
    }
}
