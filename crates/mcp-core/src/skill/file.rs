//! One file of a skill.

use crate::{
    json::JsonWriter,
    protocol::{ResourceBody, ResourceContents},
    registry::{ResourceBuilder, resource},
};
use bytes::Bytes;
use sha2::{Digest as _, Sha256};
use std::fmt::{self, Write as _};

/// A file of a skill: where it is below the skill's folder, and what it holds.
#[derive(Debug)]
#[must_use]
pub struct SkillFile {
    pub(super) path: Box<str>,
    pub(super) mime_type: Option<Box<str>>,
    pub(super) source: Source,
}

/// Where the contents of a file come from.
pub(super) enum Source {
    Fixed(ResourceBody),
    Generated(Box<ResourceBuilder<()>>),
}

impl SkillFile {
    /// A file of text. The path has `/` between its parts, such as `examples/email.md`.
    pub fn text(path: impl Into<Box<str>>, text: impl Into<String>) -> Self {
        Self::of(path.into(), Source::Fixed(ResourceBody::Text(text.into())))
    }

    /// A file of bytes.
    pub fn blob(path: impl Into<Box<str>>, bytes: impl Into<Bytes>) -> Self {
        Self::of(path.into(), Source::Fixed(ResourceBody::Blob(bytes.into())))
    }

    /// A file that a handler makes anew each time it is read.
    ///
    /// A skill with such a file has no digests: it is told to be `dynamic`, and a host may decline to load it.
    ///
    /// ```
    /// use mcp_core::{registry::resource, skill::SkillFile};
    /// async fn report() -> String {
    ///     "All is well.".to_owned()
    /// }
    /// let file = SkillFile::generated("today.md", resource(report)).mime_type("text/markdown");
    /// ```
    pub fn generated(path: impl Into<Box<str>>, handler: ResourceBuilder<()>) -> Self {
        Self::of(path.into(), Source::Generated(Box::new(handler)))
    }

    fn of(path: Box<str>, source: Source) -> Self {
        Self { path, mime_type: None, source }
    }

    /// Declares the media type; `SKILL.md` is `text/markdown` in any case.
    pub fn mime_type(mut self, mime_type: impl Into<Box<str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Where the file is below the skill's folder.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The name that the file has in its folder.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The bytes, of a file that stays as it is.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match &self.source {
            Source::Fixed(ResourceBody::Text(text)) => Some(text.as_bytes()),
            Source::Fixed(ResourceBody::Blob(bytes)) => Some(bytes),
            Source::Generated(_) => None,
        }
    }

    /// The bytes that the contents take in a reply, at most.
    pub(super) fn encoded_bytes(&self) -> usize {
        match &self.source {
            Source::Fixed(ResourceBody::Text(text)) => {
                let mut out = Vec::with_capacity(text.len());
                JsonWriter::new(&mut out).string(text);
                out.len()
            }
            Source::Fixed(ResourceBody::Blob(bytes)) => bytes.len().div_ceil(3) * 4,
            Source::Generated(_) => 0,
        }
    }

    /// `sha256:` and the digest of the bytes, of a file that stays as it is.
    pub(super) fn digest(&self) -> Option<String> {
        self.bytes().map(|bytes| {
            let mut text = String::with_capacity(71);
            text.push_str("sha256:");
            for byte in Sha256::digest(bytes) {
                let _ = write!(text, "{byte:02x}");
            }
            text
        })
    }

    /// The resource that the file is read by.
    pub(super) fn into_resource(self) -> ResourceBuilder<()> {
        let size = self.bytes().map(<[u8]>::len);
        let builder = match self.source {
            Source::Generated(builder) => *builder,
            Source::Fixed(body) => resource(move || {
                let contents = match &body {
                    ResourceBody::Text(text) => ResourceContents::text(text.clone()),
                    ResourceBody::Blob(bytes) => ResourceContents::blob(bytes.clone()),
                };
                std::future::ready(contents)
            }),
        };
        let builder = match size {
            Some(size) => builder.size(size as u64),
            None => builder,
        };
        match self.mime_type {
            Some(mime_type) => builder.mime_type(mime_type),
            None => builder,
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(ResourceBody::Text(text)) => write!(formatter, "{} bytes of text", text.len()),
            Self::Fixed(ResourceBody::Blob(bytes)) => write!(formatter, "{} bytes", bytes.len()),
            Self::Generated(_) => formatter.write_str("generated"),
        }
    }
}
