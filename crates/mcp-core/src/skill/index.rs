//! All skills of a server, encoded once.

use super::{
    Page, Skill, SkillFile,
    definition::Publication,
    name::{SKILL_FILE, file_uri},
    page::{Listing, PageBounds},
    tree::Tree,
};
use crate::{
    json::JsonWriter,
    protocol::Resource,
    registry::{Faults, McpRouter},
    uri::AbsoluteUri,
};
use bytes::Bytes;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// The room that a reply has beside what it carries.
const FRAME: usize = 1_024;

/// What `skills/list`, `skills/get` and `resources/directory/read` answer from.
#[derive(Debug)]
pub(crate) struct SkillIndex {
    /// Entries by the URI of their `SKILL.md`, in the form it is looked up by.
    entries: HashMap<Box<str>, Bytes>,
    listed: Listing,
    folders: HashMap<Box<str>, Listing>,
    bounds: PageBounds,
}

impl SkillIndex {
    /// A page of all skills; `None` for a cursor that is none of this list.
    pub(crate) fn list(&self, cursor: Option<&str>) -> Option<Page> {
        self.listed.page(cursor, self.bounds)
    }

    /// The entry of the skill whose `SKILL.md` has this URI.
    pub(crate) fn entry(&self, uri: &str) -> Option<&Bytes> {
        self.entries.get(&*AbsoluteUri::normalize_lookup(uri))
    }

    /// A page of a folder's children: `None` where there is no such folder, `Some(None)` for a wrong cursor.
    pub(crate) fn folder(&self, uri: &str, cursor: Option<&str>) -> Option<Option<Page>> {
        let folder = self.folders.get(&*AbsoluteUri::normalize_lookup(uri))?;
        Some(folder.page(cursor, self.bounds))
    }
}

/// An index on its way.
#[derive(Debug)]
pub(super) struct Draft {
    output_bytes: usize,
    entries: HashMap<Box<str>, Bytes>,
    listed: Vec<Bytes>,
    names: BTreeMap<String, Box<str>>,
    /// Files in order, each once: a skill inside another shares its files with the one around it.
    files: Vec<Placed>,
    places: HashMap<String, usize>,
}

/// A file at its URI.
#[derive(Debug)]
struct Placed {
    uri: String,
    file: SkillFile,
    /// Name and description, of a file that is some skill's `SKILL.md`.
    head: Option<Head>,
}

#[derive(Clone, Debug)]
struct Head {
    name: String,
    description: String,
}

impl Draft {
    pub(super) fn new(output_bytes: usize) -> Self {
        Self {
            output_bytes,
            entries: HashMap::new(),
            listed: Vec::new(),
            names: BTreeMap::new(),
            files: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// Adds a skill that is sound by itself.
    pub(super) fn add(&mut self, skill: Skill, faults: &mut Faults) {
        let subject = format!("skill `{}`", skill.path);
        let uri = file_uri(&skill.path, SKILL_FILE);
        let entry = Bytes::from(encoded(&skill, &uri));
        if entry.len() + FRAME > self.output_bytes {
            faults.add(&*subject, format!(
                "what is told of it has {} bytes, which `limits.output_bytes` does not allow: give it fewer files, or shorter front matter",
                entry.len()
            ));
        }
        let text = |member: &str| {
            skill.front_matter.get(member).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let head = Head { name: text("name"), description: text("description") };
        if let Some(other) = self.names.insert(head.name.clone(), skill.path.clone()) {
            tracing::warn!(
                name = head.name,
                other = &*other,
                skill = &*skill.path,
                "two skills have one name; hosts tell them apart by their paths only"
            );
        }
        if skill.publication == Publication::Listed {
            self.listed.push(entry.clone());
        }
        if self.entries.insert(AbsoluteUri::normalize_lookup(&uri).into(), entry).is_some() {
            return faults.add(&*subject, "is there twice");
        }
        for mut file in skill.files {
            let own = (&*file.path == SKILL_FILE).then(|| head.clone());
            if own.is_some() {
                file = file.mime_type("text/markdown");
            }
            let subject = format!("{subject}, file `{}`", file.path);
            self.place(&subject, file_uri(&skill.path, &file.path), file, own, faults);
        }
    }

    fn place(
        &mut self,
        subject: &str,
        uri: String,
        file: SkillFile,
        head: Option<Head>,
        faults: &mut Faults,
    ) {
        let encoded = file.encoded_bytes();
        if encoded + FRAME > self.output_bytes {
            faults.add(
                subject,
                format!("it has {encoded} bytes in a reply, which `limits.output_bytes` does not allow"),
            );
        }
        let known = self.places.get(&uri).and_then(|at| self.files.get_mut(*at));
        let Some(known) = known else {
            self.places.insert(uri.clone(), self.files.len());
            return self.files.push(Placed { uri, file, head });
        };
        if known.file.bytes().is_none() || known.file.bytes() != file.bytes() {
            faults.add(subject, "another skill has this file, too, and not with the same fixed contents");
        }
        if head.is_some() {
            known.head = head;
            known.file.mime_type = file.mime_type;
        }
    }

    /// The index, where there is a skill, and the resources.
    pub(super) fn finish(self, entries: usize, bytes: usize) -> (Option<SkillIndex>, McpRouter<()>) {
        let mut router = McpRouter::new();
        let mut tree = Tree::default();
        for Placed { uri, file, head } in self.files {
            let name = head.as_ref().map_or_else(|| file.name(), |head| &head.name).to_owned();
            let mut listed = Resource::new(&*uri, &*name);
            listed.mime_type = file.mime_type.clone();
            listed.size = file.bytes().map(|bytes| bytes.len() as u64);
            let mut resource = file.into_resource().name(name);
            if let Some(head) = head {
                listed.description = Some(head.description.as_str().into());
                resource = resource.describe(head.description);
            }
            tree.add(listed);
            router = router.resource(uri, resource);
        }
        if self.entries.is_empty() {
            return (None, router);
        }
        let index = SkillIndex {
            entries: self.entries,
            listed: Listing::new("skills", self.listed),
            folders: tree.finish(),
            bounds: PageBounds { entries, bytes: bytes.min(self.output_bytes.saturating_sub(FRAME)) },
        };
        (Some(index), router)
    }
}

/// The entry of a skill, as `skills/list` and `skills/get` both tell it.
fn encoded(skill: &Skill, uri: &str) -> Vec<u8> {
    let mut out = Vec::new();
    JsonWriter::new(&mut out).object(|entry| {
        entry.string("uri", uri);
        entry.raw("frontmatter", Value::Object(skill.front_matter.clone()).to_string());
        let digests: Option<Vec<_>> =
            skill.files.iter().map(|file| Some((file, file.digest()?, file.bytes()?.len()))).collect();
        let Some(digests) = digests else {
            return entry.string("resources", "dynamic");
        };
        entry.array("resources", |files| {
            for (file, digest, size) in digests {
                files.object(|object| {
                    object.string("uri", &file_uri(&skill.path, &file.path));
                    object.string("digest", &digest);
                    object.unsigned("size", size as u64);
                });
            }
        });
    });
    out
}
