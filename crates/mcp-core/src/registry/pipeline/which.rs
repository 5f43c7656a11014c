//! Which entries of a router a step is about.

use crate::{
    protocol::ToolAnnotations,
    registry::{
        Faults, McpRouter, PromptBuilder, ResourceBuilder, ToolBuilder, ToolVisibility, VersionLabel,
    },
    schema::nearest,
    view::ListedKind,
};
use std::{collections::BTreeSet, fmt, sync::Arc};

/// Judges one entry.
type Predicate = Arc<dyn Fn(&RouterEntry<'_>) -> bool + Send + Sync>;

/// Which entries of a router a step is about.
///
/// A choice is about certain kinds of entry, and a step leaves all others alone: `keep(Which::tools(["find"]))` leaves
/// prompts and resources as they are. A name that is not there is told when the server is built.
#[derive(Clone)]
#[must_use]
pub struct Which(Rule);

#[derive(Clone)]
enum Rule {
    Every,
    Tools(Vec<Box<str>>),
    Prompts(Vec<Box<str>>),
    Resources(Vec<Box<str>>),
    Tagged(Box<str>),
    Matching(Predicate),
    OfKind(Box<Self>, ListedKind),
    Either(Box<Self>, Box<Self>),
}

impl Which {
    /// Every entry of every kind.
    pub fn every() -> Self {
        Self(Rule::Every)
    }

    /// The tools of these names, in all their versions.
    pub fn tools<N: Into<Box<str>>>(names: impl IntoIterator<Item = N>) -> Self {
        Self(Rule::Tools(names.into_iter().map(Into::into).collect()))
    }

    /// The prompts of these names.
    pub fn prompts<N: Into<Box<str>>>(names: impl IntoIterator<Item = N>) -> Self {
        Self(Rule::Prompts(names.into_iter().map(Into::into).collect()))
    }

    /// The resources of these URIs and the templates of these texts, as they were registered.
    pub fn resources<N: Into<Box<str>>>(uris: impl IntoIterator<Item = N>) -> Self {
        Self(Rule::Resources(uris.into_iter().map(Into::into).collect()))
    }

    /// What has this tag, of every kind.
    pub fn tagged(tag: impl Into<Box<str>>) -> Self {
        Self(Rule::Tagged(tag.into()))
    }

    /// What a predicate picks, of every kind.
    pub fn matching(picks: impl Fn(&RouterEntry<'_>) -> bool + Send + Sync + 'static) -> Self {
        Self(Rule::Matching(Arc::new(picks)))
    }

    /// The same, of one kind only.
    pub fn of_kind(self, kind: ListedKind) -> Self {
        Self(Rule::OfKind(Box::new(self.0), kind))
    }

    /// This, and what another choice picks.
    pub fn or(self, other: Self) -> Self {
        Self(Rule::Either(Box::new(self.0), Box::new(other.0)))
    }

    /// Tells whether the choice is about entries of a kind.
    pub(super) fn is_about(&self, kind: ListedKind) -> bool {
        self.0.is_about(kind)
    }

    /// Tells whether an entry is picked.
    pub(super) fn picks(&self, entry: &RouterEntry<'_>) -> bool {
        self.0.picks(entry)
    }

    /// Notes names that are not there; `step` is what asks for them.
    pub(super) fn note_missing<S>(&self, step: &str, router: &McpRouter<S>, faults: &mut Faults) {
        self.0.note_missing(step, router, faults);
    }
}

impl Rule {
    fn is_about(&self, kind: ListedKind) -> bool {
        use ListedKind::{Prompt, Resource, ResourceTemplate, Tool};
        match self {
            Self::Every | Self::Tagged(_) | Self::Matching(_) => true,
            Self::Tools(_) => kind == Tool,
            Self::Prompts(_) => kind == Prompt,
            Self::Resources(_) => matches!(kind, Resource | ResourceTemplate),
            Self::OfKind(rule, only) => kind == *only && rule.is_about(kind),
            Self::Either(one, other) => one.is_about(kind) || other.is_about(kind),
        }
    }

    fn picks(&self, entry: &RouterEntry<'_>) -> bool {
        let named = |names: &[Box<str>]| names.iter().any(|name| **name == *entry.name);
        self.is_about(entry.kind)
            && match self {
                Self::Every => true,
                Self::Tools(names) | Self::Prompts(names) | Self::Resources(names) => named(names),
                Self::Tagged(tag) => entry.has_tag(tag),
                Self::Matching(picks) => picks(entry),
                Self::OfKind(rule, _) => rule.picks(entry),
                Self::Either(one, other) => one.picks(entry) || other.picks(entry),
            }
    }

    fn note_missing<S>(&self, step: &str, router: &McpRouter<S>, faults: &mut Faults) {
        let (kind, names) = match self {
            Self::Tools(names) => ("tool", names),
            Self::Prompts(names) => ("prompt", names),
            Self::Resources(names) => ("resource", names),
            Self::OfKind(rule, _) => return rule.note_missing(step, router, faults),
            Self::Either(one, other) => {
                one.note_missing(step, router, faults);
                return other.note_missing(step, router, faults);
            }
            Self::Every | Self::Tagged(_) | Self::Matching(_) => return,
        };
        let known: Vec<_> = router.entries().filter(|entry| self.is_about(entry.kind)).collect();
        let known: Vec<_> = known.iter().map(|entry| entry.name).collect();
        for name in names.iter().filter(|name| !known.contains(&&***name)) {
            faults.add(format!("{kind} `{name}`"), not_here(step, name, &known));
        }
    }
}

/// Says that a step names what is not there.
pub(super) fn not_here(step: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(near) => format!("`{step}` names it, and it is not here; did you mean `{near}`?"),
        None => format!("`{step}` names it, and it is not here; add it before, or take the name out"),
    }
}

impl fmt::Debug for Which {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Every => formatter.write_str("Every"),
            Self::Tools(names) => formatter.debug_tuple("Tools").field(names).finish(),
            Self::Prompts(names) => formatter.debug_tuple("Prompts").field(names).finish(),
            Self::Resources(uris) => formatter.debug_tuple("Resources").field(uris).finish(),
            Self::Tagged(tag) => formatter.debug_tuple("Tagged").field(tag).finish(),
            Self::Matching(_) => formatter.write_str("Matching"),
            Self::OfKind(rule, kind) => formatter.debug_tuple("OfKind").field(rule).field(kind).finish(),
            Self::Either(one, other) => formatter.debug_tuple("Either").field(one).field(other).finish(),
        }
    }
}

