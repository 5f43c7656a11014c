//! Faults that routers carry to the build.

use super::{told, tool_names};
use crate::wire::{MODERN, serving};
use mcp_core::registry::{McpRouter, tool};

fn faulty(subject: &str) -> McpRouter<()> {
    McpRouter::new().fault(subject, "it cannot be; write something else")
}

#[test]
fn what_a_router_was_made_from_is_told_with_all_other_faults() {
    let inner = faulty("inner").merge(faulty("merged"));
    let router = faulty("outer").nest("ns", inner).tool("blank", tool(|| async { "x" })).with_state(());
    assert_eq!(
        told(&serving(router).build().unwrap_err()),
        [
            "outer: it cannot be; write something else",
            "inner: it cannot be; write something else",
            "merged: it cannot be; write something else",
            "tool `blank`: a tool needs a description; add `.describe(\"…\")`",
        ]
    );
}

#[tokio::test]
async fn a_change_with_a_faulty_router_changes_nothing() {
    let router = McpRouter::new().tool("one", tool(|| async { "x" }).describe("One"));
    let server = serving(router).dynamic().build().unwrap();
    let refused = server.update(|edit| {
        edit.remove_tool("one");
        edit.router(faulty("part"));
    });
    assert_eq!(told(&refused.unwrap_err()), ["part: it cannot be; write something else"]);
    assert_eq!(tool_names(&server), ["one"]);
    assert_eq!(server.client(MODERN).call_tool("one", serde_json::json!({})).await.text(), "x");
}
