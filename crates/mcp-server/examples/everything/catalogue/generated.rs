//! Any number of tools, for long lists.

use mcp_server::{Args, McpRouter, tool};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Query {
    /// What to look for.
    query: String,
    /// The most entries to return.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    /// Tags that every entry has.
    tags: Option<Vec<String>>,
}

/// `count` tools named `many_0000`, `many_0001` and so on.
pub(crate) fn generated(count: usize) -> McpRouter<()> {
    (0..count).fold(McpRouter::new(), |router, index| {
        let tool = tool(search).describe(format!("Generated tool {index}: searches a catalogue."));
        router.tool(format!("many_{index:04}"), tool.read_only())
    })
}

async fn search(Args(Query { query, limit, tags }): Args<Query>) -> String {
    format!("{query} {limit:?} {tags:?}")
}
