//! The kinds of request a handler can serve.

use super::{ProtocolError, ToolError};
use crate::{
    context::Context,
    json::{Document, JsonLimits, Node, NodeId},
    protocol::{
        CallToolResult, Completion, CompletionReference, GetPromptResult, Resource, ResourceContents,
    },
    registry::ToolEntry,
    uri::Variables,
};
use bytes::Bytes;
use std::{fmt, sync::Arc};

mod sealed {
    #[expect(unnameable_types, reason = "nobody else implements it")]
    pub trait Sealed {}
}

/// A kind of request that handlers serve: [`ToolCall`], [`ResourceRead`], [`PromptGet`],
/// [`ResourceListing`] or [`CompletionRequest`].
pub trait Request: sealed::Sealed + fmt::Debug + Sized + Send + Sync + 'static {
    /// What the handler's result is turned into.
    type Reply: Send + 'static;

    /// The call's context.
    fn context(&self) -> &Context;

    /// The reply for a failure of the protocol kind.
    fn refused(error: ProtocolError) -> Self::Reply;
}

/// A `tools/call` whose arguments fit the published schema.
#[derive(Debug)]
pub struct ToolCall {
    pub(crate) context: Context,
    pub(crate) tool: Arc<ToolEntry>,
    pub(crate) arguments: Arguments,
}

/// Where the arguments of a call lie.
#[derive(Debug)]
pub(crate) enum Arguments {
    /// The client left them out.
    Absent,
    /// In the request, as sent.
    AsSent(NodeId),
    /// Rewritten to fit the schema.
    Rewritten(Box<Document>),
}

impl Arguments {
    /// The arguments of a call of this context; `None` when the client left them out.
    pub(crate) fn node<'a>(&'a self, context: &'a Context) -> Option<Node<'a>> {
        match self {
            Self::Absent => None,
            Self::AsSent(id) => Some(context.document().node(*id)),
            Self::Rewritten(document) => Some(document.root()),
        }
    }
}

impl ToolCall {
    /// The name by which the tool is called: of a tool that was derived from another, its own.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.tool.name
    }

    /// The version of the tool that is called; `None` for a tool without versions.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.tool.version()
    }

    /// The arguments as a JSON object, as the handler takes them; `None` when the client left them out.
    #[must_use]
    pub fn arguments(&self) -> Option<Node<'_>> {
        self.arguments.node(&self.context)
    }

    /// The arguments with every number that stands for a declared integer in digits alone, `3` for `3.0`; `None`
    /// when they are written so already.
    ///
    /// The schema knows integers by value; what reads them by spelling takes these.
    #[must_use]
    pub fn integral_arguments(&self) -> Option<Document> {
        let text = self.tool.input.integral_rewrite(self.arguments()?)?;
        Document::parse(Bytes::from(text), &JsonLimits::widest()).ok()
    }

    /// The arguments as JSON text, `{}` when they were left out.
    #[must_use]
    pub fn arguments_text(&self) -> &str {
        self.arguments().map_or("{}", Node::raw)
    }
}

impl sealed::Sealed for ToolCall {}
impl Request for ToolCall {
    type Reply = Result<CallToolResult, ToolError>;

    fn context(&self) -> &Context {
        &self.context
    }

    fn refused(error: ProtocolError) -> Self::Reply {
        Err(error.into())
    }
}

/// A `resources/read` of a resource that exists.
#[derive(Debug)]
pub struct ResourceRead {
    pub(crate) context: Context,
    pub(crate) uri: Box<str>,
    pub(crate) variables: Variables,
}

impl ResourceRead {
    /// The URI that is read, percent-encoded.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The values of the template's variables; empty for a static resource.
    #[must_use]
    pub fn variables(&self) -> &Variables {
        &self.variables
    }
}

impl sealed::Sealed for ResourceRead {}
impl Request for ResourceRead {
    type Reply = Result<Vec<ResourceContents>, ProtocolError>;

    fn context(&self) -> &Context {
        &self.context
    }

    fn refused(error: ProtocolError) -> Self::Reply {
        Err(error)
    }
}

/// A `prompts/get` of a prompt that exists.
#[derive(Debug)]
pub struct PromptGet {
    pub(crate) context: Context,
    pub(crate) name: Arc<str>,
    pub(crate) arguments: Vec<(Box<str>, String)>,
}

impl PromptGet {
    /// The prompt's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments, in the order they came.
    pub fn arguments(&self) -> impl Iterator<Item = (&str, &str)> {
        self.arguments.iter().map(|(name, value)| (&**name, value.as_str()))
    }
}

impl sealed::Sealed for PromptGet {}
impl Request for PromptGet {
    type Reply = Result<GetPromptResult, ProtocolError>;

    fn context(&self) -> &Context {
        &self.context
    }

    fn refused(error: ProtocolError) -> Self::Reply {
        Err(error)
    }
}

/// A `resources/list` that reaches a listing callback.
#[derive(Debug)]
pub struct ResourceListing {
    pub(crate) context: Context,
}

impl sealed::Sealed for ResourceListing {}
impl Request for ResourceListing {
    type Reply = Result<Vec<Resource>, ProtocolError>;

    fn context(&self) -> &Context {
        &self.context
    }

    fn refused(error: ProtocolError) -> Self::Reply {
        Err(error)
    }
}

/// A `completion/complete` of an argument that has a completer.
#[derive(Debug)]
pub struct CompletionRequest {
    pub(crate) context: Context,
    pub(crate) reference: CompletionReference,
    pub(crate) argument: Box<str>,
    pub(crate) value: String,
    pub(crate) siblings: Vec<(Box<str>, String)>,
}

impl CompletionRequest {
    /// The prompt or template that is completed.
    #[must_use]
    pub fn reference(&self) -> &CompletionReference {
        &self.reference
    }

    /// The argument or variable that is completed.
    #[must_use]
    pub fn argument(&self) -> &str {
        &self.argument
    }

    /// What has been typed so far.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The arguments that are settled already, in the order they came.
    pub fn siblings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.siblings.iter().map(|(name, value)| (&**name, value.as_str()))
    }
}

impl sealed::Sealed for CompletionRequest {}
impl Request for CompletionRequest {
    type Reply = Result<Completion, ProtocolError>;

    fn context(&self) -> &Context {
        &self.context
    }

    fn refused(error: ProtocolError) -> Self::Reply {
        Err(error)
    }
}
