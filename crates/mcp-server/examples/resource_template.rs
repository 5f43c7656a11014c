//! A family of resources by URI template, listed by a callback and completed; and a folder of files.
//!
//! Run it with `cargo run -p mcp-server --example resource_template`; the endpoint is
//! `http://127.0.0.1:8080/mcp`. Another address may follow `--`, and then a folder.

use mcp_server::{McpRouter, ProtocolError, Resource, Typed, Vars, files, resource, run_http, server};
use std::error::Error;

const PLANETS: [(&str, &str); 3] =
    [("mercury", "Scorched"), ("earth", "Mostly harmless"), ("neptune", "Windy")];

/// `planets://{name}`.
async fn planet(Vars(name): Vars<String>) -> Result<&'static str, ProtocolError> {
    let found = PLANETS.iter().find(|(planet, _)| *planet == name);
    found.map(|(_, text)| *text).ok_or_else(|| ProtocolError::resource_not_found(format!("planets://{name}")))
}

async fn listed() -> Vec<Resource> {
    PLANETS.iter().map(|(name, _)| Resource::new(format!("planets://{name}"), *name)).collect()
}

async fn complete(Typed(typed): Typed) -> Vec<&'static str> {
    PLANETS.iter().map(|(name, _)| *name).filter(|name| name.starts_with(&typed)).collect()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:8080".into());
    let folder = arguments.next().unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let planets =
        resource(planet).describe("A planet in a word").mime_type("text/plain").complete("name", complete);
    let router = McpRouter::new()
        .resource("planets://{name}", planets)
        .list_resources(listed)
        .merge(files::folder(folder, "files://").describe("Files, as they are on disk").open()?);
    let server = server(router).name("planets").version("1.0.0").build()?;
    Ok(run_http(server, address).await?)
}
