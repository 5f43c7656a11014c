//! Tool results and behaviour hints.

use super::{Content, Meta};
use crate::json::RawJson;

/// Hints about what a tool does; undeclared ones are left out.
///
/// Spec: 2026-07-28, schema `ToolAnnotations`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolAnnotations {
    /// The tool changes nothing.
    pub read_only: Option<bool>,
    /// The tool may destroy or overwrite.
    pub destructive: Option<bool>,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// The tool reaches an open world, such as the web.
    pub open_world: Option<bool>,
}

impl ToolAnnotations {
    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// A tool that changes nothing can destroy nothing.
    pub(crate) fn contradiction(self) -> Option<&'static str> {
        (self.read_only == Some(true) && self.destructive == Some(true))
            .then_some("a read-only tool cannot be destructive")
    }
}

/// The result of a tool call, as a handler may build it by hand.
///
/// Spec: 2026-07-28, schema `CallToolResult`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallToolResult {
    pub(crate) content: Vec<Content>,
    pub(crate) structured: Option<RawJson>,
    pub(crate) is_error: bool,
    pub(crate) meta: Meta,
}

impl CallToolResult {
    /// A result of these blocks, in order.
    #[must_use]
    pub fn new<T: Into<Content>>(content: impl IntoIterator<Item = T>) -> Self {
        Self { content: content.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// A result of one text block.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: vec![Content::text(text)], ..Self::default() }
    }

    /// A failure the model reads.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    /// Adds structured content; a result without text gets it as text, too.
    #[must_use]
    pub fn structured(mut self, value: RawJson) -> Self {
        self.structured = Some(value);
        self
    }

    /// Marks the result as a failure of the tool itself.
    #[must_use]
    pub fn failed(mut self) -> Self {
        self.is_error = true;
        self
    }

    /// Sets `_meta`.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }
}
