//! Groups that are MCP endpoints of their own.

use crate::call::Target;
use mcp_core::{handler::ProtocolError, protocol::Icon, registry::McpRouter, server::Connecting};
use std::sync::Arc;

/// A group of routes that is served as an MCP endpoint of its own.
#[derive(Debug)]
#[non_exhaustive]
pub struct GroupEndpoint {
    /// The path, which may have parameters, such as `/rooms/{room_id}/mcp`.
    pub path: Box<str>,
    /// The name of the group.
    pub name: Box<str>,
    /// The name shown to people.
    pub title: Option<Box<str>>,
    /// The icons of the group.
    pub icons: Vec<Icon>,
    /// How models are told to use it.
    pub instructions: Option<GroupInstructions>,
    /// What it offers; the parameters of its path are no arguments.
    pub tools: McpRouter,
}

/// How models are told to use a group's endpoint.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum GroupInstructions {
    /// The same for everyone.
    Text(Box<str>),
    /// What a route answers when a client connects.
    Route(Arc<InstructionsRoute>),
}

/// A route that tells how to use an endpoint.
#[derive(Debug)]
pub struct InstructionsRoute(pub(crate) Target);

impl InstructionsRoute {
    /// Asks the route, for a client that connects.
    ///
    /// # Errors
    /// [`ProtocolError`] when the route refuses the client: a challenge for 401 where clients authenticate.
    pub async fn ask(&self, connecting: &Connecting) -> Result<String, ProtocolError> {
        self.0.ask(connecting).await
    }
}
