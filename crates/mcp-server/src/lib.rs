//! Model Context Protocol servers for Rust: tools, resources and prompts as plain async functions.
//!
//! Every public name is here once.

#[cfg(feature = "apps")]
pub mod apps;
#[cfg(feature = "files")]
pub mod files;
#[cfg(feature = "routes")]
pub mod routes;
mod run;
mod runtime;
#[cfg(feature = "skills")]
pub mod skills;

pub use mcp_core::{
    ask::{
        Ask, AskError, Detach, SampledCall, SamplingRun, ToolSampling,
        state::{StateKey, StateKeyFault, StateKeys},
    },
    card::{CARD_MIME_TYPE, CardCsp, CardFault, CardFaults, CardPermission, CardSettings},
    connection::Connection,
    context::{Context, Transport},
    exchange::{CancelFlag, Events, Exchange, Outgoing, Reply, StreamControl, StreamEvent},
    extract::{
        Anonymous, App, Args, Attached, CallState, Cancelled, Client, Dep, Dependency, Extract, FromRef, Log,
        Progress, Siblings, Typed, Vars, parameter,
    },
    handler::{
        CompletionRequest, Handler, IntoFailure, IntoReply, PromptGet, ProtocolError, Request,
        ResourceListing, ResourceRead, Structured, ToolCall, ToolError, blocking, result,
    },
    json::{JsonFault, JsonLimits, Node, RawJson, WriteFault},
    jsonrpc::RequestId,
    overflow::Overflow,
    page::Lists,
    ports::{
        BoxFuture, EventLimits, EventLog, ListView, ListViewChange, ListViewUpdate, Runtime, Selection,
        SessionId, SessionLimits, SessionStore, StoreError, TaskLimits, TaskStore,
    },
    presentation::{AutomaticSearch, Presentation, TOOLBOX_INSTRUCTIONS, ToolSearch, Toolboxes},
    principal::Principal,
    protocol::{
        Annotations, Blob, CallToolResult, ClientCapabilities, Completion, CompletionReference, Content,
        ContentKind, Elicitation, Extension, FieldShape, Form, FormFault, GetPromptResult, Icon, IconTheme,
        Implementation, IncludeContext, LogLevel, Meta, ModelPreferences, NotAccepted, PromptArgument,
        PromptMessage, RequiredUrl, Resource, ResourceBody, ResourceContents, Role, Root, SamplingContent,
        SamplingContentKind, SamplingFault, SamplingMessage, SamplingRequest, SamplingResult, SamplingTool,
        StopReason, ToolAnnotations, ToolChoice, ToolResult, ToolUse,
    },
    registry::{
        AddTag, BuildFault, BuildFaults, Catalogue, CatalogueEdit, Change, DerivedArgument, DerivedTool,
        IntoToolbox, Keep, LeaveOut, McpRouter, NameRule, Namespace, PromptBuilder, Rename, ResourceBuilder,
        RouterEntry, Step, TOOL_VERSION, TOOL_VERSIONS, ToolBuilder, ToolVisibility, Toolbox, Which, add_tag,
        change_prompts, change_resources, change_tools, derive, into_toolbox, keep, leave_out, namespace,
        prompt, rename_prompt, rename_tool, resource, tool, tool_args,
    },
    schema::{InputSchema, OutputSchema, PublishedSchema, SchemaBounds, SchemaDialect, SchemaFault},
    server::{
        Authorization, Connecting, Counts, Ended, Lifecycle, Limits, Opened, Peer, Posted, Server,
        ServerBuilder, Sessions, TaskStart, TaskSupport, Tasks,
    },
    setting::{SettingFault, SettingFaults},
    testing::{Answer, Asked, TestClient},
    uri::Variables,
    version::{Era, ProtocolVersion, ServedVersions},
    view::{IntoVerdict, Listed, ListedKind, Verdict, Visibility, VisibilityError},
};
pub use run::{RunError, StderrLog, log_panics, shutdown_signal};
#[cfg(feature = "http")]
pub use run::{run_endpoint, run_http, run_http_with};
#[cfg(feature = "stdio")]
pub use run::{run_stdio, run_stdio_with};
pub use runtime::TokioRuntime;

/// Who is calling: verifiers of bearer tokens, and how a refusal is told.
#[cfg(feature = "http")]
pub mod auth {
    pub use mcp_auth::{
        BearerCredentials, BearerToken, Challenge, ChallengeError, MAX_TOKEN_BYTES, MalformedCredentials,
        StaticTokens, StaticTokensBuilder, TokenFault, TokenFileFault, Verifier, VerifyError,
    };
}

