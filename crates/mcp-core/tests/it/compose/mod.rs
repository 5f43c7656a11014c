//! Catalogues put together from parts.

mod calls;
mod derived;
mod exact;
mod faults;
mod hidden;
mod merging;
mod narrowing;
mod pipeline;
mod random;
mod refused;
mod shapes;
mod updating;
mod versions;

use crate::wire::serving;
use mcp_core::{
    registry::{BuildFaults, McpRouter},
    server::Server,
    testing::TestClient,
};
use serde_json::{Value, json};

/// Every fault as a line.
fn told(faults: &BuildFaults) -> Vec<String> {
    faults.iter().map(ToString::to_string).collect()
}

/// What keeps a server from being built of a router.
#[track_caller]
fn refused(router: McpRouter<()>) -> Vec<String> {
    told(&serving(router).build().unwrap_err())
}

fn tool_names(server: &Server) -> Vec<String> {
    server.catalogue().tool_names().map(str::to_owned).collect()
}

/// A tool as a client reads it in the list.
async fn listed(client: &TestClient, name: &str) -> Value {
    let list = client.request("tools/list", json!({})).await;
    let tools = list.result().unwrap()["tools"].as_array().unwrap().clone();
    tools.into_iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{name} is not listed"))
}

/// The names of a tool's arguments, in the order they are published.
fn arguments(tool: &Value) -> Vec<&str> {
    tool["inputSchema"]["properties"].as_object().unwrap().keys().map(String::as_str).collect()
}
