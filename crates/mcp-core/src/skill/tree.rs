//! The folders that skills are in, and what each holds.

use super::{name::SCHEME, page::Listing};
use crate::{json::JsonWriter, lower, protocol::Resource, version::ProtocolVersion};
use bytes::Bytes;
use std::collections::{BTreeMap, HashMap};

/// The media type of a folder.
const FOLDER: &str = "inode/directory";

/// Folders by URI, each with its direct children by URI.
#[derive(Debug, Default)]
pub(super) struct Tree(BTreeMap<String, BTreeMap<String, Resource>>);

impl Tree {
    /// Adds a file, and every folder on the way to it.
    pub(super) fn add(&mut self, file: Resource) {
        let mut child = file;
        loop {
            let uri = child.uri.to_string();
            let Some((folder, _)) = uri.rsplit_once('/').filter(|(folder, _)| folder.len() >= SCHEME.len())
            else {
                return;
            };
            let children = self.0.entry(folder.to_owned()).or_default();
            let name = folder.rsplit('/').next().unwrap_or(folder);
            let known = children.insert(uri.clone(), child).is_some();
            if known {
                return;
            }
            child = Resource::new(folder, decoded(name)).mime_type(FOLDER);
        }
    }

    /// The children of each folder, encoded; folders and files in the order of their URIs.
    pub(super) fn finish(self) -> HashMap<Box<str>, Listing> {
        let listed = self.0.into_iter().map(|(folder, children)| {
            let entries = children.into_values().map(|child| encoded(&child)).collect();
            (folder.clone().into_boxed_str(), Listing::new(&folder, entries))
        });
        listed.collect()
    }
}

/// A resource has nothing here that revisions would tell apart.
fn encoded(resource: &Resource) -> Bytes {
    let mut out = Vec::new();
    lower::resource(JsonWriter::new(&mut out), resource, ProtocolVersion::LATEST);
    out.into()
}

fn decoded(name: &str) -> String {
    percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned()
}
