//! A checked, immutable set of tools, resources and prompts.

use super::{
    BuildFaults, CatalogueEdit, Faults, PromptEntry, Rules, StaticEntry, TemplateEntry, ToolEntry,
    edit::Listings,
    index::{Index, Named},
};
use crate::{
    json::JsonWriter,
    lower::{self, ListKind},
    uri::{AbsoluteUri, Variables},
    version::ProtocolVersion,
};
use bytes::Bytes;
use sha2::{Digest as _, Sha256};
use std::{
    cmp::Reverse,
    fmt::Write as _,
    sync::{Arc, OnceLock},
};

/// What a server offers at one moment; calls keep the one they began with.
#[derive(Debug)]
pub struct Catalogue {
    rules: Rules,
    tools: Index<ToolEntry>,
    resources: Index<StaticEntry>,
    templates: Index<TemplateEntry>,
    /// The templates in the order they are tried.
    by_specificity: Vec<Arc<TemplateEntry>>,
    prompts: Index<PromptEntry>,
    listings: Listings,
    encoded: Encoded,
}

/// List entries as text, encoded at first use, per list and revision.
#[derive(Debug, Default)]
struct Encoded {
    lists: [[OnceLock<Bytes>; ProtocolVersion::ALL.len()]; 4],
}

/// A resource that was found by URI.
#[derive(Debug)]
pub(crate) enum Found {
    Static(Arc<StaticEntry>),
    Template(Arc<TemplateEntry>, Variables),
}

/// Which lists differ between two catalogues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Changed {
    pub(crate) tools: bool,
    pub(crate) resources: bool,
    pub(crate) prompts: bool,
}

impl Catalogue {
    pub(super) fn new(edit: CatalogueEdit) -> Result<Self, BuildFaults> {
        let mut faults = edit.faults;
        let tools = index("tool", edit.tools, &mut faults);
        let resources = index("resource", edit.resources, &mut faults);
        let templates = index("resource template", edit.templates, &mut faults);
        let prompts = index("prompt", edit.prompts, &mut faults);
        faults.finish()?;
        let mut by_specificity = templates.entries().to_vec();
        // A stable sort: among equals the one registered first wins.
        by_specificity.sort_by_key(|entry| Reverse(entry.template.specificity()));
        let encoded = Encoded::default();
        let (rules, listings) = (edit.rules, edit.listings);
        Ok(Self { rules, tools, resources, templates, by_specificity, prompts, listings, encoded })
    }

    /// Begins a change of this catalogue.
    pub(crate) fn edit(&self) -> CatalogueEdit {
        CatalogueEdit {
            rules: self.rules.clone(),
            tools: self.tools.entries().to_vec(),
            resources: self.resources.entries().to_vec(),
            templates: self.templates.entries().to_vec(),
            prompts: self.prompts.entries().to_vec(),
            listings: self.listings.clone(),
            faults: Faults::default(),
        }
    }

