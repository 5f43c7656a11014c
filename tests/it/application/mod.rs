//! The example application whose routes agents use, seen from outside: by people and by agents of both eras.

mod agents;
mod guards;
mod rooms;

use mcp_tests::{
    fixture::Fixture,
    http_client::{Request, Response},
    message::{MODERN, modern, post},
};
use serde_json::{Map, Value, json};

const READER: &str = "card-7";
const LIBRARIAN: &str = "card-1";
const HANDSHAKE: &str = "2025-11-25";

/// Each era by its newest revision.
const ERAS: [&str; 2] = [MODERN, HANDSHAKE];

/// What a person's browser asks for.
fn page(method: &str, path: &str, card: &str) -> Request {
    shown(Request::new(method, path), Some(card))
}

fn shown(request: Request, card: Option<&str>) -> Request {
    match card {
        Some(card) => request.header("Authorization", format!("Bearer {card}")),
        None => request,
    }
}

/// The first message of a handshake.
fn hello() -> Request {
    let params = json!({ "protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": { "name": "probe", "version": "1" } });
    post(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string())
}

/// An agent at one of the application's endpoints.
struct Agent<'a> {
    application: &'a Fixture,
    path: &'a str,
    card: &'a str,
    /// In the handshake era.
    session: Option<String>,
}

impl<'a> Agent<'a> {
    async fn at(application: &'a Fixture, path: &'a str, card: &'a str, era: &str) -> Self {
        let mut agent = Self { application, path, card, session: None };
        if era == HANDSHAKE {
            let response = application.send(&shown(hello().at(path), Some(card))).await;
            agent.session = Some(response.header("mcp-session-id").expect("a session begins").to_owned());
        }
        agent
    }

    async fn ask(&self, method: &str, params: Value) -> Response {
        let request = match &self.session {
            None => modern(1, method, params),
            Some(session) => {
                let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
                post(message.to_string())
                    .header("MCP-Protocol-Version", HANDSHAKE)
                    .header("Mcp-Session-Id", session)
            }
        };
        self.application.send(&shown(request.at(self.path), Some(self.card))).await
    }

    async fn result(&self, method: &str, params: Value) -> Value {
        let mut reply = self.ask(method, params).await.reply();
        assert!(reply["error"].is_null(), "{method}: {reply}");
        reply["result"].take()
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let mut params = Map::new();
        params.insert("name".to_owned(), tool.into());
        params.insert("arguments".to_owned(), arguments);
        self.result("tools/call", Value::Object(params)).await
    }

    async fn names(&self, list: &str) -> Vec<String> {
        let result = self.result(&format!("{list}/list"), json!({})).await;
        let entries = result[list].as_array().unwrap().iter();
        entries.map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    }
}
