//! Resources as they are listed and as they are read.

use super::{Annotations, Icon, Meta};
use bytes::Bytes;

/// A resource as it appears in a list or a link.
///
/// Spec: 2026-07-28, schema `Resource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resource {
    pub(crate) uri: Box<str>,
    pub(crate) name: Box<str>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) mime_type: Option<Box<str>>,
    pub(crate) size: Option<u64>,
    pub(crate) annotations: Annotations,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Meta,
}

impl Resource {
    /// A resource by absolute URI and name.
    #[must_use]
    pub fn new(uri: impl Into<Box<str>>, name: impl Into<Box<str>>) -> Self {
        Self { uri: uri.into(), name: name.into(), ..Self::default() }
    }

    /// Sets the name shown to people.
    #[must_use]
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says what it holds.
    #[must_use]
    pub fn description(mut self, description: impl Into<Box<str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Declares the media type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<Box<str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Declares the size in bytes, before any encoding.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Adds hints about audience and importance.
    #[must_use]
    pub fn annotate(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// Adds an icon.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }

    /// Sets `_meta`.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }

    /// The URI.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The programmatic name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// What a resource holds: text or bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification knows these two forms")]
pub enum ResourceBody {
    /// Text, carried as `text`.
    Text(String),
    /// Bytes, carried as Base64 in `blob` (RFC 4648 section 4, padded).
    Blob(Bytes),
}

/// Bytes as a handler returns them; they are carried as `blob`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob(pub Bytes);

impl<T: Into<Bytes>> From<T> for Blob {
    fn from(bytes: T) -> Self {
        Self(bytes.into())
    }
}

/// The contents of one resource.
///
/// A handler may leave the URI and the media type empty: the URI that was read and the declared
/// media type are filled in.
///
/// Spec: 2026-07-28, schema `ResourceContents`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceContents {
    pub(crate) uri: Option<Box<str>>,
    pub(crate) mime_type: Option<Box<str>>,
    pub(crate) body: ResourceBody,
    pub(crate) meta: Meta,
}

impl ResourceContents {
    /// Text contents.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { uri: None, mime_type: None, body: ResourceBody::Text(text.into()), meta: Meta::new() }
    }

    /// Binary contents.
    #[must_use]
    pub fn blob(bytes: impl Into<Bytes>) -> Self {
        Self { uri: None, mime_type: None, body: ResourceBody::Blob(bytes.into()), meta: Meta::new() }
    }

    /// Sets the URI, where it differs from the one that was read.
    #[must_use]
    pub fn uri(mut self, uri: impl Into<Box<str>>) -> Self {
        self.uri = Some(uri.into());
        self
    }

    /// Sets the media type; a declared one of the resource stands above it.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<Box<str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets `_meta`.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }

    /// What the resource holds.
    #[must_use]
    pub fn body(&self) -> &ResourceBody {
        &self.body
    }

    /// What the resource holds, by itself.
    #[must_use]
    pub fn into_body(self) -> ResourceBody {
        self.body
    }

    /// The media type, where one was set.
    #[must_use]
    pub fn declared_type(&self) -> Option<&str> {
        self.mime_type.as_deref()
    }
}
