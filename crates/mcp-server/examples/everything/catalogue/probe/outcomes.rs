//! Tools for the shapes that results have: nothing, text, bytes, structure that fits and that does not.

use super::super::media::PIXEL;
use mcp_server::{
    Args, CallToolResult, Content, McpRouter, ResourceContents, Structured, ToolError, tool, tool_args,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// Bytes whose Base64 has every character that a wrong alphabet gets wrong, and padding.
pub(super) const TELLING_BYTES: &[u8] = &[0xfb, 0xff, 0xbe, 0xfb];

const BIG: usize = 3 * 1024 * 1024;

pub(super) fn tools() -> McpRouter<()> {
    let count = json!({
        "type": "object",
        "properties": { "n": { "type": "integer" } },
        "required": ["n"],
    });
    McpRouter::new()
        .tool("blob", tool(blob).describe("Returns text of a size, or bytes of a kind"))
        .tool("stat", tool(stat).describe("Keeps to its output schema, or does not").output_schema(count))
        .tool("div", tool_args(["a", "b"], div).describe("Divides"))
        .tool("now", tool(now).describe("Tells the time in seconds since 1970"))
        .tool("unit", tool(unit).describe("Returns nothing"))
        .tool("empty_list", tool(empty_list).describe("Returns a list without content"))
        .tool(
            "list_ids",
            tool(list_ids).describe("Returns a list of names").output_schema(json!({
                "type": "array",
                "items": { "type": "string" },
            })),
        )
        .tool("no_task_tool", tool(unit).describe("Never runs as a task"))
}

#[derive(Deserialize, JsonSchema)]
struct Blob {
    /// The bytes of text to return.
    #[schemars(range(max = 16_777_216))]
    size: Option<usize>,
    /// What to return in place of text.
    kind: Option<BlobKind>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum BlobKind {
    Bin,
    Empty,
    Big,
    Image,
    Audio,
    Picture,
}

async fn blob(Args(Blob { size, kind }): Args<Blob>) -> Result<Content, ToolError> {
    let resource = |bytes: Vec<u8>| {
        let contents = ResourceContents::blob(bytes).uri("test://blob").mime_type("application/octet-stream");
        Content::resource(contents)
    };
    Ok(match (size, kind) {
        (Some(size), None) => Content::text("x".repeat(size)),
        (None, Some(BlobKind::Bin)) => resource(TELLING_BYTES.to_vec()),
        (None, Some(BlobKind::Empty)) => resource(Vec::new()),
        (None, Some(BlobKind::Big)) => resource(vec![0xfb; BIG]),
        (None, Some(BlobKind::Image)) => Content::image(TELLING_BYTES, "image/png"),
        (None, Some(BlobKind::Audio)) => Content::audio(TELLING_BYTES, "audio/wav"),
        (None, Some(BlobKind::Picture)) => Content::image(PIXEL, "image/png"),
        _ => return Err(ToolError::new("give either `size` or `kind`")),
    })
}

#[derive(Deserialize, JsonSchema)]
struct Stat {
    /// How the result relates to the output schema.
    mode: Mode,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Ok,
    WrongType,
    Missing,
    Extra,
    Fail,
    None,
}

async fn stat(Args(Stat { mode }): Args<Stat>) -> CallToolResult {
    let structured = |value: Value| CallToolResult::default().structured(value.into());
    match mode {
        Mode::Ok => structured(json!({ "n": 1 })),
        Mode::WrongType => structured(json!({ "n": "one" })),
        Mode::Missing => structured(json!({})),
        Mode::Extra => structured(json!({ "n": 1, "more": true })),
        Mode::Fail => CallToolResult::error("nothing could be counted"),
        Mode::None => CallToolResult::text("no structure"),
    }
}

#[derive(Serialize, JsonSchema)]
struct Quotient {
    q: f64,
}

async fn div(a: f64, b: f64) -> Structured<Quotient> {
    Structured(Quotient { q: a / b })
}

async fn now() -> Result<u64, ToolError> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs())
}

async fn unit() {}

async fn empty_list() -> Vec<Content> {
    Vec::new()
}

async fn list_ids() -> Structured<[&'static str; 2]> {
    Structured(["a", "b"])
}
