//! A call of a tool, a read of a resource or a prompt as a request through the application's router, in process.

mod agent;
mod answer;
mod arguments;
mod decode;
mod drain;
mod envelope;
mod media;
mod mount;
mod origin;
mod prompt;
mod refusal;
mod request;
mod resource;
mod target;
mod tool;

pub use agent::{AgentCall, NotAnAgent};
pub use envelope::EXCLUDED_HEADERS;
pub use refusal::Refusal;

pub(crate) use arguments::Preset;
pub(crate) use envelope::Excluded;
pub(crate) use mount::{Bound, InProcess};
pub(crate) use prompt::{PromptRoute, PromptTarget};
pub(crate) use resource::ResourceRoute;
pub(crate) use target::Target;
pub(crate) use tool::{RouteTool, ToolTarget};

use std::time::Duration;

/// Marks the handlers of this crate.
#[derive(Debug)]
pub(crate) struct Routed;

/// How the result of a routed tool is formed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResultForm {
    /// The body: JSON as structured content, text as text, images and audio as such, anything else embedded.
    #[default]
    Body,
    /// One object of status, header fields and body.
    Envelope,
}

/// What the published output schema promises of the body of a good response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Promise {
    Json,
    Nothing,
}

/// Bounds of the response that a tool call or a read waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    pub(crate) bytes: usize,
    pub(crate) time: Duration,
}
