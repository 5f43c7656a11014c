//! What `run_tools` takes.

use crate::json::RawJson;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The longest id of a step, in characters.
const ID_CHARS: usize = 64;

/// The arguments of `run_tools`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(in crate::presentation::search) struct Plan {
    /// The calls, in the order they are made.
    #[schemars(length(min = 1))]
    pub(super) steps: Vec<Step>,
    /// Whether a step that fails ends the run.
    #[serde(default = "stop")]
    pub(super) stop_on_error: bool,
}

fn stop() -> bool {
    true
}

/// One call.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Step {
    /// What later steps call this one by.
    #[schemars(length(min = 1, max = ID_CHARS))]
    pub(super) id: Option<Box<str>>,
    /// The name of the tool.
    #[schemars(length(max = 128))]
    pub(super) tool: Box<str>,
    /// The arguments of the tool. A value in them may be `{"$from": "<id>", "path": "<JSON Pointer>"}`.
    #[schemars(with = "Option<Map<String, Value>>")]
    pub(super) arguments: Option<RawJson>,
    /// Whether the result is left out of the answer; later steps can use it all the same.
    #[serde(default)]
    pub(super) quiet: bool,
}
