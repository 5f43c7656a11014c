//! What a request in process says of itself.

use crate::describe::DescribeInput;
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::{StatusCode, request::Parts};
use mcp_core::context::Context;
use std::{convert::Infallible, fmt};

/// Says that a request comes from an agent: it is in the extensions of each request that the call of a tool, the read
/// of a resource or the rendering of a prompt makes of the application's router.
///
/// As an extractor it lets a route serve agents only; `Option<AgentCall>` tells them apart from everyone else.
#[derive(Clone)]
pub struct AgentCall(Option<Context>);

impl AgentCall {
    pub(crate) const fn new(context: Option<Context>) -> Self {
        Self(context)
    }

    /// The context of the call: who calls, what its client can do, the state that the call's handlers share.
    ///
    /// [`Progress`], [`Log`] and [`Client`] are made from it, where the route reports how far it is or asks the user:
    ///
    /// ```
    /// use mcp_core::extract::Progress;
    /// use mcp_routes::AgentCall;
    ///
    /// async fn import(agent: Option<AgentCall>) {
    ///     let progress = agent.as_ref().and_then(AgentCall::context).map(Progress::from);
    ///     if let Some(progress) = progress {
    ///         progress.report(1.0, 2.0);
    ///     }
    /// }
    /// # let _ = import;
    /// ```
    ///
    /// [`Progress`]: mcp_core::extract::Progress
    /// [`Log`]: mcp_core::extract::Log
    /// [`Client`]: mcp_core::extract::Client
    ///
    /// `None` for the request that tells a client how to use an endpoint: that is no call yet.
    #[must_use]
    pub const fn context(&self) -> Option<&Context> {
        self.0.as_ref()
    }
}

impl fmt::Debug for AgentCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("AgentCall").field(&self.0).finish()
    }
}

/// The request comes from no agent; the response is `404 Not Found`.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("only agents are served here")]
pub struct NotAnAgent;

impl axum::response::IntoResponse for NotAnAgent {
    fn into_response(self) -> axum::response::Response {
        StatusCode::NOT_FOUND.into_response()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for AgentCall {
    type Rejection = NotAnAgent;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, NotAnAgent> {
        parts.extensions.get::<Self>().cloned().ok_or(NotAnAgent)
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for AgentCall {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned())
    }
}

impl DescribeInput for AgentCall {}
