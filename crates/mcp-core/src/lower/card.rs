//! `_meta` where it may tell of cards.

use crate::{
    card::is_own_key,
    json::ObjectWriter,
    protocol::Meta,
    version::{Feature, ProtocolVersion},
};

/// What the author and the server say of a tool, a resource or contents; the server's own comes last.
///
/// Revisions before 2025-06-18 define no `_meta` here, and the extension does: of an author's they get its keys alone.
pub(super) fn meta_with_cards(
    object: &mut ObjectWriter<'_>,
    author: &Meta,
    own: &Meta,
    version: ProtocolVersion,
) {
    let is_known = |key: &str| version.has(Feature::Titles) || is_own_key(key);
    let mut entries = author.iter().filter(|(key, _)| is_known(key)).chain(own).peekable();
    if entries.peek().is_none() {
        return;
    }
    object.object("_meta", |object| {
        for (key, value) in entries {
            object.raw(key, value.to_string());
        }
    });
}
