//! Clients of the service in this process, and how their answers are read.

use crate::notes::{catalogue::server, memory::MemoryNotes};
use mcp_server::{Answer, ProtocolVersion, Server, TestClient};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) fn notes(most: usize) -> Server {
    server(Arc::new(MemoryNotes::bounded(most))).unwrap()
}

/// A client of every version, each with a server of its own.
pub(super) fn every_version() -> impl Iterator<Item = (ProtocolVersion, TestClient)> {
    ProtocolVersion::ALL.into_iter().map(|version| (version, notes(100).client(version)))
}

pub(super) async fn add(client: &TestClient, title: &str, text: &str, tags: &[&str]) -> String {
    let answer = client.call_tool("add_note", json!({ "title": title, "text": text, "tags": tags })).await;
    let saved: Value = serde_json::from_str(answer.text()).unwrap_or_else(|_| panic!("{answer:?}"));
    saved["id"].as_str().unwrap().to_owned()
}

/// The JSON in the first text block, which every version carries.
pub(super) fn told(answer: &Answer) -> Value {
    serde_json::from_str(answer.text()).unwrap_or_else(|_| panic!("no JSON in {answer:?}"))
}

/// What the model, or the program, reads about a refused call.
pub(super) fn complaint(answer: &Answer) -> String {
    match &answer.outcome {
        Ok(_) if answer.is_error() => answer.text().to_owned(),
        Ok(other) => panic!("not an error: {other}"),
        Err(error) => error["message"].as_str().unwrap().to_owned(),
    }
}
