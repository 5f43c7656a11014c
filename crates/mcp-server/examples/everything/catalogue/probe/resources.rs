//! Resources that change, hold bytes, or have URIs of every shape.

use super::outcomes::TELLING_BYTES;
use mcp_server::{App, Blob, McpRouter, Vars, resource};
use serde::Deserialize;
use serde_json::json;
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// Counts the changes of `test://tick`; clones count together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ticks(Arc<AtomicU64>);

impl Ticks {
    /// Counts a change.
    pub(crate) fn advance(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

pub(super) fn resources(ticks: Ticks) -> McpRouter<()> {
    McpRouter::new()
        .resource("test://tick", resource(tick).describe("Changes on demand").mime_type("text/plain"))
        .resource("test://other", resource(other).describe("Never changes").mime_type("text/plain"))
        .resource("test://bin", resource(bin).describe("Four bytes").mime_type("application/octet-stream"))
        .resource(
            "file:///d/caf%C3%A9%201.txt",
            resource(menu).name("café 1.txt").describe("Has a name outside ASCII").mime_type("text/plain"),
        )
        .resource("users://{id}", resource(user).describe("A user").mime_type("application/json"))
        .resource("docs://{+path}", resource(document).describe("A document by path").mime_type("text/plain"))
        .resource(
            "docs://{+path}/meta",
            resource(document_meta).describe("What is known of a document").mime_type("text/plain"),
        )
        .resource(
            "search://{q}{?page,sort}",
            resource(search).describe("A search").mime_type("application/json"),
        )
        .with_state(ticks)
}

async fn tick(App(Ticks(count)): App<Ticks>) -> String {
    count.load(Ordering::Relaxed).to_string()
}

async fn other() -> &'static str {
    "other"
}

async fn bin() -> Blob {
    Blob::from(TELLING_BYTES)
}

async fn menu() -> &'static str {
    "coffee"
}

async fn user(Vars(id): Vars<String>) -> String {
    json!({ "id": id }).to_string()
}

async fn document(Vars(path): Vars<String>) -> String {
    format!("document {path}")
}

async fn document_meta(Vars(path): Vars<String>) -> String {
    format!("about {path}")
}

#[derive(Deserialize)]
struct Search {
    q: String,
    page: Option<u32>,
    sort: Option<String>,
}

async fn search(Vars(Search { q, page, sort }): Vars<Search>) -> String {
    json!({ "q": q, "page": page, "sort": sort }).to_string()
}
