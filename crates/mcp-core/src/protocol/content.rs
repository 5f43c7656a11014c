//! Content blocks of tool results and prompt messages.

use super::{Annotations, Meta, Resource, ResourceContents};
use bytes::Bytes;

/// One block of content, with optional annotations and `_meta`.
///
/// Spec: 2026-07-28, schema `ContentBlock`.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub(crate) kind: ContentKind,
    pub(crate) annotations: Option<Box<Annotations>>,
    pub(crate) meta: Option<Box<Meta>>,
}

/// What a content block holds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContentKind {
    /// Text for the model or the person.
    Text(String),
    /// A picture, as bytes and media type.
    Image {
        /// The picture's bytes; they are carried as Base64.
        data: Bytes,
        /// The media type, such as `image/png`.
        mime_type: Box<str>,
    },
    /// A sound, as bytes and media type. Callers before 2025-03-26 get a text that names it.
    Audio {
        /// The sound's bytes; they are carried as Base64.
        data: Bytes,
        /// The media type, such as `audio/wav`.
        mime_type: Box<str>,
    },
    /// A pointer to a resource. Callers before 2025-06-18 get it as text.
    ResourceLink(Box<Resource>),
    /// A resource's contents in place.
    Resource(Box<ResourceContents>),
}

impl Content {
    fn of(kind: ContentKind) -> Self {
        Self { kind, annotations: None, meta: None }
    }

    /// A text block.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(ContentKind::Text(text.into()))
    }

    /// An image block.
    #[must_use]
    pub fn image(data: impl Into<Bytes>, mime_type: impl Into<Box<str>>) -> Self {
        Self::of(ContentKind::Image { data: data.into(), mime_type: mime_type.into() })
    }

    /// An audio block.
    #[must_use]
    pub fn audio(data: impl Into<Bytes>, mime_type: impl Into<Box<str>>) -> Self {
        Self::of(ContentKind::Audio { data: data.into(), mime_type: mime_type.into() })
    }

    /// A link to a resource.
    #[must_use]
    pub fn resource_link(resource: Resource) -> Self {
        Self::of(ContentKind::ResourceLink(Box::new(resource)))
    }

    /// A resource embedded in place.
    #[must_use]
    pub fn resource(contents: ResourceContents) -> Self {
        Self::of(ContentKind::Resource(Box::new(contents)))
    }

    /// Adds hints about audience and importance.
    #[must_use]
    pub fn annotate(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(Box::new(annotations));
        self
    }

    /// Adds `_meta`.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(Box::new(meta));
        self
    }

    /// What the block holds.
    #[must_use]
    pub fn kind(&self) -> &ContentKind {
        &self.kind
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}
