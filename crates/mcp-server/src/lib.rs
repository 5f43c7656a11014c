//! Model Context Protocol servers for Rust: tools, resources and prompts as plain async functions.
//!
//! Every public name is here once.

#[cfg(feature = "files")]
pub mod files;
mod runtime;

pub use mcp_core::{
    connection::Connection,
    context::{Context, Transport},
    exchange::{Exchange, Outgoing, Reply},
    extract::{
        Anonymous, App, Args, Attached, CallState, Cancelled, Dep, Dependency, Extract, FromRef, Log,
        Progress, Siblings, Typed, Vars, parameter,
    },
    handler::{
        CompletionRequest, Handler, IntoReply, PromptGet, ProtocolError, Request, ResourceListing,
        ResourceRead, Structured, ToolCall, ToolError, blocking,
    },
    json::{JsonLimits, RawJson},
    ports::{BoxFuture, Runtime},
    principal::Principal,
    protocol::{
        Annotations, Blob, CallToolResult, ClientCapabilities, Completion, CompletionReference, Content,
        ContentKind, GetPromptResult, Icon, IconTheme, Implementation, LogLevel, Meta, PromptArgument,
        PromptMessage, Resource, ResourceBody, ResourceContents, Role, ToolAnnotations,
    },
    registry::{
        BuildFault, BuildFaults, Catalogue, CatalogueEdit, McpRouter, NameRule, PromptBuilder,
        ResourceBuilder, ToolBuilder, prompt, resource, tool, tool_args,
    },
    schema::{OutputSchema, PublishedSchema, SchemaBounds, SchemaDialect, SchemaFault},
    server::{Limits, Peer, Server, ServerBuilder},
    testing::{Answer, TestClient},
    version::{Era, ProtocolVersion, ServedVersions},
};
pub use runtime::TokioRuntime;

use std::sync::Arc;

/// Begins a server of what the router has, on the current tokio runtime.
pub fn server(router: McpRouter<()>) -> ServerBuilder {
    Server::builder(router, Arc::new(TokioRuntime::new()))
}
