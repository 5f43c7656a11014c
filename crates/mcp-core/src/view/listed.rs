//! One entry of a list, as policies see it.

use crate::{
    lower::ListKind,
    protocol::{Meta, Resource, ToolAnnotations},
    registry::{Catalogue, Named as _, PromptEntry, StaticEntry, TemplateEntry, ToolEntry},
    uri::AbsoluteUri,
};
use std::{borrow::Cow, collections::BTreeSet, fmt, sync::Arc};

/// What kind of entry it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the specification has these four lists")]
pub enum ListedKind {
    /// A tool.
    Tool,
    /// A resource of one URI.
    Resource,
    /// A resource template.
    ResourceTemplate,
    /// A prompt.
    Prompt,
}

/// An entry that may be listed; cloning is cheap.
#[derive(Clone)]
pub struct Listed(Entry);

#[derive(Clone)]
enum Entry {
    Tool(Arc<ToolEntry>),
    Resource(Arc<StaticEntry>),
    Template(Arc<TemplateEntry>),
    Prompt(Arc<PromptEntry>),
    /// A resource that a callback lists.
    FromCallback(Arc<Resource>),
}

impl Listed {
    /// The entry at a place in one of the lists of a catalogue.
    pub(crate) fn at(catalogue: &Catalogue, kind: ListKind, place: usize) -> Option<Self> {
        Some(Self(match kind {
            ListKind::Tools => Entry::Tool(Arc::clone(catalogue.listed_tools().get(place)?)),
            ListKind::Resources => Entry::Resource(Arc::clone(catalogue.static_resources().get(place)?)),
            ListKind::Templates => Entry::Template(Arc::clone(catalogue.templates().get(place)?)),
            ListKind::Prompts => Entry::Prompt(Arc::clone(catalogue.prompts().get(place)?)),
        }))
    }

    /// A tool, listed or left to search.
    pub(crate) fn of_tool(entry: Arc<ToolEntry>) -> Self {
        Self(Entry::Tool(entry))
    }

    /// A resource that a callback lists.
    pub(crate) fn from_callback(resource: Arc<Resource>) -> Self {
        Self(Entry::FromCallback(resource))
    }

    /// The toolbox that it is in, by name.
    pub(crate) fn toolbox(&self) -> Option<&str> {
        match &self.0 {
            Entry::Tool(entry) => entry.definition.placement.toolbox.as_deref(),
            Entry::Prompt(entry) => entry.definition.placement.toolbox.as_deref(),
            Entry::Resource(_) | Entry::Template(_) | Entry::FromCallback(_) => None,
        }
    }

    /// Tells whether it is always listed, even from a toolbox that is closed.
    pub(crate) fn is_root(&self) -> bool {
        match &self.0 {
            Entry::Tool(entry) => entry.is_root(),
            Entry::Prompt(entry) => entry.is_root(),
            Entry::Resource(_) | Entry::Template(_) | Entry::FromCallback(_) => true,
        }
    }

    /// What kind of entry it is.
    #[must_use]
    pub fn kind(&self) -> ListedKind {
        match &self.0 {
            Entry::Tool(_) => ListedKind::Tool,
            Entry::Resource(_) | Entry::FromCallback(_) => ListedKind::Resource,
            Entry::Template(_) => ListedKind::ResourceTemplate,
            Entry::Prompt(_) => ListedKind::Prompt,
        }
    }

    /// The name of the tool or prompt, the URI of the resource, the text of the template.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.0 {
            Entry::Tool(entry) => &entry.name,
            Entry::Resource(entry) => &entry.resource.uri,
            Entry::Template(entry) => entry.template.as_str(),
            Entry::Prompt(entry) => &entry.name,
            Entry::FromCallback(resource) => &resource.uri,
        }
    }

    /// The form of the name by which two spellings of one URI are the same.
    pub(crate) fn key(&self) -> Cow<'_, str> {
        match &self.0 {
            Entry::Resource(entry) => Cow::Borrowed(entry.key()),
            Entry::FromCallback(resource) => AbsoluteUri::normalize_lookup(&resource.uri),
            _ => Cow::Borrowed(self.name()),
        }
    }

    /// The name shown to people.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        match &self.0 {
            Entry::Tool(entry) => entry.definition.title.as_deref(),
            Entry::Resource(entry) => entry.resource.title.as_deref(),
            Entry::Template(entry) => entry.definition.title.as_deref(),
            Entry::Prompt(entry) => entry.definition.title.as_deref(),
            Entry::FromCallback(resource) => resource.title.as_deref(),
        }
    }

    /// The description; a tool always has one.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        match &self.0 {
            Entry::Tool(entry) => Some(&entry.definition.description),
            Entry::Resource(entry) => entry.resource.description.as_deref(),
            Entry::Template(entry) => entry.definition.description.as_deref(),
            Entry::Prompt(entry) => entry.definition.description.as_deref(),
            Entry::FromCallback(resource) => resource.description.as_deref(),
        }
    }

    /// The version of the tool that is listed; `None` for a tool without versions, and for everything else.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        match &self.0 {
            Entry::Tool(entry) => entry.version(),
            _ => None,
        }
    }

    /// The hints about a tool; `None` for everything else.
    #[must_use]
    pub fn annotations(&self) -> Option<&ToolAnnotations> {
        match &self.0 {
            Entry::Tool(entry) => Some(&entry.definition.annotations),
            _ => None,
        }
    }

    /// The media type of the resource or template, when one is declared.
    #[must_use]
    pub fn mime_type(&self) -> Option<&str> {
        match &self.0 {
            Entry::Resource(entry) => entry.resource.mime_type.as_deref(),
            Entry::Template(entry) => entry.definition.mime_type.as_deref(),
            Entry::FromCallback(resource) => resource.mime_type.as_deref(),
            Entry::Tool(_) | Entry::Prompt(_) => None,
        }
    }

    /// Its `_meta`.
    #[must_use]
    pub fn meta(&self) -> &Meta {
        match &self.0 {
            Entry::Tool(entry) => &entry.definition.meta,
            Entry::Resource(entry) => &entry.resource.meta,
            Entry::Template(entry) => &entry.definition.meta,
            Entry::Prompt(entry) => &entry.definition.meta,
            Entry::FromCallback(resource) => &resource.meta,
        }
    }

    /// Its tags, in alphabetical order; what a callback lists has none.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.tag_set().into_iter().flatten().map(|tag| &**tag)
    }

    /// Tells whether it has a tag.
    #[must_use]
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tag_set().is_some_and(|tags| tags.contains(tag))
    }

    fn tag_set(&self) -> Option<&BTreeSet<Box<str>>> {
        match &self.0 {
            Entry::Tool(entry) => Some(&entry.definition.tags),
            Entry::Resource(entry) => Some(&entry.tags),
            Entry::Template(entry) => Some(&entry.definition.tags),
            Entry::Prompt(entry) => Some(&entry.definition.tags),
            Entry::FromCallback(_) => None,
        }
    }
}

impl fmt::Debug for Listed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Listed").field("kind", &self.kind()).field("name", &self.name()).finish()
    }
}
