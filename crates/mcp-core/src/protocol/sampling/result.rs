//! What the client's model said.

use super::{
    super::{Meta, Role},
    SamplingContent, SamplingContentKind, SamplingMessage, ToolUse,
};
use std::fmt;

/// What the client's model said.
///
/// It comes from a model through a client, so its words are no more to be trusted than a user's.
///
/// Spec: 2026-07-28, schema `CreateMessageResult`.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingResult {
    pub(crate) role: Role,
    pub(crate) content: Vec<SamplingContent>,
    pub(crate) model: Box<str>,
    pub(crate) stop_reason: Option<StopReason>,
    pub(crate) meta: Meta,
}

impl SamplingResult {
    /// Who speaks: the model.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// The blocks, in order.
    #[must_use]
    pub fn content(&self) -> &[SamplingContent] {
        &self.content
    }

    /// The text of all text blocks, one after the other without anything between.
    #[must_use]
    pub fn text(&self) -> String {
        let text = |block: &SamplingContent| match &block.kind {
            SamplingContentKind::Text(text) => Some(text.clone()),
            _ => None,
        };
        self.content.iter().filter_map(text).collect()
    }

    /// The calls of tools that the model asks for, in order.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.content.iter().filter_map(|block| match &block.kind {
            SamplingContentKind::ToolUse(call) => Some(call),
            _ => None,
        })
    }

    /// The name of the model that answered.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Why the model stopped, when the client says so.
    #[must_use]
    pub fn stop_reason(&self) -> Option<&StopReason> {
        self.stop_reason.as_ref()
    }

    /// The result's `_meta`.
    #[must_use]
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The answer as the next message of the conversation.
    #[must_use]
    pub fn into_message(self) -> SamplingMessage {
        SamplingMessage { role: self.role, content: self.content, meta: Meta::new() }
    }
}

/// Why a model stopped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// Its turn came to its end.
    EndTurn,
    /// A stop sequence came up.
    StopSequence,
    /// The limit of tokens was reached.
    MaxTokens,
    /// It wants tools to be called.
    ToolUse,
    /// A provider's own reason, as it was written.
    Other(Box<str>),
}

impl StopReason {
    /// The reason's name on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::EndTurn => "endTurn",
            Self::StopSequence => "stopSequence",
            Self::MaxTokens => "maxTokens",
            Self::ToolUse => "toolUse",
            Self::Other(name) => name,
        }
    }

    pub(crate) fn read(name: &str) -> Self {
        [Self::EndTurn, Self::StopSequence, Self::MaxTokens, Self::ToolUse]
            .into_iter()
            .find(|reason| reason.as_str() == name)
            .unwrap_or_else(|| Self::Other(name.into()))
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
