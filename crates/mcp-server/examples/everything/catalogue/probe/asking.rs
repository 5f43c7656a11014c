//! Tools that ask the client before they answer.

use super::{super::RunsTasks, on_request};
use mcp_server::{
    Args, Client, McpRouter, Root, SamplingMessage, SamplingRequest, Structured, ToolError, tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) fn tools(runs: RunsTasks) -> McpRouter<()> {
    McpRouter::new()
        .tool(
            "echo_with_note",
            on_request(
                tool(echo_with_note).describe("Asks the user for a note, then returns the text"),
                runs,
            ),
        )
        .tool("ask_roots", tool(ask_roots).describe("Asks for the client's roots and returns them"))
        .tool(
            "ask_model_with_tools",
            tool(ask_model_with_tools).describe("Lets the client's model use `echo` and returns its answer"),
        )
        .tool(
            "confirm_delete_path",
            on_request(
                tool(confirm_delete_path)
                    .describe("Says that it deleted a path, if the user is sure; deletes nothing")
                    .destructive(),
                runs,
            ),
        )
}

#[derive(Deserialize, JsonSchema)]
struct Echo {
    /// The text.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Note {
    /// Anything to add.
    note: String,
}

async fn echo_with_note(client: Client, Args(Echo { text }): Args<Echo>) -> Result<String, ToolError> {
    Ok(match client.elicit::<Note>("note", "Is there anything to add?").await?.accepted() {
        Some(Note { note }) => format!("{text} ({note})"),
        None => text,
    })
}

#[derive(Serialize, JsonSchema)]
struct Roots {
    roots: Vec<Folder>,
}

#[derive(Serialize, JsonSchema)]
struct Folder {
    uri: String,
    name: Option<String>,
}

async fn ask_roots(client: Client) -> Result<Structured<Roots>, ToolError> {
    let roots = client.roots("roots").await?;
    let folder = |root: &Root| Folder { uri: root.uri().to_owned(), name: root.name().map(str::to_owned) };
    Ok(Structured(Roots { roots: roots.iter().map(folder).collect() }))
}

#[derive(Deserialize, JsonSchema)]
struct Question {
    /// What the model is asked.
    question: String,
}

async fn ask_model_with_tools(
    client: Client,
    Args(Question { question }): Args<Question>,
) -> Result<String, ToolError> {
    let request = SamplingRequest::new(100).message(SamplingMessage::user(question));
    let run = client.sample_with_tools("model", request, ["echo"]).await?;
    let calls = run.calls().iter().map(|call| format!("{} {}", call.name(), call.arguments()));
    Ok(format!("{} After: {}", run.text(), calls.collect::<Vec<_>>().join(", ")))
}

#[derive(Deserialize, JsonSchema)]
struct Target {
    /// The path that is to go.
    path: String,
}

#[derive(Deserialize, JsonSchema)]
struct Decision {
    /// Whether the path is to go.
    sure: bool,
}

async fn confirm_delete_path(
    client: Client,
    Args(Target { path }): Args<Target>,
) -> Result<String, ToolError> {
    let message = format!("Delete {path}: are you sure?");
    // An answer that was ready before the question is no decision about this path.
    match client.elicit::<Decision>("sure", message).issued_only().await?.accepted() {
        Some(Decision { sure: true }) => Ok(format!("deleted {path}")),
        _ => Err(ToolError::new(format!("{path} was kept: the user did not want it deleted"))),
    }
}
