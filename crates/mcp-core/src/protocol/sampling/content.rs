//! Content blocks of sampling messages.

use super::super::{Content, Meta};
use crate::json::RawJson;
use bytes::Bytes;

/// One block of a sampling message, with optional `_meta`.
///
/// Spec: 2026-07-28, schema `SamplingMessageContentBlock`.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingContent {
    pub(crate) kind: SamplingContentKind,
    pub(crate) meta: Meta,
}

/// What a block of a sampling message holds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SamplingContentKind {
    /// Text.
    Text(String),
    /// A picture, as bytes and media type.
    Image {
        /// The picture's bytes; they are carried as Base64.
        data: Bytes,
        /// The media type, such as `image/png`.
        mime_type: Box<str>,
    },
    /// A sound, as bytes and media type. Clients before 2025-03-26 get a text that names it.
    Audio {
        /// The sound's bytes; they are carried as Base64.
        data: Bytes,
        /// The media type, such as `audio/wav`.
        mime_type: Box<str>,
    },
    /// The model wants a tool to be called.
    ToolUse(ToolUse),
    /// What such a call gave.
    ToolResult(ToolResult),
}

impl SamplingContent {
    pub(crate) fn of(kind: SamplingContentKind) -> Self {
        Self { kind, meta: Meta::new() }
    }

    /// A text block.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(SamplingContentKind::Text(text.into()))
    }

    /// An image block.
    #[must_use]
    pub fn image(data: impl Into<Bytes>, mime_type: impl Into<Box<str>>) -> Self {
        Self::of(SamplingContentKind::Image { data: data.into(), mime_type: mime_type.into() })
    }

    /// An audio block.
    #[must_use]
    pub fn audio(data: impl Into<Bytes>, mime_type: impl Into<Box<str>>) -> Self {
        Self::of(SamplingContentKind::Audio { data: data.into(), mime_type: mime_type.into() })
    }

    /// Sets `_meta`.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }

    /// What the block holds.
    #[must_use]
    pub fn kind(&self) -> &SamplingContentKind {
        &self.kind
    }
}

impl From<String> for SamplingContent {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for SamplingContent {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<ToolUse> for SamplingContent {
    fn from(call: ToolUse) -> Self {
        Self::of(SamplingContentKind::ToolUse(call))
    }
}

impl From<ToolResult> for SamplingContent {
    fn from(result: ToolResult) -> Self {
        Self::of(SamplingContentKind::ToolResult(result))
    }
}

/// A call of a tool that the model asks for.
///
/// Spec: 2026-07-28, schema `ToolUseContent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolUse {
    pub(crate) id: Box<str>,
    pub(crate) name: Box<str>,
    pub(crate) input: RawJson,
}

impl ToolUse {
    /// A call by id, tool and arguments, which must be a JSON object; for conversations that were kept somewhere.
    #[must_use]
    pub fn new(id: impl Into<Box<str>>, name: impl Into<Box<str>>, input: RawJson) -> Self {
        Self { id: id.into(), name: name.into(), input }
    }

    /// The name that ties a result to this call.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The tool's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments, a JSON object; they come from a model and fit the tool's schema only if you check.
    #[must_use]
    pub fn input(&self) -> &RawJson {
        &self.input
    }

    /// Begins the result of this call.
    #[must_use]
    pub fn answer<T: Into<Content>>(&self, content: impl IntoIterator<Item = T>) -> ToolResult {
        ToolResult::new(self.id.clone(), content)
    }
}

/// What a call of a tool gave, for the model to go on with.
///
/// Spec: 2026-07-28, schema `ToolResultContent`.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    pub(crate) id: Box<str>,
    pub(crate) content: Vec<Content>,
    pub(crate) structured: Option<RawJson>,
    pub(crate) is_error: bool,
}

impl ToolResult {
    /// The result of the call with this id, as blocks in order.
    #[must_use]
    pub fn new<T: Into<Content>>(id: impl Into<Box<str>>, content: impl IntoIterator<Item = T>) -> Self {
        let content = content.into_iter().map(Into::into).collect();
        Self { id: id.into(), content, structured: None, is_error: false }
    }

    /// Adds structured content. Clients before 2026-07-28 get it only when it is an object.
    #[must_use]
    pub fn structured(mut self, value: RawJson) -> Self {
        self.structured = Some(value);
        self
    }

    /// Marks the call as failed.
    #[must_use]
    pub fn failed(mut self) -> Self {
        self.is_error = true;
        self
    }
}
