//! A checked, immutable set of tools, resources and prompts.

use super::{
    BuildFaults, CatalogueEdit, Digest, EncodedList, Faults, PromptEntry, Rules, StaticEntry, TemplateEntry,
    ToolEntry, ToolVisibility, Toolbox,
    earlier::{Births, Earlier},
    edit::Listings,
    encoded::Encoded,
    index::{Index, Named, Placed},
    own::{presented, without_own},
    toolbox::check_toolboxes,
    tools::Tools,
};
use crate::{
    card::{self, CARD_MIME_TYPE, check_cards},
    json::JsonWriter,
    lower::{self, ListKind},
    presentation::SearchIndex,
    refusal::Refusal,
    task::TaskSupport,
    uri::{AbsoluteUri, Variables},
    version::ProtocolVersion,
};
use bytes::Bytes;
use sha2::{Digest as _, Sha256};
use std::{
    borrow::Cow,
    cmp::Reverse,
    fmt::Write as _,
    sync::{Arc, OnceLock},
};

/// What a server offers at one moment; calls keep the one they began with.
#[derive(Debug)]
pub struct Catalogue {
    rules: Rules,
    pub(super) tools: Tools,
    pub(super) resources: Index<StaticEntry>,
    pub(super) templates: Index<TemplateEntry>,
    /// The templates in the order they are tried.
    by_specificity: Vec<Arc<TemplateEntry>>,
    pub(super) prompts: Index<PromptEntry>,
    toolboxes: Vec<Toolbox>,
    listings: Listings,
    encoded: Encoded,
    search: OnceLock<SearchIndex>,
    digest: OnceLock<Digest>,
    births: Births,
    next: u64,
    earlier: Earlier,
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
        check_toolboxes(&edit.toolboxes, &edit.tools, &edit.prompts, &mut faults);
        let tools = presented(edit.tools, &edit.rules, &mut faults);
        let resources = index("resource", edit.resources, &mut faults);
        let templates = index("resource template", edit.templates, &mut faults);
        let prompts = index("prompt", edit.prompts, &mut faults);
        let mut by_specificity = templates.entries().to_vec();
        // A stable sort: among equals the one registered first wins.
        by_specificity.sort_by_key(|entry| Reverse(entry.template.specificity()));
        let births = Births::new(tools.listed().born(), resources.born(), templates.born(), prompts.born());
        let catalogue = Self {
            rules: edit.rules,
            tools,
            resources,
            templates,
            by_specificity,
            prompts,
            toolboxes: edit.toolboxes,
            listings: edit.listings,
            encoded: Encoded::default(),
            search: OnceLock::new(),
            digest: OnceLock::new(),
            births,
            next: edit.next,
            earlier: edit.earlier,
        };
        check_cards(&catalogue, catalogue.rules.output_bytes, &mut faults);
        faults.finish().map(|()| catalogue)
    }

    /// Begins a change of this catalogue.
    pub(crate) fn edit(&self) -> CatalogueEdit {
        let mut earlier = self.earlier.clone();
        if self.rules.earlier > 0 {
            earlier.push(*self.digest_bytes(), self.births.clone(), self.rules.earlier);
        }
        CatalogueEdit {
            rules: self.rules.clone(),
            tools: without_own(self.tools.placed()),
            resources: self.resources.placed(),
            templates: self.templates.placed(),
            prompts: self.prompts.placed(),
            toolboxes: self.toolboxes.clone(),
            next: self.next,
            earlier,
            listings: self.listings.clone(),
            faults: Faults::default(),
        }
    }

    /// Which lists read differently than those of an earlier catalogue.
    ///
    /// A new handler under an unchanged definition changes no list. What callbacks list is not known
    /// here, so one more callback is a change.
    pub(crate) fn changed_since(&self, old: &Self) -> Changed {
        let differs = |kind| {
            self.encoded(kind, ProtocolVersion::LATEST).text()
                != old.encoded(kind, ProtocolVersion::LATEST).text()
        };
        Changed {
            // Another version that is not the highest is told in the entry of the one that is.
            tools: differs(ListKind::Tools),
            resources: self.listings.0.len() != old.listings.0.len()
                || (!self.resources.same_as(&old.resources) && differs(ListKind::Resources))
                || (!self.templates.same_as(&old.templates) && differs(ListKind::Templates)),
            prompts: !self.prompts.same_as(&old.prompts) && differs(ListKind::Prompts),
        }
    }

    /// The tool of a name, in the version that is asked for, or the highest.
    ///
    /// # Errors
    /// [`Refusal::UnknownTool`] and [`Refusal::UnknownToolVersion`].
    pub(crate) fn tool(&self, name: &str, version: Option<&str>) -> Result<&Arc<ToolEntry>, Refusal> {
        self.tools.find(name, version)
    }

    pub(crate) fn prompt(&self, name: &str) -> Option<&Arc<PromptEntry>> {
        self.prompts.get(name)
    }

    pub(crate) fn template(&self, text: &str) -> Option<&Arc<TemplateEntry>> {
        self.templates.get(text)
    }

    /// The resource that is registered for exactly this URI, in the form it is looked up by.
    pub(crate) fn static_resource(&self, key: &str) -> Option<&Arc<StaticEntry>> {
        self.resources.get(key)
    }

    /// Finds a resource by URI: a static one first, a card by its version, then the most specific template.
    pub(crate) fn resource(&self, uri: &str) -> Option<Found> {
        let key = AbsoluteUri::normalize_lookup(uri);
        if let Some(entry) = self.resources.get(&key) {
            return Some(Found::Static(Arc::clone(entry)));
        }
        if let Some(card) = self.versioned_card(&key) {
            return Some(Found::Static(Arc::clone(card)));
        }
        self.by_specificity.iter().find_map(|entry| {
            entry.template.matches(&key).map(|variables| Found::Template(Arc::clone(entry), variables))
        })
    }

    /// The card that a URI names in exactly the version that it has.
    fn versioned_card(&self, key: &str) -> Option<&Arc<StaticEntry>> {
        let (uri, query) = key.split_once('?')?;
        let entry = self.resources.get(uri)?;
        entry.card.as_ref()?.is_named_by(query).then_some(entry)
    }

    /// The URI by which hosts read the card of a tool: with the card's version, where it has one.
    pub(crate) fn card_uri(&self, tool: &ToolEntry) -> Option<Cow<'_, str>> {
        let uri = tool.definition.card.as_deref()?;
        let entry = self.resources.get(&AbsoluteUri::normalize_lookup(uri));
        let version = entry.and_then(|entry| entry.card.as_ref()?.version());
        Some(match version {
            Some(version) => format!("{uri}?v={version}").into(),
            None => uri.to_owned().into(),
        })
    }

    /// Every version of every tool.
    pub(crate) fn every_tool(&self) -> impl Iterator<Item = &Arc<ToolEntry>> {
        self.tools.registered()
    }

    /// Tells whether some tool or resource has to do with cards.
    pub(crate) fn has_cards(&self) -> bool {
        let is_card = |mime_type: &Option<Box<str>>| mime_type.as_deref() == Some(CARD_MIME_TYPE);
        self.every_tool().any(|tool| {
            let definition = &tool.definition;
            definition.card.is_some()
                || definition.visibility != ToolVisibility::ModelAndApp
                || card::own_key(&definition.meta).is_some()
        }) || self.resources.entries().iter().any(|entry| is_card(&entry.resource.mime_type))
            || self.templates.entries().iter().any(|entry| is_card(&entry.definition.mime_type))
    }

    /// The tools that are listed, each in its highest version.
    pub(crate) fn listed_tools(&self) -> &[Arc<ToolEntry>] {
        self.tools.listed().entries()
    }

    pub(crate) fn static_resources(&self) -> &[Arc<StaticEntry>] {
        self.resources.entries()
    }

    pub(crate) fn templates(&self) -> &[Arc<TemplateEntry>] {
        self.templates.entries()
    }

    pub(crate) fn prompts(&self) -> &[Arc<PromptEntry>] {
        self.prompts.entries()
    }

    /// The toolboxes, in the order they were registered.
    pub(crate) fn toolboxes(&self) -> &[Toolbox] {
        &self.toolboxes
    }

    pub(crate) fn listings(&self) -> &Listings {
        &self.listings
    }

    pub(crate) fn has_resources(&self) -> bool {
        !self.resources.is_empty() || !self.templates.is_empty() || !self.listings.0.is_empty()
    }

    /// Tells whether some tool keeps what is too large as a resource.
    pub(crate) fn overflows(&self) -> bool {
        self.tools.overflow()
    }

    pub(crate) fn has_prompts(&self) -> bool {
        !self.prompts.is_empty()
    }

    pub(crate) fn has_task_tools(&self) -> bool {
        self.tools.all().any(|entry| entry.definition.task.support != TaskSupport::Forbidden)
    }

    pub(crate) fn has_completers(&self) -> bool {
        self.prompts.entries().iter().any(|entry| !entry.completers.is_empty())
            || self.templates.entries().iter().any(|entry| !entry.completers.is_empty())
    }

    /// Tells whether the author offers nothing.
    pub(crate) fn is_empty(&self) -> bool {
        without_own(self.tools.placed()).is_empty() && !self.has_resources() && !self.has_prompts()
    }

    /// The names of all tools that can be called, in the order of their registration; see
    /// [`presentation`](crate::presentation) for which are listed.
    pub fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.tools.named().entries().iter().map(|entry| entry.key())
    }

    /// What tools are found by, made when somebody first searches.
    pub(crate) fn search_index(&self) -> &SearchIndex {
        self.search.get_or_init(|| SearchIndex::new(self.tools.named().entries()))
    }

    /// A tool as it would be listed for a revision, as JSON text.
    pub(crate) fn tool_text(&self, entry: &ToolEntry, version: ProtocolVersion) -> Vec<u8> {
        let mut out = Vec::new();
        let card = self.card_uri(entry);
        let told = (self.tools.versions_of(&entry.name), card.as_deref());
        lower::tool(JsonWriter::new(&mut out), entry, told, version);
        out
    }

    /// The entries of a list for a revision, as JSON text.
    pub(crate) fn encoded(&self, kind: ListKind, version: ProtocolVersion) -> &EncodedList {
        self.encoded.list(self, kind, version)
    }

    /// Where a walk through a list goes on that had passed `passed` entries of the catalogue with this digest, which
    /// may be cut short: this one, or an earlier one that is remembered.
    pub(crate) fn resume(&self, kind: ListKind, digest: &[u8], passed: usize) -> Option<usize> {
        if self.digest_bytes().starts_with(digest) {
            let entries = self.encoded(kind, ProtocolVersion::LATEST).len();
            return (passed <= entries).then_some(passed);
        }
        self.earlier.resume(kind, digest, passed, &self.births)
    }

    /// A digest of everything that is listed, the same on every node that offers the same.
    ///
    /// The lower-case hexadecimal SHA-256 of the four lists as the newest revision sees them;
    /// what callbacks list is not part of it.
    #[must_use]
    pub fn digest(&self) -> String {
        self.digest_bytes().iter().fold(String::with_capacity(64), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    pub(crate) fn digest_bytes(&self) -> &Digest {
        self.digest.get_or_init(|| {
            let mut hash = Sha256::new();
            for kind in [ListKind::Tools, ListKind::Resources, ListKind::Templates, ListKind::Prompts] {
                let entries: &Bytes = self.encoded(kind, ProtocolVersion::LATEST).text();
                hash.update((entries.len() as u64).to_be_bytes());
                hash.update(entries);
            }
            hash.finalize().into()
        })
    }
}

fn index<T: Named>(kind: &str, placed: Vec<Placed<T>>, faults: &mut Faults) -> Index<T> {
    let (index, twice) = Index::new(placed);
    for (one, other) in twice {
        faults.add(
            format!("{kind} `{}`", other.key()),
            format!(
                "registered twice, {} and {}; give one of them another name",
                one.origin(),
                other.origin()
            ),
        );
    }
    index
}
