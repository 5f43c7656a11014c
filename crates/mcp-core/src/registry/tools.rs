//! The tools of a catalogue: one is listed for each name, and the others of that name can be called.

use super::{
    Faults, ToolEntry, VersionLabel,
    index::{Index, Placed},
};
use crate::{json::Node, refusal::Refusal};
use std::{
    borrow::Cow,
    cmp::Reverse,
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// The `_meta` key by which a list entry tells its version, and a call picks one.
pub const TOOL_VERSION: &str = "toolVersion";
/// The `_meta` key by which a list entry tells every version that can be called, highest first.
pub const TOOL_VERSIONS: &str = "toolVersions";

/// The tools of a catalogue.
#[derive(Debug)]
pub(crate) struct Tools {
    /// Every registration, in order.
    all: Vec<Placed<ToolEntry>>,
    /// The highest version of each name, where the first of them was registered.
    named: Index<ToolEntry>,
    /// Those of them that are listed, where the presentation leaves some to search.
    shown: Option<Index<ToolEntry>>,
    /// The versions of the tools that have them, highest first.
    versions: HashMap<Box<str>, Vec<Arc<ToolEntry>>>,
}

impl Tools {
    pub(super) fn new(all: Vec<Placed<ToolEntry>>, faults: &mut Faults) -> Self {
        let mut groups: HashMap<&str, Vec<&Placed<ToolEntry>>> = HashMap::with_capacity(all.len());
        for placed in &all {
            groups.entry(&placed.entry.name).or_default().push(placed);
        }
        let mut versions = HashMap::new();
        let (mut listed, mut seen) = (Vec::with_capacity(groups.len()), HashSet::new());
        for placed in &all {
            let name = &*placed.entry.name;
            let Some(group) = groups.get(name).filter(|_| seen.insert(name)) else { continue };
            let mut entries: Vec<_> = group.iter().map(|placed| &placed.entry).collect();
            entries.sort_by_cached_key(|entry| Reverse(entry.definition.version.clone()));
            note_clashes(name, group, &entries, faults);
            if let Some(highest) = entries.first() {
                listed.push(Placed { born: placed.born, entry: Arc::clone(highest) });
                if highest.definition.version.is_some() {
                    versions.insert(Box::from(name), entries.into_iter().map(Arc::clone).collect());
                }
            }
        }
        let (named, _) = Index::new(listed);
        Self { all, named, shown: None, versions }
    }

    /// The same tools behind others, which have no versions.
    pub(super) fn behind(mut self, first: Vec<Placed<ToolEntry>>) -> Self {
        let named = first.iter().cloned().chain(self.named.placed()).collect();
        self.all.splice(0..0, first);
        Self { named: Index::new(named).0, ..self }
    }

    /// Leaves all but some to search: they can be called, and are not listed.
    pub(super) fn listing_only(self, lists: impl Fn(&Placed<ToolEntry>) -> bool) -> Self {
        let shown = self.named.placed().into_iter().filter(lists).collect();
        Self { shown: Some(Index::new(shown).0), ..self }
    }

    /// Every registration, in order.
    pub(super) fn placed(&self) -> Vec<Placed<ToolEntry>> {
        self.all.clone()
    }

    /// Every version of every tool, once, in the order of registration.
    pub(super) fn registered(&self) -> impl Iterator<Item = &Arc<ToolEntry>> {
        self.all.iter().map(|placed| &placed.entry)
    }

    /// Tells whether some tool, in some version, keeps what is too large of its results as a resource.
    pub(super) fn overflow(&self) -> bool {
        self.all.iter().any(|placed| placed.entry.definition.overflow)
    }

    /// The tools that are listed.
    pub(crate) fn listed(&self) -> &Index<ToolEntry> {
        self.shown.as_ref().unwrap_or(&self.named)
    }

    /// Every tool that can be called by its name alone, listed or not.
    pub(crate) fn named(&self) -> &Index<ToolEntry> {
        &self.named
    }

    /// Every version of every tool.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<ToolEntry>> {
        self.named.entries().iter().chain(self.versions.values().flatten())
    }

    /// The versions of a tool, highest first; empty for a tool without.
    pub(crate) fn versions_of(&self, name: &str) -> &[Arc<ToolEntry>] {
        self.versions.get(name).map_or(&[], Vec::as_slice)
    }

    /// The tool of a name, in the version that is asked for, or the highest.
    ///
    /// # Errors
    /// [`Refusal::UnknownTool`] and [`Refusal::UnknownToolVersion`].
    pub(crate) fn find(&self, name: &str, version: Option<&str>) -> Result<&Arc<ToolEntry>, Refusal> {
        let Some(highest) = self.named.get(name) else { return Err(Refusal::UnknownTool(name.into())) };
        let Some(wanted) = version else { return Ok(highest) };
        let versions = self.versions_of(name);
        let found = versions.iter().find(|entry| entry.version() == Some(wanted));
        found.ok_or_else(|| Refusal::UnknownToolVersion {
            tool: name.into(),
            version: wanted.into(),
            available: versions.iter().filter_map(|entry| entry.version()).map(Box::from).collect(),
        })
    }
}

