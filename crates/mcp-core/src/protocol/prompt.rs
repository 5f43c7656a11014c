//! Prompts as they are listed and as they are rendered.

use super::{Content, Meta, Role};

/// One argument of a prompt.
///
/// Spec: 2026-07-28, schema `PromptArgument`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptArgument {
    pub(crate) name: Box<str>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) required: bool,
}

impl PromptArgument {
    /// An argument that must be given.
    #[must_use]
    pub fn required(name: impl Into<Box<str>>) -> Self {
        Self { name: name.into(), title: None, description: None, required: true }
    }

    /// An argument that may be left out.
    #[must_use]
    pub fn optional(name: impl Into<Box<str>>) -> Self {
        Self { required: false, ..Self::required(name) }
    }

    /// Sets the name shown to people.
    #[must_use]
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says what the argument is for.
    #[must_use]
    pub fn description(mut self, description: impl Into<Box<str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The argument's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// One message of a rendered prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptMessage {
    pub(crate) role: Role,
    pub(crate) content: Content,
}

impl PromptMessage {
    /// A message of the person.
    #[must_use]
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// A message of the model.
    #[must_use]
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

/// A rendered prompt.
///
/// Spec: 2026-07-28, schema `GetPromptResult`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetPromptResult {
    pub(crate) description: Option<Box<str>>,
    pub(crate) messages: Vec<PromptMessage>,
    pub(crate) meta: Meta,
}

impl GetPromptResult {
    /// A prompt of these messages, in order.
    #[must_use]
    pub fn new(messages: impl IntoIterator<Item = PromptMessage>) -> Self {
        Self { messages: messages.into_iter().collect(), ..Self::default() }
    }

    /// Describes this rendering; otherwise the prompt's own description goes out.
    #[must_use]
    pub fn description(mut self, description: impl Into<Box<str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets `_meta`.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }
}
