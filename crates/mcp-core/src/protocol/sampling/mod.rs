//! Sampling: a text from the client's model.

mod content;
mod fault;
mod message;
mod preferences;
mod request;
mod result;
mod tool;

pub use content::{SamplingContent, SamplingContentKind, ToolResult, ToolUse};
pub use fault::SamplingFault;
pub use message::SamplingMessage;
pub use preferences::ModelPreferences;
pub use request::{IncludeContext, SamplingRequest};
pub use result::{SamplingResult, StopReason};
pub use tool::{SamplingTool, ToolChoice};
