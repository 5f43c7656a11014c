//! The methods and `_meta` keys of the protocol, by name.

use crate::version::{Feature, ProtocolVersion};

/// A request method this server knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant is the method of the same name")]
pub enum Method {
    Initialize,
    Ping,
    SetLevel,
    Discover,
    ListTools,
    CallTool,
    ListResources,
    ListResourceTemplates,
    ReadResource,
    Subscribe,
    Unsubscribe,
    ListPrompts,
    GetPrompt,
    Complete,
    Listen,
    ListSkills,
    GetSkill,
    ReadDirectory,
    GetTask,
    TaskResult,
    ListTasks,
    UpdateTask,
    CancelTask,
}

impl Method {
    /// The method's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Initialize => "initialize",
            Self::Ping => "ping",
            Self::SetLevel => "logging/setLevel",
            Self::Discover => "server/discover",
            Self::ListTools => "tools/list",
            Self::CallTool => "tools/call",
            Self::ListResources => "resources/list",
            Self::ListResourceTemplates => "resources/templates/list",
            Self::ReadResource => "resources/read",
            Self::Subscribe => "resources/subscribe",
            Self::Unsubscribe => "resources/unsubscribe",
            Self::ListPrompts => "prompts/list",
            Self::GetPrompt => "prompts/get",
            Self::Complete => "completion/complete",
            Self::Listen => "subscriptions/listen",
            Self::ListSkills => "skills/list",
            Self::GetSkill => "skills/get",
            Self::ReadDirectory => "resources/directory/read",
            Self::GetTask => "tasks/get",
            Self::TaskResult => "tasks/result",
            Self::ListTasks => "tasks/list",
            Self::UpdateTask => "tasks/update",
            Self::CancelTask => "tasks/cancel",
        }
    }

    /// Reads a method's name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "tools/call" => Self::CallTool,
            "tools/list" => Self::ListTools,
            "resources/read" => Self::ReadResource,
            "resources/list" => Self::ListResources,
            "resources/templates/list" => Self::ListResourceTemplates,
            "resources/subscribe" => Self::Subscribe,
            "resources/unsubscribe" => Self::Unsubscribe,
            "prompts/get" => Self::GetPrompt,
            "prompts/list" => Self::ListPrompts,
            "completion/complete" => Self::Complete,
            "server/discover" => Self::Discover,
            "subscriptions/listen" => Self::Listen,
            "skills/list" => Self::ListSkills,
            "skills/get" => Self::GetSkill,
            "resources/directory/read" => Self::ReadDirectory,
            "tasks/get" => Self::GetTask,
            "tasks/result" => Self::TaskResult,
            "tasks/list" => Self::ListTasks,
            "tasks/update" => Self::UpdateTask,
            "tasks/cancel" => Self::CancelTask,
            "initialize" => Self::Initialize,
            "ping" => Self::Ping,
            "logging/setLevel" => Self::SetLevel,
            _ => return None,
        })
    }

    /// Tells whether the revision has the method.
    #[must_use]
    pub fn exists_in(self, version: ProtocolVersion) -> bool {
        match self {
            Self::Initialize | Self::Ping | Self::SetLevel | Self::Subscribe | Self::Unsubscribe => {
                version.has(Feature::HandshakeMethods)
            }
            Self::Discover | Self::Listen => version.has(Feature::ModernMethods),
            Self::TaskResult | Self::ListTasks => version.has(Feature::CoreTasks),
            Self::UpdateTask => version.has(Feature::TasksExtension),
            Self::GetTask | Self::CancelTask => {
                version.has(Feature::CoreTasks) || version.has(Feature::TasksExtension)
            }
            _ => true,
        }
    }
}

/// The `_meta` keys the protocol defines.
pub mod meta_key {
    /// The request's protocol version.
    pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    /// The client's name and version.
    pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
    /// What the client can do.
    pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    /// The least severe log level the request wants to hear.
    pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    /// The listen request a notification belongs to.
    pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
    /// The server's name and version.
    pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
    /// The task that a message belongs to.
    pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
    /// What a model may be told while a task runs.
    pub const IMMEDIATE_RESPONSE: &str = "io.modelcontextprotocol/model-immediate-response";
    /// The token that ties progress to a request.
    pub const PROGRESS_TOKEN: &str = "progressToken";
}
