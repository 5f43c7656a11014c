//! Walking through the pages of a list, as a client does.

use mcp_core::{
    context::Transport,
    principal::Principal,
    server::{Peer, Server},
    testing::TestClient,
    version::ProtocolVersion,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// The four lists: method, member of the entries, member that names an entry.
pub(super) const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "tools", "name"),
    ("resources/list", "resources", "uri"),
    ("resources/templates/list", "resourceTemplates", "uriTemplate"),
    ("prompts/list", "prompts", "name"),
];

/// One page.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Page {
    pub(super) names: Vec<String>,
    pub(super) next: Option<String>,
    pub(super) result: Value,
}

/// The page a cursor leads to, or the error.
pub(super) async fn try_page(client: &TestClient, method: &str, cursor: Option<&str>) -> Result<Page, Value> {
    let (_, list, name) = LISTS.iter().find(|(listed, ..)| *listed == method).unwrap();
    let params = cursor.map_or(json!({}), |cursor| json!({ "cursor": cursor }));
    let result = client.request(method, params).await.outcome?;
    let entries = result[list].as_array().unwrap();
    let names = entries.iter().map(|entry| entry[name].as_str().unwrap().to_owned()).collect();
    let next = result.get("nextCursor").map(|cursor| cursor.as_str().unwrap().to_owned());
    assert_ne!(next.as_deref(), Some(""));
    Ok(Page { names, next, result })
}

pub(super) async fn page(client: &TestClient, method: &str, cursor: Option<&str>) -> Page {
    try_page(client, method, cursor).await.unwrap_or_else(|error| panic!("{method}: {error}"))
}

/// Every page of a list.
pub(super) async fn pages(client: &TestClient, method: &str) -> Vec<Page> {
    let mut all = vec![page(client, method, None).await];
    while let Some(next) = all.last().unwrap().next.clone() {
        all.push(page(client, method, Some(&next)).await);
        assert!(all.len() < 1_000, "a walk ends");
    }
    all
}

/// The names of every page, page by page.
pub(super) async fn names(client: &TestClient, method: &str) -> Vec<Vec<String>> {
    pages(client, method).await.into_iter().map(|page| page.names).collect()
}

/// A client of a principal.
pub(super) fn client_of(server: &Server, version: ProtocolVersion, subject: &str) -> TestClient {
    client_as(server, version, Principal::new(subject))
}

pub(super) fn client_as(server: &Server, version: ProtocolVersion, principal: Principal) -> TestClient {
    let peer = Peer { principal: Some(Arc::new(principal)), ..Peer::anonymous(Transport::Http) };
    server.client(version).with_peer(peer)
}
