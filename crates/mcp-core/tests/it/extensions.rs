//! Extensions that a server advertises: where, how, and which are refused.

use crate::wire::{MODERN, ask, connect, modern, plain, serving};
use mcp_core::{
    protocol::Extension,
    registry::{McpRouter, tool},
    server::{Server, ServerBuilder},
    version::{Era, ProtocolVersion},
};
use serde_json::{Value, json};

fn builder() -> ServerBuilder {
    serving(McpRouter::new().tool("a", tool(|| async { "x" }).describe("A")))
}

/// The capabilities that a client of a version is told.
async fn told(server: &Server, version: ProtocolVersion) -> Value {
    let message = match version.era() {
        Era::Modern => modern(1, "server/discover", json!({})),
        Era::Handshake => {
            plain(1, "initialize", json!({ "protocolVersion": version.as_str(), "capabilities": {} }))
        }
    };
    ask(&mut connect(server), &message).await.result()["capabilities"].clone()
}

#[tokio::test]
async fn an_extension_is_advertised_with_its_settings_in_every_version() {
    let server = builder()
        .extension(Extension::new("com.example/b").setting("depth", 3).setting("modes", json!(["x"])))
        .extension(Extension::new("com.example/a"))
        .build()
        .unwrap();
    for version in ProtocolVersion::ALL {
        let expected = json!({ "com.example/b": { "depth": 3, "modes": ["x"] }, "com.example/a": {} });
        assert_eq!(told(&server, version).await["extensions"], expected, "{version}");
    }
}

#[tokio::test]
async fn one_that_needs_the_newest_revision_is_left_out_of_handshakes() {
    let server = builder().extension(Extension::new("com.example/new").modern_only()).build().unwrap();
    for version in ProtocolVersion::ALL {
        let capabilities = told(&server, version).await;
        assert_eq!(capabilities.get("extensions").is_some(), version == MODERN, "{version}");
    }
}

#[tokio::test]
async fn without_extensions_there_is_no_such_member() {
    let server = builder().build().unwrap();
    for version in ProtocolVersion::ALL {
        assert_eq!(told(&server, version).await.get("extensions"), None, "{version}");
    }
}

#[test]
fn extensions_that_cannot_be_advertised_are_build_faults() {
    let faults = builder()
        .extension(Extension::new("ledger"))
        .extension(Extension::new("com.example/twice"))
        .extension(Extension::new("com.example/twice"))
        .extension(Extension::new("io.modelcontextprotocol/tasks"))
        .build()
        .unwrap_err();
    let told: Vec<_> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "extension `ledger`: write a reversed domain name, `/` and a name, such as `com.example/ledger`",
            "extension `com.example/twice`: advertised twice; put its settings together",
            "extension `io.modelcontextprotocol/tasks`: the server offers it by itself: it is advertised as soon as a tool can run as a task",
        ]
    );
}
