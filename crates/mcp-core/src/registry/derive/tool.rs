//! Tools that are derived from others.

use super::{Derivation, DerivedArgument};
use crate::{
    protocol::{Icon, Meta, ToolAnnotations},
    registry::{McpRouter, Root, Step, ToolBuilder, ToolVisibility, VersionLabel, tool::ToolDefinition},
    schema::nearest,
};
use std::cmp::Reverse;

/// Begins a tool that is another one through another surface: the same handler, with other texts and other arguments.
///
/// It is a [`Step`] of a router that has the tool, or given to [`CatalogueEdit::derive`](crate::registry::CatalogueEdit::derive).
/// The tool that it is derived from stays as it is, unless [`in_place`](DerivedTool::in_place) says otherwise, and what
/// is not changed is the same for both: hints, output schema, icons, tags, time, tasks, toolbox. Deriving from a
/// derived tool composes: its arguments are those that the first derivation publishes.
///
/// A call's arguments are checked against what is published, written back, and checked against the original's own
/// schema; then the handler reads them as if the original had been called. A call cannot set what is hidden.
///
/// ```
/// use mcp_core::registry::{McpRouter, derive, tool_args};
/// # let _: McpRouter =
/// McpRouter::new()
///     .tool(
///         "search",
///         tool_args(["query", "api_key", "limit"], |query: String, _key: String, limit: u32| async move {
///             format!("{limit} results for {query}")
///         })
///         .describe("Searches the index (internal)"),
///     )
///     .through(
///         derive("search")
///             .name("public_search")
///             .describe("Searches the public catalogue")
///             .argument("query", |query| query.rename("q").describe("What to search for"))
///             .argument("api_key", |key| key.fixed("s3cret"))
///             .argument("limit", |limit| limit.default(10).at_most(50)),
///     )
/// # ;
/// ```
pub fn derive(tool: impl Into<Box<str>>) -> DerivedTool {
    let derivation = Derivation { of: tool.into(), ..Derivation::default() };
    DerivedTool { derivation, version: None, name: None, place: Place::Beside, looks: Looks::default() }
}

/// A tool on its way that is derived from another; made by [`derive()`].
#[derive(Clone, Debug)]
#[must_use]
pub struct DerivedTool {
    pub(super) derivation: Derivation,
    /// The version that is derived from.
    version: Option<Box<str>>,
    name: Option<Box<str>>,
    pub(super) place: Place,
    pub(super) looks: Looks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// After everything else; the original stays.
    Beside,
    /// Where the original was, which goes.
    Instead,
}

/// What is published beside the arguments, where it differs.
#[derive(Clone, Debug, Default)]
pub(super) struct Looks {
    title: Option<Box<str>>,
    description: Option<Box<str>>,
    annotations: Option<ToolAnnotations>,
    icons: Option<Vec<Icon>>,
    meta: Option<Meta>,
    tags: Vec<Box<str>>,
    root: Option<Root>,
    visibility: Option<ToolVisibility>,
    version: Option<VersionLabel>,
}

impl DerivedTool {
    /// Names the tool.
    pub fn name(mut self, name: impl Into<Box<str>>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Derives from this version of the tool, written as it was registered; from the highest otherwise.
    pub fn of_version(mut self, version: impl Into<Box<str>>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Puts the tool in the place of the one it is derived from, which is offered no longer; of several versions only
    /// the one that is derived from goes. The name stays unless another is given.
    ///
    /// A change at run time puts it at the end of the list, like everything that is new.
    pub fn in_place(mut self) -> Self {
        self.place = Place::Instead;
        self
    }

    /// Sets the name shown to people.
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.looks.title = Some(title.into());
        self
    }

    /// Says what the tool does, for the model that decides when to call it.
    pub fn describe(mut self, description: impl Into<Box<str>>) -> Self {
        self.looks.description = Some(description.into());
        self
    }

    /// Sets all hints at once, in place of those of the original.
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.looks.annotations = Some(annotations);
        self
    }

