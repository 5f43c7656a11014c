//! Messages of a conversation with the client's model.

use super::{
    super::{Meta, Role},
    SamplingContent,
};

/// One message of the conversation: a role and at least one block.
///
/// Clients before 2025-11-25 take one block a message, and get a message of several as several messages.
///
/// Spec: 2026-07-28, schema `SamplingMessage`.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingMessage {
    pub(crate) role: Role,
    pub(crate) content: Vec<SamplingContent>,
    pub(crate) meta: Meta,
}

impl SamplingMessage {
    /// A message of these blocks, in order.
    #[must_use]
    pub fn new<T: Into<SamplingContent>>(role: Role, content: impl IntoIterator<Item = T>) -> Self {
        Self { role, content: content.into_iter().map(Into::into).collect(), meta: Meta::new() }
    }

    /// A message of the person with one block.
    #[must_use]
    pub fn user(content: impl Into<SamplingContent>) -> Self {
        Self::new(Role::User, [content])
    }

    /// A message of the model with one block.
    #[must_use]
    pub fn assistant(content: impl Into<SamplingContent>) -> Self {
        Self::new(Role::Assistant, [content])
    }

    /// Adds a block.
    #[must_use]
    pub fn and(mut self, content: impl Into<SamplingContent>) -> Self {
        self.content.push(content.into());
        self
    }

    /// Sets `_meta`.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }

    /// Who speaks.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// The blocks, in order.
    #[must_use]
    pub fn content(&self) -> &[SamplingContent] {
        &self.content
    }
}
