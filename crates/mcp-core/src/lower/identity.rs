//! Implementations, icons and annotations.

use crate::{
    json::{JsonWriter, ObjectWriter},
    protocol::{Annotations, Icon, IconTheme, Implementation, meta_key},
    version::{Feature, ProtocolVersion},
};

/// The server as it describes itself when a client connects.
pub(crate) fn implementation(writer: JsonWriter<'_>, server: &Implementation, version: ProtocolVersion) {
    writer.object(|object| {
        object.string("name", &server.name);
        if version.has(Feature::Titles) {
            object.optional_string("title", server.title.as_deref());
        }
        object.string("version", &server.version);
        if version.has(Feature::Icons) {
            object.optional_string("description", server.description.as_deref());
            object.optional_string("websiteUrl", server.website_url.as_deref());
            icons(object, &server.icons, version);
        }
    });
}

/// The server as it signs each result: name and version only, because every result carries it.
pub(crate) fn server_info(writer: JsonWriter<'_>, server: &Implementation) {
    writer.object(|object| {
        object.string("name", &server.name);
        object.string("version", &server.version);
    });
}

/// The `_meta` that holds nothing but the server's signature, as JSON text.
pub(crate) fn signature(server: &Implementation) -> Box<[u8]> {
    let mut out = Vec::new();
    JsonWriter::new(&mut out).object(|meta| server_info(meta.member(meta_key::SERVER_INFO), server));
    out.into_boxed_slice()
}

/// The `_meta` of the one result that introduces the server, as JSON text: the signature with all that is known.
pub(super) fn introduction(server: &Implementation, version: ProtocolVersion) -> Vec<u8> {
    let mut out = Vec::new();
    JsonWriter::new(&mut out)
        .object(|meta| implementation(meta.member(meta_key::SERVER_INFO), server, version));
    out
}

pub(super) fn icons(object: &mut ObjectWriter<'_>, icons: &[Icon], version: ProtocolVersion) {
    if icons.is_empty() || !version.has(Feature::Icons) {
        return;
    }
    object.array("icons", |list| {
        for icon in icons {
            list.object(|object| {
                object.string("src", &icon.src);
                object.optional_string("mimeType", icon.mime_type.as_deref());
                if !icon.sizes.is_empty() {
                    object.array("sizes", |sizes| icon.sizes.iter().for_each(|size| sizes.string(size)));
                }
                let theme = icon.theme.map(|theme| match theme {
                    IconTheme::Light => "light",
                    IconTheme::Dark => "dark",
                });
                object.optional_string("theme", theme);
            });
        }
    });
}

pub(super) fn annotations(
    object: &mut ObjectWriter<'_>,
    annotations: &Annotations,
    version: ProtocolVersion,
) {
    let last_modified = annotations.last_modified.as_deref().filter(|_| version.has(Feature::LastModified));
    if annotations.audience.is_empty() && annotations.priority.is_none() && last_modified.is_none() {
        return;
    }
    object.object("annotations", |object| {
        if !annotations.audience.is_empty() {
            object.array("audience", |list| {
                annotations.audience.iter().for_each(|role| list.string(role.as_str()));
            });
        }
        if let Some(priority) = annotations.priority {
            // The builder clamps priorities, so they are always finite.
            let _ = object.number("priority", priority);
        }
        object.optional_string("lastModified", last_modified);
    });
}