    /// Adds an icon; the first takes the place of those of the original.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.looks.icons.get_or_insert_default().push(icon);
        self
    }

    /// Sets `_meta`, in place of that of the original.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.looks.meta = Some(meta);
        self
    }

    /// Adds a tag to those of the original; tags stay on the server.
    pub fn tag(mut self, tag: impl Into<Box<str>>) -> Self {
        self.looks.tags.push(tag.into());
        self
    }

    /// Lists the tool even where others are found by search or in toolboxes.
    pub fn root(mut self) -> Self {
        self.looks.root = Some(Root::Yes);
        self
    }

    /// Leaves the tool to search and toolboxes.
    pub fn not_root(mut self) -> Self {
        self.looks.root = Some(Root::No);
        self
    }

    /// Says who may call the tool in hosts that render cards.
    pub fn visibility(mut self, visibility: ToolVisibility) -> Self {
        self.looks.visibility = Some(visibility);
        self
    }

    /// Gives the tool a version of its own, in place of the one it is derived from.
    pub fn tool_version(mut self, version: impl Into<Box<str>>) -> Self {
        self.looks.version = Some(VersionLabel::new(version));
        self
    }

    /// Changes an argument, by the name that it has in the tool that is derived from.
    pub fn argument(
        mut self,
        name: impl Into<Box<str>>,
        change: impl FnOnce(DerivedArgument) -> DerivedArgument,
    ) -> Self {
        self.derivation.arguments.push((name.into(), change(DerivedArgument::new())));
        self
    }

    /// Publishes these arguments first and in this order, by the names that they have in the tool that is derived from;
    /// the others follow in the order they have there.
    pub fn order<N: Into<Box<str>>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.derivation.order = names.into_iter().map(Into::into).collect();
        self
    }

    /// What the tool is called, with what is wrong if it is called nothing.
    pub(super) fn called(&self, of: &str) -> Result<Box<str>, &'static str> {
        match (&self.name, self.place) {
            (Some(name), _) => Ok(name.clone()),
            (None, Place::Instead) => Ok(of.into()),
            (None, Place::Beside) => {
                Err("a derived tool beside its original needs a name; add `.name(\"…\")`, or `.in_place()`")
            }
        }
    }

    pub(super) fn subject(&self) -> String {
        format!("tool `{}`", self.name.as_deref().unwrap_or(&self.derivation.of))
    }

    /// Says that there is nothing to derive from among `known`.
    pub(super) fn nothing_to_derive_from<'k>(
        &self,
        known: impl Iterator<Item = (&'k str, Option<&'k str>)>,
    ) -> String {
        let of = &self.derivation.of;
        let known: Vec<_> = known.collect();
        let versions: Vec<_> =
            known.iter().filter(|(name, _)| *name == &**of).filter_map(|(_, version)| *version).collect();
        if let (Some(version), Some(_)) = (&self.version, known.iter().find(|(name, _)| *name == &**of)) {
            return match versions.as_slice() {
                [] => format!("derived from version `{version}` of `{of}`, which has no versions"),
                some => format!(
                    "derived from version `{version}` of `{of}`, which is not here; there are `{}`",
                    some.join("`, `")
                ),
            };
        }
        let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
        match nearest(of, &names) {
            Some(near) => format!("derived from `{of}`, which is not here; did you mean `{near}`?"),
            None => format!("derived from `{of}`, which is not here; register it before it is derived from"),
        }
    }

    /// The place of the tool that is derived from, among tools given by name and version.
    pub(super) fn place_of<'k>(
        &self,
        known: impl Iterator<Item = (&'k str, Option<&'k VersionLabel>)>,
    ) -> Option<usize> {
        known
            .enumerate()
            .filter(|(_, (name, _))| *name == &*self.derivation.of)
            .filter(|(_, (_, label))| match &self.version {
                Some(wanted) => label.is_some_and(|label| label.as_str() == &**wanted),
                None => true,
            })
            // Of equals, the one that was registered first.
            .min_by_key(|(_, (_, label))| Reverse((*label).cloned()))
            .map(|(at, _)| at)
    }
}

impl Looks {
    pub(super) fn apply(self, definition: &mut ToolDefinition) {
        definition.title = self.title.or(definition.title.take());
        if let Some(description) = self.description {
            definition.description = description;
        }
        if let Some(annotations) = self.annotations {
            definition.annotations = annotations;
        }
        if let Some(icons) = self.icons {
            definition.icons = icons;
        }
        if let Some(meta) = self.meta {
            definition.meta = meta;
        }
        definition.tags.extend(self.tags);
        if let Some(root) = self.root {
            definition.placement.root = root;
        }
        if let Some(visibility) = self.visibility {
            definition.visibility = visibility;
        }
        definition.version = self.version.or(definition.version.take());
    }
}

impl<S: Send + Sync + 'static> Step<S> for DerivedTool {
    fn apply(self, mut router: McpRouter<S>) -> McpRouter<S> {
        let known = |tool: &(Box<str>, ToolBuilder<S>)| tool.1.definition.version.clone();
        let labels: Vec<_> = router.tools.iter().map(known).collect();
        let names = || router.tools.iter().map(|(name, _)| &**name);
        let Some(at) = self.place_of(names().zip(labels.iter().map(Option::as_ref))) else {
            let versions = labels.iter().map(|label| label.as_ref().map(VersionLabel::as_str));
            let problem = self.nothing_to_derive_from(names().zip(versions));
            return router.fault(self.subject(), problem);
        };
        let name = match self.called(&self.derivation.of) {
            Ok(name) => name,
            Err(problem) => return router.fault(self.subject(), problem),
        };
        let Some(mut tool) = router.tools.get(at).map(|(_, tool)| tool.clone()) else { return router };
        self.looks.apply(&mut tool.definition);
        tool.derivations.push(self.derivation);
        match router.tools.get_mut(at).filter(|_| self.place == Place::Instead) {
            Some(place) => *place = (name, tool),
            None => router.tools.push((name, tool)),
        }
        router
    }
}
