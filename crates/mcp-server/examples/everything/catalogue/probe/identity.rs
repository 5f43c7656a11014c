//! Tools that depend on who calls.

use mcp_server::{Attached, Context, McpRouter, Principal, ProtocolError, Structured, tool};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// The header whose value `whoami` gives back.
const PROBE_HEADER: &str = "x-probe";

pub(super) fn tools() -> McpRouter<()> {
    McpRouter::new()
        .tool("whoami", tool(whoami).describe("Tells who calls"))
        .tool("danger", tool(danger).describe("Needs the scope `write`").destructive())
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Caller {
    subject: Option<String>,
    client_id: Option<String>,
    scopes: Vec<String>,
    session_id: Option<String>,
    /// The value of the header `X-Probe`.
    header: Option<String>,
}

async fn whoami(
    context: Context,
    principal: Option<Arc<Principal>>,
    head: Option<Attached<http::request::Parts>>,
) -> Structured<Caller> {
    let header = head.as_ref().and_then(|Attached(head)| head.headers.get(PROBE_HEADER));
    Structured(Caller {
        subject: principal.as_ref().map(|principal| principal.subject().to_owned()),
        client_id: principal.as_ref().and_then(|principal| principal.client_id()).map(str::to_owned),
        scopes: principal.iter().flat_map(|principal| principal.scopes()).map(str::to_owned).collect(),
        session_id: context.session_id().map(str::to_owned),
        header: header.and_then(|value| value.to_str().ok()).map(str::to_owned),
    })
}

async fn danger(principal: Option<Arc<Principal>>) -> Result<&'static str, ProtocolError> {
    match principal {
        Some(principal) if principal.has_scope("write") => Ok("It was done."),
        _ => Err(ProtocolError::forbidden(["write"])),
    }
}
