//! The wire shapes of the newest revision: the superset every handler speaks.
//!
//! Older revisions get these *lowered* (module `lower`), never other types.

mod annotations;
mod cache;
mod capability;
mod completion;
mod content;
mod elicitation;
mod extension;
mod form;
mod icon;
mod identity;
mod log;
mod method;
mod progress;
mod prompt;
mod resource;
mod root;
mod sampling;
mod subscription;
mod tool;

pub use annotations::{Annotations, Role};
pub use cache::{CacheHints, CacheScope};
pub use capability::ClientCapabilities;
pub use completion::{Completion, CompletionReference};
pub use content::{Content, ContentKind};
pub use elicitation::{Elicitation, NotAccepted, RequiredUrl};
pub use extension::Extension;
pub use form::Form;
pub use icon::{Icon, IconTheme};
pub use identity::Implementation;
pub use log::LogLevel;
pub use method::{Method, meta_key};
pub use progress::{PROGRESS_TOKEN_BYTES, ProgressToken, ProgressTokenTooLong};
pub use prompt::{GetPromptResult, PromptArgument, PromptMessage};
pub use resource::{Blob, Resource, ResourceBody, ResourceContents};
pub use root::Root;
pub use sampling::{
    IncludeContext, ModelPreferences, SamplingContent, SamplingContentKind, SamplingFault, SamplingMessage,
    SamplingRequest, SamplingResult, SamplingTool, StopReason, ToolChoice, ToolResult, ToolUse,
};
pub(crate) use subscription::FilterBounds;
pub use subscription::SubscriptionFilter;
pub use tool::{CallToolResult, ToolAnnotations};

pub(crate) use extension::Reach;

pub use crate::schema::{FieldShape, FormFault};

/// The free-form `_meta` object of definitions and results.
pub type Meta = serde_json::Map<String, serde_json::Value>;
