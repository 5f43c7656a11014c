//! Steps that change many entries at once.

use super::{Step, Which, keep::note_missing, which::RouterEntry};
use crate::{
    registry::{McpRouter, PromptBuilder, ResourceBuilder, ToolBuilder, Toolbox},
    view::ListedKind,
};
use std::fmt;

/// Changes the chosen tools, each given with its name: hints, texts, tags, time, visibility, whether they are root.
///
/// ```
/// use mcp_core::registry::{McpRouter, Which, change_tools};
/// let router = McpRouter::<()>::new()
///     .through(change_tools(Which::tagged("reports"), |_, tool| tool.read_only().closed_world()));
/// # let _ = router;
/// ```
pub fn change_tools<S>(
    which: Which,
    change: impl FnMut(&str, ToolBuilder<S>) -> ToolBuilder<S> + Send + 'static,
) -> Change<ToolBuilder<S>> {
    Change { which, change: Box::new(change) }
}

/// Changes the chosen prompts, each given with its name.
pub fn change_prompts<S>(
    which: Which,
    change: impl FnMut(&str, PromptBuilder<S>) -> PromptBuilder<S> + Send + 'static,
) -> Change<PromptBuilder<S>> {
    Change { which, change: Box::new(change) }
}

/// Changes the chosen resources and templates, each given with its URI or text.
pub fn change_resources<S>(
    which: Which,
    change: impl FnMut(&str, ResourceBuilder<S>) -> ResourceBuilder<S> + Send + 'static,
) -> Change<ResourceBuilder<S>> {
    Change { which, change: Box::new(change) }
}

/// Adds a tag to what is chosen; tags stay on the server.
pub fn add_tag(tag: impl Into<Box<str>>, which: Which) -> AddTag {
    AddTag { tag: tag.into(), which }
}

/// Puts the chosen tools and prompts into a toolbox, whichever they were in before; several steps may fill one.
pub fn into_toolbox(toolbox: Toolbox, which: Which) -> IntoToolbox {
    IntoToolbox { toolbox, which }
}

/// Changes an entry that is given with its name.
type Changing<B> = Box<dyn FnMut(&str, B) -> B + Send>;

/// The step that [`change_tools`], [`change_prompts`] and [`change_resources`] make.
#[must_use]
pub struct Change<B> {
    which: Which,
    change: Changing<B>,
}

impl<B> Change<B> {
    fn run(&mut self, entries: Vec<(Box<str>, B)>, view: impl Fn(&str, &B) -> bool) -> Vec<(Box<str>, B)> {
        (entries.into_iter())
            .map(|(name, entry)| match view(&name, &entry) {
                true => {
                    let changed = (self.change)(&name, entry);
                    (name, changed)
                }
                false => (name, entry),
            })
            .collect()
    }
}

impl<S> Step<S> for Change<ToolBuilder<S>> {
    fn apply(mut self, mut router: McpRouter<S>) -> McpRouter<S> {
        let (step, kinds) = ("change_tools", [ListedKind::Tool]);
        note_idle(&self.which, step, &kinds, &mut router);
        let (which, tools) = (self.which.clone(), std::mem::take(&mut router.tools));
        router.tools = self.run(tools, |name, tool| which.picks(&RouterEntry::of_tool(name, tool)));
        router
    }
}

impl<S> Step<S> for Change<PromptBuilder<S>> {
    fn apply(mut self, mut router: McpRouter<S>) -> McpRouter<S> {
        note_idle(&self.which, "change_prompts", &[ListedKind::Prompt], &mut router);
        let (which, prompts) = (self.which.clone(), std::mem::take(&mut router.prompts));
        router.prompts = self.run(prompts, |name, prompt| which.picks(&RouterEntry::of_prompt(name, prompt)));
        router
    }
}

impl<S> Step<S> for Change<ResourceBuilder<S>> {
    fn apply(mut self, mut router: McpRouter<S>) -> McpRouter<S> {
        let kinds = [ListedKind::Resource, ListedKind::ResourceTemplate];
        note_idle(&self.which, "change_resources", &kinds, &mut router);
        let (which, resources) = (self.which.clone(), std::mem::take(&mut router.resources));
        router.resources =
            self.run(resources, |uri, resource| which.picks(&RouterEntry::of_resource(uri, resource)));
        router
    }
}

/// The step that [`add_tag`] makes.
#[derive(Clone, Debug)]
#[must_use]
pub struct AddTag {
    tag: Box<str>,
    which: Which,
}

impl<S> Step<S> for AddTag {
    fn apply(self, mut router: McpRouter<S>) -> McpRouter<S> {
        note_missing(&self.which, "add_tag", &mut router);
        let Self { tag, which } = self;
        for (name, tool) in &mut router.tools {
            if which.picks(&RouterEntry::of_tool(name, tool)) {
                tool.definition.tags.insert(tag.clone());
            }
        }
        for (uri, resource) in &mut router.resources {
            if which.picks(&RouterEntry::of_resource(uri, resource)) {
                resource.definition.tags.insert(tag.clone());
            }
        }
        for (name, prompt) in &mut router.prompts {
            if which.picks(&RouterEntry::of_prompt(name, prompt)) {
                prompt.definition.tags.insert(tag.clone());
            }
        }
        router
    }
}

/// The step that [`into_toolbox`] makes.
#[derive(Clone, Debug)]
#[must_use]
pub struct IntoToolbox {
    toolbox: Toolbox,
    which: Which,
}

impl<S> Step<S> for IntoToolbox {
    fn apply(self, mut router: McpRouter<S>) -> McpRouter<S> {
        let Self { toolbox, which } = self;
        note_idle(&which, "into_toolbox", &[ListedKind::Tool, ListedKind::Prompt], &mut router);
        for (name, tool) in &mut router.tools {
            if which.picks(&RouterEntry::of_tool(name, tool)) {
                tool.definition.placement.toolbox = Some(toolbox.name.clone());
            }
        }
        for (name, prompt) in &mut router.prompts {
            if which.picks(&RouterEntry::of_prompt(name, prompt)) {
                prompt.definition.placement.toolbox = Some(toolbox.name.clone());
            }
        }
        // Several steps may fill one box; two boxes of one name are told when the server is built.
        let there = router.toolboxes.contains(&toolbox);
        if !there {
            router.toolboxes.push(toolbox);
        }
        router
    }
}

/// Notes names that are not there, and a choice of entries that the step does not touch at all.
fn note_idle<S>(which: &Which, step: &str, kinds: &[ListedKind], router: &mut McpRouter<S>) {
    note_missing(which, step, router);
    if !kinds.iter().any(|kind| which.is_about(*kind)) {
        router.faults.add(
            format!("step `{step}`"),
            format!("{which:?} chooses entries of other kinds, so it would change nothing"),
        );
    }
}

impl<B> fmt::Debug for Change<B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Change").field("which", &self.which).finish_non_exhaustive()
    }
}
