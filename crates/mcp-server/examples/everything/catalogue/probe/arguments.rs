//! Tools for the shapes that arguments have: optional, defaulted, bounded, nested, repeated in headers.

use mcp_server::{Args, McpRouter, Structured, ToolError, blocking, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::process::Command;

pub(super) fn tools() -> McpRouter<()> {
    McpRouter::new()
        .tool("save", tool(same::<Save>).describe("Returns a text and an object"))
        .tool("opt", tool(same::<Optional>).describe("Returns what arrived of optional arguments"))
        .tool("page", tool(same::<Page>).describe("Returns arguments with defaults and bounds"))
        .tool("limit", tool(same::<Limit>).describe("Returns an unsigned number"))
        .tool("tree", tool(same::<Tree>).describe("Returns a tree"))
        .tool("shape", tool(same::<Shape>).describe("Returns points"))
        .tool("all_optional", tool(same::<AllOptional>).describe("Needs no argument"))
        .tool("run", tool(blocking(run)).describe("Returns arguments that headers repeat; may run a command"))
}

/// Gives the arguments back as they were understood.
async fn same<T>(Args(arguments): Args<T>) -> Structured<T> {
    Structured(arguments)
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Save {
    /// A text, whatever it looks like.
    name: String,
    /// An object.
    body: Map<String, Value>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Optional {
    /// Must be given.
    a: String,
    /// May be left out.
    b: Option<String>,
    /// Five unless given.
    #[serde(default = "five")]
    c: Option<i64>,
    /// One of two, or neither.
    d: Option<Letter>,
}

fn five() -> Option<i64> {
    Some(5)
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Letter {
    X,
    Y,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Page {
    /// What to look for.
    q: String,
    /// The most entries to return.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    /// The order of the entries.
    #[serde(default)]
    sort: Order,
    /// Tags that every entry has.
    #[serde(default)]
    tags: Vec<String>,
}

fn twenty() -> u32 {
    20
}

#[derive(Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[default]
    Asc,
    Desc,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Limit {
    /// A number without sign.
    n: u32,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Tree {
    /// The root.
    root: Node,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Node {
    /// The value.
    v: i64,
    /// The nodes below.
    children: Vec<Self>,
    /// The node above.
    parent: Option<Box<Self>>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Shape {
    /// The first point.
    a: Point,
    /// The second point.
    b: Point,
    /// A third point.
    c: Option<Point>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct AllOptional {
    /// A text.
    #[serde(default)]
    text: String,
    /// A count.
    #[serde(default)]
    count: u32,
    /// A wish.
    wish: Option<String>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Run {
    /// A text that the header `Mcp-Param-Region` repeats.
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
    /// A number that the header `Mcp-Param-N` repeats.
    #[schemars(extend("x-mcp-header" = "N"))]
    n: i64,
    /// A nested value that a header repeats.
    o: Inner,
    /// A shell command to run before the answer.
    cmd: Option<String>,
}

// A header can repeat only what is reached without a reference.
#[derive(Deserialize, Serialize, JsonSchema)]
#[schemars(inline)]
struct Inner {
    /// A truth that the header `Mcp-Param-Deep-B` repeats.
    #[schemars(extend("x-mcp-header" = "Deep-B"))]
    b: bool,
}

/// Runs the command with the streams it inherits, as careless code would.
fn run(Args(arguments): Args<Run>) -> Result<Structured<Run>, ToolError> {
    if let Some(command) = &arguments.cmd {
        let status = Command::new("sh").arg("-c").arg(command).status()?;
        if !status.success() {
            return Err(ToolError::new(format!("the command ended with {status}")));
        }
    }
    Ok(Structured(arguments))
}