/// Streamable HTTP: an endpoint as an axum router, and a server for it.
#[cfg(feature = "http")]
pub mod http {
    pub use mcp_transport_http::{
        Endpoint, Exposure, HttpOptions, LegacyPaths, LegacySse, OriginPolicy, QuietAnswers, ServeError,
        ServeOptions, serve,
    };
}

/// Newline-delimited messages over stdin and stdout, sockets and pipes.
#[cfg(feature = "stdio")]
pub mod stdio {
    #[cfg(unix)]
    pub use mcp_transport_stdio::serve_unix;
    pub use mcp_transport_stdio::{StdioError, StdioOptions, serve, serve_stdio};
}

/// Stores of sessions, events and tasks in this process's memory, and the words that a store of another kind needs.
pub mod store {
    pub use mcp_core::ports::{
        Appended, EndpointPath, Event, EventId, Missed, Owner, Replay, SessionKey, SessionRecord,
        SessionUpdate, StoreLimit, StreamId, StreamKey, StreamLife, TaskId, TaskOutcome, TaskOwner,
        TaskRecord, TaskState, TaskStep, TaskUpdate,
    };
    pub use mcp_store::{MemoryEvents, MemorySessions, MemoryTasks};
}

use std::sync::Arc;

/// Begins a server of what the router has, on the current tokio runtime.
///
/// Handshake clients over HTTP get sessions in this process's memory; [`ServerBuilder::sessions`] chooses other
/// stores, [`ServerBuilder::configure_sessions`] other settings, [`ServerBuilder::without_sessions`] none. Tasks are in
/// this process's memory, too; [`ServerBuilder::tasks`] chooses another store.
pub fn server(router: McpRouter<()>) -> ServerBuilder {
    let sessions =
        Sessions::new(Arc::new(store::MemorySessions::new()), Arc::new(store::MemoryEvents::new()));
    Server::builder(router, Arc::new(TokioRuntime::new()))
        .sessions(sessions)
        .tasks(Tasks::new(Arc::new(store::MemoryTasks::new())))
}

/// Compiles what the page about asking shows.
#[cfg(all(doctest, feature = "http"))]
#[doc = include_str!("../../../docs/asking.md")]
#[derive(Debug)]
pub struct AskingPage;

/// Compiles what the page about sessions shows.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/sessions.md")]
#[derive(Debug)]
pub struct SessionsPage;

/// Compiles what the page about sampling shows.
#[cfg(all(doctest, feature = "http", feature = "stdio"))]
#[doc = include_str!("../../../docs/sampling.md")]
#[derive(Debug)]
pub struct SamplingPage;

/// Compiles what the page about routes shows.
#[cfg(all(doctest, feature = "apps", feature = "routes"))]
#[doc = include_str!("../../../docs/routes.md")]
#[derive(Debug)]
pub struct RoutesPage;

/// Compiles what the page about lists shows.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/lists.md")]
#[derive(Debug)]
pub struct ListsPage;

/// Compiles what the page about composition shows.
#[cfg(all(doctest, feature = "http"))]
#[doc = include_str!("../../../docs/composition.md")]
#[derive(Debug)]
pub struct CompositionPage;

/// Compiles what the page about tool search shows.
#[cfg(all(doctest, feature = "http"))]
#[doc = include_str!("../../../docs/tool-search.md")]
#[derive(Debug)]
pub struct ToolSearchPage;

/// Compiles what the page about tasks shows.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tasks.md")]
#[derive(Debug)]
pub struct TasksPage;

/// Compiles what the page about toolboxes shows.
#[cfg(all(doctest, feature = "http"))]
#[doc = include_str!("../../../docs/toolboxes.md")]
#[derive(Debug)]
pub struct ToolboxesPage;

/// Compiles what the page about cards shows.
#[cfg(all(doctest, feature = "apps", feature = "http"))]
#[doc = include_str!("../../../docs/apps.md")]
#[derive(Debug)]
pub struct AppsPage;

/// Compiles what the page about skills shows.
#[cfg(all(doctest, feature = "http", feature = "skills"))]
#[doc = include_str!("../../../docs/skills.md")]
#[derive(Debug)]
pub struct SkillsPage;

/// Compiles what the README shows.
#[cfg(all(doctest, feature = "routes"))]
#[doc = include_str!("../../../README.md")]
#[derive(Debug)]
pub struct Readme;

/// Compiles what the page about HTTP+SSE shows.
#[cfg(all(doctest, feature = "http"))]
#[doc = include_str!("../../../docs/http-sse.md")]
#[derive(Debug)]
pub struct HttpSsePage;

/// Compiles what the page about the order of the handshake shows.
#[cfg(all(doctest, feature = "http"))]
#[doc = include_str!("../../../docs/lifecycle.md")]
#[derive(Debug)]
pub struct LifecyclePage;