    /// Which lists read differently than those of an earlier catalogue.
    ///
    /// A new handler under an unchanged definition changes no list. What callbacks list is not known
    /// here, so one more callback is a change.
    pub(crate) fn changed_since(&self, old: &Self) -> Changed {
        let differs =
            |kind| self.entries(kind, ProtocolVersion::LATEST) != old.entries(kind, ProtocolVersion::LATEST);
        Changed {
            tools: !self.tools.same_as(&old.tools) && differs(ListKind::Tools),
            resources: self.listings.0.len() != old.listings.0.len()
                || (!self.resources.same_as(&old.resources) && differs(ListKind::Resources))
                || (!self.templates.same_as(&old.templates) && differs(ListKind::Templates)),
            prompts: !self.prompts.same_as(&old.prompts) && differs(ListKind::Prompts),
        }
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&Arc<ToolEntry>> {
        self.tools.get(name)
    }

    pub(crate) fn prompt(&self, name: &str) -> Option<&Arc<PromptEntry>> {
        self.prompts.get(name)
    }

    pub(crate) fn template(&self, text: &str) -> Option<&Arc<TemplateEntry>> {
        self.templates.get(text)
    }

    /// Finds a resource by URI: a static one first, then the most specific template.
    pub(crate) fn resource(&self, uri: &str) -> Option<Found> {
        let key = AbsoluteUri::normalize_lookup(uri);
        if let Some(entry) = self.resources.get(&key) {
            return Some(Found::Static(Arc::clone(entry)));
        }
        self.by_specificity.iter().find_map(|entry| {
            entry.template.matches(&key).map(|variables| Found::Template(Arc::clone(entry), variables))
        })
    }

    pub(crate) fn static_resources(&self) -> &[Arc<StaticEntry>] {
        self.resources.entries()
    }

    pub(crate) fn prompts(&self) -> &[Arc<PromptEntry>] {
        self.prompts.entries()
    }

    pub(crate) fn listings(&self) -> &Listings {
        &self.listings
    }

    pub(crate) fn has_resources(&self) -> bool {
        !self.resources.is_empty() || !self.templates.is_empty() || !self.listings.0.is_empty()
    }

    pub(crate) fn has_prompts(&self) -> bool {
        !self.prompts.is_empty()
    }

    pub(crate) fn has_completers(&self) -> bool {
        self.prompts.entries().iter().any(|entry| !entry.completers.is_empty())
            || self.templates.entries().iter().any(|entry| !entry.completers.is_empty())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tools.is_empty() && !self.has_resources() && !self.has_prompts()
    }

    /// The tools' names, in the order they are listed.
    pub fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.tools.entries().iter().map(|entry| entry.key())
    }

    /// The entries of a list for a revision, as JSON text with commas between them.
    pub(crate) fn entries(&self, kind: ListKind, version: ProtocolVersion) -> &Bytes {
        let [tools, resources, templates, prompts] = &self.encoded.lists;
        let (slots, encode): (_, fn(&Self, ProtocolVersion) -> Bytes) = match kind {
            ListKind::Tools => (tools, |all, version| {
                join(all.tools.entries(), |writer, entry| lower::tool(writer, entry, version))
            }),
            ListKind::Resources => (resources, |all, version| {
                join(all.resources.entries(), |writer, entry| {
                    lower::resource(writer, &entry.resource, version)
                })
            }),
            ListKind::Templates => (templates, |all, version| {
                join(all.templates.entries(), |writer, entry| lower::template(writer, entry, version))
            }),
            ListKind::Prompts => (prompts, |all, version| {
                join(all.prompts.entries(), |writer, entry| lower::prompt(writer, entry, version))
            }),
        };
        static NOTHING: Bytes = Bytes::new();
        slots.get(version.index()).map_or(&NOTHING, |slot| slot.get_or_init(|| encode(self, version)))
    }

    /// A digest of everything that is listed, the same on every node that offers the same.
    ///
    /// The lower-case hexadecimal SHA-256 of the four lists as the newest revision sees them;
    /// what callbacks list is not part of it.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for kind in [ListKind::Tools, ListKind::Resources, ListKind::Templates, ListKind::Prompts] {
            let entries = self.entries(kind, ProtocolVersion::LATEST);
            hash.update((entries.len() as u64).to_be_bytes());
            hash.update(entries);
        }
        hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

fn index<T: Named>(kind: &str, entries: Vec<Arc<T>>, faults: &mut Faults) -> Index<T> {
    let (index, twice) = Index::new(entries);
    for name in twice {
        faults.add(format!("{kind} `{name}`"), "registered twice; give one of them another name");
    }
    index
}

/// Encodes entries one after the other, commas between them.
fn join<T>(entries: &[Arc<T>], write: impl Fn(JsonWriter<'_>, &T)) -> Bytes {
    let mut out = Vec::new();
    for entry in entries {
        if !out.is_empty() {
            out.push(b',');
        }
        write(JsonWriter::new(&mut out), entry);
    }
    Bytes::from(out)
}
