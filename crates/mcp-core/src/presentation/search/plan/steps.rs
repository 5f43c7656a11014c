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
    // In the order they are made.
    #[schemars(length(min = 1))]
    pub(super) steps: Vec<Step>,
    // Whether a step that fails ends the run.
    #[serde(default = "stop")]
    pub(super) stop_on_error: bool,
}

fn stop() -> bool {
    true
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Step {
    /// What later steps name in `$from`.
    #[schemars(length(min = 1, max = ID_CHARS))]
    pub(super) id: Option<Box<str>>,
    // The name of the tool.
    #[schemars(length(max = 128))]
    pub(super) tool: Box<str>,
    // Values in them may be references.
    #[schemars(with = "Option<Map<String, Value>>")]
    pub(super) arguments: Option<RawJson>,
    /// Leaves the result out of the answer.
    #[serde(default)]
    pub(super) quiet: bool,
}