/// The version of a tool that a call picks in its `_meta`; `None` when it picks none.
///
/// # Errors
/// [`Refusal::InvalidParams`] for what is no string.
pub(crate) fn picked_version<'a>(params: Option<Node<'a>>) -> Result<Option<Cow<'a, str>>, Refusal> {
    let meta = params.and_then(|params| params.get("_meta"));
    match meta.and_then(|meta| meta.get(TOOL_VERSION)).filter(|node| !node.is_null()) {
        None => Ok(None),
        Some(node) => match node.as_str() {
            Some(version) => Ok(Some(version)),
            None => Err(Refusal::InvalidParams(format!("`_meta.{TOOL_VERSION}` must be a string").into())),
        },
    }
}

/// Notes tools of one name between which nothing decides; `group` is in the order of registration, `sorted` by version.
fn note_clashes(name: &str, group: &[&Placed<ToolEntry>], sorted: &[&Arc<ToolEntry>], faults: &mut Faults) {
    let told = |entry: &ToolEntry| match entry.version() {
        Some(version) => format!("{} with version `{version}`", entry.origin),
        None => format!("{} without a version", entry.origin),
    };
    let versioned = sorted.iter().filter(|entry| entry.definition.version.is_some()).count();
    if let [first, .., last] = group
        && versioned < group.len()
    {
        let (one, other) = match versioned {
            0 => (first, last),
            _ => {
                let with = group.iter().find(|placed| placed.entry.version().is_some());
                let without = group.iter().find(|placed| placed.entry.version().is_none());
                (with.unwrap_or(first), without.unwrap_or(last))
            }
        };
        let (one, other) = (told(&one.entry), told(&other.entry));
        faults.add(
            format!("tool `{name}`"),
            format!("registered twice, {one} and {other}; give one of them another name, or each a version"),
        );
        return;
    }
    for pair in sorted.windows(2) {
        if let [one, other] = pair
            && one.definition.version == other.definition.version
        {
            faults.add(
                format!("tool `{name}`"),
                format!(
                    "registered twice, {} and {}, which are equal; give one of them another version",
                    told(one),
                    told(other)
                ),
            );
        }
    }
    if let Some(entry) = sorted.iter().find(|entry| {
        entry.version().is_some()
            && [TOOL_VERSION, TOOL_VERSIONS].iter().any(|key| entry.definition.meta.contains_key(*key))
    }) {
        faults.add(
            format!("tool `{name}`"),
            format!("`_meta` of {} has a key that tells the version; take it out", told(entry)),
        );
    }
}

impl ToolEntry {
    /// The version of the tool as it was written; `None` for a tool without.
    pub(crate) fn version(&self) -> Option<&str> {
        self.definition.version.as_ref().map(VersionLabel::as_str)
    }
}
