//! Content blocks and resource contents.

use super::{card::meta_with_cards, definition::resource_members, identity::annotations};
use crate::{
    json::{JsonWriter, ObjectWriter},
    protocol::{Content, ContentKind, Meta, ResourceBody, ResourceContents},
    version::{Feature, ProtocolVersion},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};

/// One content block; a kind the revision does not know becomes text that says what it was.
pub(super) fn content(writer: JsonWriter<'_>, block: &Content, version: ProtocolVersion) {
    writer.object(|object| {
        match &block.kind {
            ContentKind::Text(value) => text(object, value),
            ContentKind::Image { data, mime_type } => media(object, "image", data, mime_type),
            ContentKind::Audio { data, mime_type } if version.has(Feature::AudioContent) => {
                media(object, "audio", data, mime_type);
            }
            ContentKind::Audio { data, mime_type } => {
                audio_as_text(object, data, mime_type);
            }
            ContentKind::ResourceLink(link) if version.has(Feature::ResourceLinks) => {
                object.string("type", "resource_link");
                resource_members(object, link, version);
                return link_annotations(object, block, version);
            }
            ContentKind::ResourceLink(link) => text(object, &format!("{} ({})", link.name, link.uri)),
            ContentKind::Resource(contents) => {
                object.string("type", "resource");
                resource_contents(object.member("resource"), contents, "", None, version);
            }
        }
        if let Some(hints) = &block.annotations {
            annotations(object, hints, version);
        }
        if let Some(entries) = &block.meta {
            meta(object, entries, version);
        }
    });
}

/// A link has annotations and `_meta` of its own; the block's are written where the link has none.
fn link_annotations(object: &mut ObjectWriter<'_>, block: &Content, version: ProtocolVersion) {
    let ContentKind::ResourceLink(link) = &block.kind else { return };
    if let Some(hints) = block.annotations.as_deref().filter(|_| link.annotations.is_empty()) {
        annotations(object, hints, version);
    }
    if let Some(entries) = block.meta.as_deref().filter(|_| link.meta.is_empty()) {
        meta(object, entries, version);
    }
}

pub(super) fn text(object: &mut ObjectWriter<'_>, value: &str) {
    object.string("type", "text");
    object.string("text", value);
}

pub(super) fn media(object: &mut ObjectWriter<'_>, kind: &str, data: &[u8], mime_type: &str) {
    object.string("type", kind);
    base64(object.member("data"), data);
    object.string("mimeType", mime_type);
}

/// What a revision without audio sees of it.
pub(super) fn audio_as_text(object: &mut ObjectWriter<'_>, data: &[u8], mime_type: &str) {
    text(object, &format!("[audio, {mime_type}, {} bytes]", data.len()));
}

/// Bytes as one padded Base64 string of the standard alphabet.
///
/// RFC 4648 section 4.
fn base64(writer: JsonWriter<'_>, data: &[u8]) {
    let mut encoded = String::with_capacity(data.len().div_ceil(3) * 4 + 2);
    encoded.push('"');
    STANDARD.encode_string(data, &mut encoded);
    encoded.push('"');
    writer.raw(encoded);
}

/// The contents of a resource; the URI that was read and the declared media type fill what the handler left out.
pub(super) fn resource_contents(
    writer: JsonWriter<'_>,
    contents: &ResourceContents,
    uri: &str,
    declared_type: Option<&str>,
    version: ProtocolVersion,
) {
    writer.object(|object| {
        object.string("uri", contents.uri.as_deref().unwrap_or(uri));
        object.optional_string("mimeType", declared_type.or(contents.mime_type.as_deref()));
        match &contents.body {
            ResourceBody::Text(value) => object.string("text", value),
            ResourceBody::Blob(bytes) => base64(object.member("blob"), bytes),
        }
        meta_with_cards(object, &contents.meta, &Meta::new(), version);
    });
}

pub(super) fn meta(object: &mut ObjectWriter<'_>, meta: &Meta, version: ProtocolVersion) {
    if meta.is_empty() || !version.has(Feature::Titles) {
        return;
    }
    object.object("_meta", |object| {
        for (key, value) in meta {
            object.raw(key, value.to_string());
        }
    });
}
