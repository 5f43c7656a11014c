//! Tools that give back what they are given.

use mcp_server::{Args, McpRouter, RawJson, Structured, tool, tool_args};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) fn tools() -> McpRouter<()> {
    McpRouter::new()
        .tool("echo", tool_args(["text"], echo).describe("Returns the text").argument("text", "The text"))
        .tool("strict_echo", tool(strict_echo).describe("Returns the text and takes nothing else"))
        .tool("echo_json", tool(echo_json).describe("Returns any value"))
        .tool("größe", tool(size).describe("Has a name outside ASCII"))
}

async fn echo(text: String) -> String {
    text
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Strict {
    /// The text.
    text: String,
}

async fn strict_echo(Args(Strict { text }): Args<Strict>) -> String {
    text
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct AnyValue {
    /// Any JSON value; each digit of a number is kept.
    value: RawJson,
}

async fn echo_json(Args(any): Args<AnyValue>) -> Structured<AnyValue> {
    Structured(any)
}

async fn size() -> &'static str {
    "größer als klein"
}
