//! The result of a tool as it is remembered from round to round.

use crate::{
    json::RawJson,
    protocol::{
        Annotations, CallToolResult, Content, ContentKind, Icon, IconTheme, Meta, Resource, ResourceBody,
        ResourceContents, Role, ToolResult, ToolUse,
    },
};
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// What a tool gave, in full, so that the next round tells the model the same to the byte.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    content: Vec<Block>,
    structured: Option<RawJson>,
    failed: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Block {
    kind: Kind,
    annotations: Option<Hints>,
    meta: Option<Meta>,
}

#[derive(Debug, Serialize, Deserialize)]
enum Kind {
    Text(String),
    Image(Base64, Box<str>),
    Audio(Base64, Box<str>),
    Link(Box<Link>),
    Resource(Box<Embedded>),
}

#[derive(Debug, Serialize, Deserialize)]
struct Hints {
    user: Option<u8>,
    assistant: Option<u8>,
    priority: Option<f64>,
    last_modified: Option<Box<str>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Link {
    uri: Box<str>,
    name: Box<str>,
    title: Option<Box<str>>,
    description: Option<Box<str>>,
    mime_type: Option<Box<str>>,
    size: Option<u64>,
    annotations: Hints,
    icons: Vec<KeptIcon>,
    meta: Meta,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptIcon {
    src: Box<str>,
    mime_type: Option<Box<str>>,
    sizes: Vec<Box<str>>,
    dark: Option<bool>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Embedded {
    uri: Option<Box<str>>,
    mime_type: Option<Box<str>>,
    body: Body,
    meta: Meta,
}

#[derive(Debug, Serialize, Deserialize)]
enum Body {
    Text(String),
    Blob(Base64),
}

#[derive(Debug)]
struct Base64(Bytes);

impl Kept {
    /// Structured content without text of the author's gets its JSON as text, as in a direct call.
    pub(super) fn new(result: CallToolResult) -> Self {
        let mut content: Vec<Block> = result.content.into_iter().map(Block::from).collect();
        if let Some(json) = &result.structured
            && !content.iter().any(|block| matches!(block.kind, Kind::Text(_)))
        {
            content.push(Block::from(Content::text(json.get())));
        }
        Self { content, structured: result.structured, failed: result.is_error }
    }

    /// What a tool gave, as it is.
    pub(crate) fn exactly(result: CallToolResult) -> Self {
        let content = result.content.into_iter().map(Block::from).collect();
        Self { content, structured: result.structured, failed: result.is_error }
    }

    /// What the tool gave.
    pub(crate) fn into_call_result(self) -> CallToolResult {
        CallToolResult {
            content: self.content.into_iter().map(Content::from).collect(),
            structured: self.structured,
            is_error: self.failed,
            meta: Meta::new(),
        }
    }

    /// An error that the model reads.
    pub(crate) fn error(text: impl Into<String>) -> Self {
        Self { content: vec![Block::from(Content::text(text))], structured: None, failed: true }
    }

    /// The block that answers the model's call.
    pub(super) fn into_result(self, call: &ToolUse) -> ToolResult {
        let result = call.answer(self.content.into_iter().map(Content::from));
        let result = match self.structured {
            Some(value) => result.structured(value),
            None => result,
        };
        if self.failed { result.failed() } else { result }
    }
}

impl From<Content> for Block {
    fn from(content: Content) -> Self {
        let kind = match content.kind {
            ContentKind::Text(text) => Kind::Text(text),
            ContentKind::Image { data, mime_type } => Kind::Image(Base64(data), mime_type),
            ContentKind::Audio { data, mime_type } => Kind::Audio(Base64(data), mime_type),
            ContentKind::ResourceLink(link) => Kind::Link(Box::new((*link).into())),
            ContentKind::Resource(contents) => Kind::Resource(Box::new((*contents).into())),
        };
        Self {
            kind,
            annotations: content.annotations.map(|hints| (*hints).into()),
            meta: content.meta.map(|meta| *meta),
        }
    }
}

impl From<Block> for Content {
    fn from(block: Block) -> Self {
        let kind = match block.kind {
            Kind::Text(text) => ContentKind::Text(text),
            Kind::Image(Base64(data), mime_type) => ContentKind::Image { data, mime_type },
            Kind::Audio(Base64(data), mime_type) => ContentKind::Audio { data, mime_type },
            Kind::Link(link) => ContentKind::ResourceLink(Box::new((*link).into())),
            Kind::Resource(contents) => ContentKind::Resource(Box::new((*contents).into())),
        };
        Self {
            kind,
            annotations: block.annotations.map(|hints| Box::new(hints.into())),
            meta: block.meta.map(Box::new),
        }
    }
}

impl From<Annotations> for Hints {
    fn from(hints: Annotations) -> Self {
        // The places in the list: it is told in the author's order.
        let place = |role| {
            let found = hints.audience.iter().position(|other| *other == role);
            found.and_then(|place| u8::try_from(place).ok())
        };
        Self {
            user: place(Role::User),
            assistant: place(Role::Assistant),
            priority: hints.priority,
            last_modified: hints.last_modified,
        }
    }
}

impl From<Hints> for Annotations {
    fn from(hints: Hints) -> Self {
        let mut audience: Vec<_> = [(hints.user, Role::User), (hints.assistant, Role::Assistant)]
            .into_iter()
            .filter(|(place, _)| place.is_some())
            .collect();
        audience.sort_by_key(|(place, _)| *place);
        Self {
            audience: audience.into_iter().map(|(_, role)| role).collect(),
            priority: hints.priority,
            last_modified: hints.last_modified,
        }
    }
}

impl From<Resource> for Link {
    fn from(link: Resource) -> Self {
        Self {
            uri: link.uri,
            name: link.name,
            title: link.title,
            description: link.description,
            mime_type: link.mime_type,
            size: link.size,
            annotations: link.annotations.into(),
            icons: link.icons.into_iter().map(KeptIcon::from).collect(),
            meta: link.meta,
        }
    }
}

impl From<Link> for Resource {
    fn from(link: Link) -> Self {
        Self {
            uri: link.uri,
            name: link.name,
            title: link.title,
            description: link.description,
            mime_type: link.mime_type,
            size: link.size,
            annotations: link.annotations.into(),
            icons: link.icons.into_iter().map(Icon::from).collect(),
            meta: link.meta,
        }
    }
}

impl From<Icon> for KeptIcon {
    fn from(icon: Icon) -> Self {
        let dark = icon.theme.map(|theme| theme == IconTheme::Dark);
        Self { src: icon.src, mime_type: icon.mime_type, sizes: icon.sizes, dark }
    }
}

impl From<KeptIcon> for Icon {
    fn from(icon: KeptIcon) -> Self {
        let theme = icon.dark.map(|dark| if dark { IconTheme::Dark } else { IconTheme::Light });
        Self { theme, mime_type: icon.mime_type, sizes: icon.sizes, ..Self::new(icon.src) }
    }
}

impl From<ResourceContents> for Embedded {
    fn from(contents: ResourceContents) -> Self {
        let body = match contents.body {
            ResourceBody::Text(text) => Body::Text(text),
            ResourceBody::Blob(bytes) => Body::Blob(Base64(bytes)),
        };
        Self { uri: contents.uri, mime_type: contents.mime_type, body, meta: contents.meta }
    }
}

impl From<Embedded> for ResourceContents {
    fn from(kept: Embedded) -> Self {
        let body = match kept.body {
            Body::Text(text) => ResourceBody::Text(text),
            Body::Blob(Base64(bytes)) => ResourceBody::Blob(bytes),
        };
        Self { uri: kept.uri, mime_type: kept.mime_type, body, meta: kept.meta }
    }
}

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD_NO_PAD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD_NO_PAD.decode(text).map(|bytes| Self(bytes.into())).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_kept_comes_back_to_the_last_member() {
        let meta = || json!({ "a/b": [1, 2.5] }).as_object().unwrap().clone();
        let hints = || {
            Annotations::new()
                .audience([Role::Assistant, Role::User])
                .priority(0.1)
                .last_modified("2025-01-12T15:00:58Z")
        };
        let icon = Icon::embedded("image/png", b"i").sizes(["48x48"]).theme(IconTheme::Light);
        let link = Resource::new("test://l", "l")
            .title("t")
            .description("d")
            .mime_type("m/m")
            .size(3)
            .annotate(hints())
            .icon(icon)
            .meta(meta());
        let content = vec![
            Content::text("a\u{2028}b").annotate(hints()).meta(meta()),
            Content::image(&b"\xff\x00"[..], "image/png").annotate(Annotations::new().audience([Role::User])),
            Content::audio(&b"x"[..], "audio/wav"),
            Content::resource_link(link),
            Content::resource(ResourceContents::text("in").uri("test://t").mime_type("t/p").meta(meta())),
            Content::resource(ResourceContents::blob(&b"bytes"[..]).uri("test://b")),
        ];
        let result =
            CallToolResult::new(content.clone()).structured(RawJson::parse(r#"{"b":1.50,"a":[]}"#).unwrap());
        let text = serde_json::to_string(&Kept::new(result)).unwrap();
        let kept: Kept = serde_json::from_str(&text).unwrap();
        let call = ToolUse::new("7", "x", RawJson::parse("{}").unwrap());
        let expected = call.answer(content).structured(RawJson::parse(r#"{"b":1.50,"a":[]}"#).unwrap());
        assert_eq!(kept.into_result(&call), expected);
    }

    #[test]
    fn structure_alone_is_told_as_text_too() {
        let result = CallToolResult::default().structured(RawJson::parse(r#"{"n":1}"#).unwrap());
        let call = ToolUse::new("7", "x", RawJson::parse("{}").unwrap());
        let told = Kept::new(result).into_result(&call);
        assert_eq!(told.content, [Content::text(r#"{"n":1}"#)]);
        assert!(Kept::error("no").into_result(&call).is_error);
    }
}