/// An entry of a router, as steps see it.
#[derive(Clone, Copy, Debug)]
pub struct RouterEntry<'r> {
    kind: ListedKind,
    name: &'r str,
    title: Option<&'r str>,
    description: Option<&'r str>,
    tags: &'r BTreeSet<Box<str>>,
    tool: Option<(ToolAnnotations, ToolVisibility, Option<&'r str>)>,
    toolbox: Option<&'r str>,
}

impl<'r> RouterEntry<'r> {
    /// What kind of entry it is.
    #[must_use]
    pub fn kind(&self) -> ListedKind {
        self.kind
    }

    /// The name of the tool or prompt, the URI of the resource, the text of the template.
    #[must_use]
    pub fn name(&self) -> &'r str {
        self.name
    }

    /// The name shown to people.
    #[must_use]
    pub fn title(&self) -> Option<&'r str> {
        self.title
    }

    /// The description, where there is one.
    #[must_use]
    pub fn description(&self) -> Option<&'r str> {
        self.description.filter(|text| !text.is_empty())
    }

    /// The tags.
    pub fn tags(&self) -> impl Iterator<Item = &'r str> + use<'r> {
        self.tags.iter().map(|tag| &**tag)
    }

    /// Tells whether the entry has a tag.
    #[must_use]
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.contains(tag)
    }

    /// The hints of a tool; of everything else there are none.
    #[must_use]
    pub fn annotations(&self) -> ToolAnnotations {
        self.tool.map(|(annotations, ..)| annotations).unwrap_or_default()
    }

    /// Who may call a tool; `None` for everything else.
    #[must_use]
    pub fn visibility(&self) -> Option<ToolVisibility> {
        self.tool.map(|(_, visibility, _)| visibility)
    }

    /// The version of a tool, where it has one.
    #[must_use]
    pub fn version(&self) -> Option<&'r str> {
        self.tool.and_then(|(.., version)| version)
    }

    /// The toolbox that a tool or prompt is in, by name.
    #[must_use]
    pub fn toolbox(&self) -> Option<&'r str> {
        self.toolbox
    }
}

impl<S> McpRouter<S> {
    /// What is here: tools, then resources and templates, then prompts, each in the order they were registered.
    ///
    /// What callbacks list is not known here.
    pub fn entries(&self) -> impl Iterator<Item = RouterEntry<'_>> {
        let tools = self.tools.iter().map(|(name, tool)| RouterEntry::of_tool(name, tool));
        let resources = self.resources.iter().map(|(uri, resource)| RouterEntry::of_resource(uri, resource));
        let prompts = self.prompts.iter().map(|(name, prompt)| RouterEntry::of_prompt(name, prompt));
        tools.chain(resources).chain(prompts)
    }
}

impl<'r> RouterEntry<'r> {
    pub(super) fn of_tool<S>(name: &'r str, tool: &'r ToolBuilder<S>) -> Self {
        let definition = &tool.definition;
        let version = definition.version.as_ref().map(VersionLabel::as_str);
        Self {
            kind: ListedKind::Tool,
            name,
            title: definition.title.as_deref(),
            description: Some(&definition.description),
            tags: &definition.tags,
            tool: Some((definition.annotations, definition.visibility, version)),
            toolbox: definition.placement.toolbox.as_deref(),
        }
    }

    pub(super) fn of_resource<S>(uri: &'r str, resource: &'r ResourceBuilder<S>) -> Self {
        let definition = &resource.definition;
        let is_template = uri.contains('{');
        Self {
            kind: if is_template { ListedKind::ResourceTemplate } else { ListedKind::Resource },
            name: uri,
            title: definition.title.as_deref(),
            description: definition.description.as_deref(),
            tags: &definition.tags,
            tool: None,
            toolbox: None,
        }
    }

    pub(super) fn of_prompt<S>(name: &'r str, prompt: &'r PromptBuilder<S>) -> Self {
        let definition = &prompt.definition;
        Self {
            kind: ListedKind::Prompt,
            name,
            title: definition.title.as_deref(),
            description: definition.description.as_deref(),
            tags: &definition.tags,
            tool: None,
            toolbox: definition.placement.toolbox.as_deref(),
        }
    }
}
