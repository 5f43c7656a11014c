//! Which tools run as tasks, and from when on.

use std::time::Duration;

/// The identifier of the extension.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// The client capability that the extension is, as a path.
pub(crate) const CAPABILITY: &str = "extensions.io.modelcontextprotocol/tasks";

/// Whether a tool's calls may run as tasks.
///
/// Spec: 2025-11-25, basic/utilities/tasks#tool-level-negotiation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification has these three")]
pub enum TaskSupport {
    /// Never.
    #[default]
    Forbidden,
    /// When the client can have a task; otherwise the call is answered when it ends.
    Optional,
    /// Always; a client that cannot have a task is refused.
    Required,
}

impl TaskSupport {
    /// The word on the wire.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Forbidden => "forbidden",
            Self::Optional => "optional",
            Self::Required => "required",
        }
    }
}

/// From when on a call runs as a task, where the server decides that.
///
/// It does on 2026-07-28; on 2025-11-25 the client asks for a task with its call, and has one at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskStart {
    /// Before its handler runs.
    #[default]
    AtOnce,
    /// When the call has not ended within this time; a fast one is answered as ever.
    After(Duration),
    /// When its handler says so with [`Client::detach`](crate::extract::Client::detach), before which it can ask
    /// the client as other calls do.
    OnDetach,
}

/// What a tool says about tasks.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolTask {
    pub(crate) support: TaskSupport,
    pub(crate) start: TaskStart,
    pub(crate) ttl: Option<Duration>,
    /// What a model is told while the task runs.
    pub(crate) response: Option<Box<str>>,
}
