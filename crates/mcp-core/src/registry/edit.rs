//! Changing a catalogue at run time.

use super::{
    Catalogue, DerivedTool, Faults, McpRouter, Placement, PromptBuilder, PromptEntry, ResourceBuilder, Rules,
    StaticEntry, TemplateEntry, ToolBuilder, ToolEntry, Toolbox,
    earlier::Earlier,
    index::{Named, Placed},
    own::FIRST_REGISTERED,
    resource::Compiled,
};
use crate::handler::{Erased, ResourceListing};
use std::sync::Arc;

/// A catalogue being changed; see [`Server::update`](crate::server::Server::update).
///
/// What is added goes to the end of its list. A name that is there already is a fault: remove it first.
#[derive(Debug)]
pub struct CatalogueEdit {
    pub(super) rules: Rules,
    pub(super) tools: Vec<Placed<ToolEntry>>,
    pub(super) resources: Vec<Placed<StaticEntry>>,
    pub(super) templates: Vec<Placed<TemplateEntry>>,
    pub(super) prompts: Vec<Placed<PromptEntry>>,
    pub(super) toolboxes: Vec<Toolbox>,
    /// The number of the next registration.
    pub(super) next: u64,
    pub(super) earlier: Earlier,
    pub(super) listings: Listings,
    pub(super) faults: Faults,
}

/// Callbacks that list resources.
#[derive(Clone, Default)]
pub(crate) struct Listings(pub(crate) Vec<Erased<ResourceListing>>);

impl std::fmt::Debug for Listings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} listings", self.0.len())
    }
}

impl CatalogueEdit {
    /// An empty catalogue held to the rules; `faults` were found before.
    pub(crate) fn new(rules: Rules, faults: Faults) -> Self {
        Self {
            rules,
            tools: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            prompts: Vec::new(),
            toolboxes: Vec::new(),
            next: FIRST_REGISTERED,
            earlier: Earlier::default(),
            listings: Listings::default(),
            faults,
        }
    }

    /// Adds everything a router has, and the faults it carries.
    pub fn router(&mut self, router: McpRouter<()>) -> &mut Self {
        self.faults.extend(router.faults);
        for (name, tool) in router.tools {
            self.tool(name, tool);
        }
        for (uri, resource) in router.resources {
            self.resource(uri, resource);
        }
        for (name, prompt) in router.prompts {
            self.prompt(name, prompt);
        }
        self.toolboxes.extend(router.toolboxes);
        let unit = Arc::new(());
        self.listings.0.extend(router.listings.into_iter().map(|binder| binder(Arc::clone(&unit))));
        self
    }

    /// Adds a tool.
    pub fn tool(&mut self, name: impl Into<Box<str>>, tool: ToolBuilder<()>) -> &mut Self {
        if let Some(entry) = tool.compile(name.into(), &self.rules, &mut self.faults) {
            let placed = self.place(entry);
            self.tools.push(placed);
        }
        self
    }

    /// Adds a tool that is derived from one that is here.
    pub fn derive(&mut self, tool: DerivedTool) -> &mut Self {
        let tools = self.tools.iter().map(|placed| &placed.entry);
        if let Some(derived) = tool.compile(tools, &self.rules, &mut self.faults) {
            if let Some(at) = derived.instead_of {
                self.tools.remove(at);
            }
            let placed = self.place(derived.entry);
            self.tools.push(placed);
        }
        self
    }

    /// Adds a resource or a resource template.
    pub fn resource(&mut self, uri: impl Into<Box<str>>, resource: ResourceBuilder<()>) -> &mut Self {
        match resource.compile(uri.into(), &mut self.faults) {
            Some(Compiled::Static(entry)) => {
                let placed = self.place(entry);
                self.resources.push(placed);
            }
            Some(Compiled::Template(entry)) => {
                let placed = self.place(entry);
                self.templates.push(placed);
            }
            None => {}
        }
        self
    }

    /// Adds a prompt.
    pub fn prompt(&mut self, name: impl Into<Box<str>>, prompt: PromptBuilder<()>) -> &mut Self {
        if let Some(entry) = prompt.compile(name.into(), &self.rules, &mut self.faults) {
            let placed = self.place(entry);
            self.prompts.push(placed);
        }
        self
    }

    /// Adds a toolbox, for tools and prompts that name it
    /// ([`ToolBuilder::in_toolbox`], [`PromptBuilder::in_toolbox`]).
    pub fn toolbox(&mut self, toolbox: Toolbox) -> &mut Self {
        self.toolboxes.push(toolbox);
        self
    }

    /// Removes a toolbox with the tools and prompts that are in it; tells whether it was there.
    pub fn remove_toolbox(&mut self, name: &str) -> bool {
        let before = self.toolboxes.len();
        self.toolboxes.retain(|toolbox| *toolbox.name != *name);
        let stays = |placement: &Placement| placement.toolbox.as_deref() != Some(name);
        self.tools.retain(|placed| stays(&placed.entry.definition.placement));
        self.prompts.retain(|placed| stays(&placed.entry.definition.placement));
        self.toolboxes.len() < before
    }

    /// Removes a tool in all its versions; tells whether it was there.
    pub fn remove_tool(&mut self, name: &str) -> bool {
        remove(&mut self.tools, name)
    }

    /// Removes one version of a tool; tells whether it was there.
    pub fn remove_tool_version(&mut self, name: &str, version: &str) -> bool {
        let before = self.tools.len();
        self.tools.retain(|placed| &*placed.entry.name != name || placed.entry.version() != Some(version));
        self.tools.len() < before
    }

    /// Removes a resource by URI, or a template by its text; tells whether it was there.
    pub fn remove_resource(&mut self, uri: &str) -> bool {
        remove(&mut self.resources, &crate::uri::AbsoluteUri::normalize_lookup(uri))
            || remove(&mut self.templates, uri)
    }

    /// Removes a prompt; tells whether it was there.
    pub fn remove_prompt(&mut self, name: &str) -> bool {
        remove(&mut self.prompts, name)
    }

    fn place<T>(&mut self, entry: Arc<T>) -> Placed<T> {
        let born = self.next;
        self.next += 1;
        Placed { born, entry }
    }

    /// Checks the whole and makes it a catalogue.
    pub(crate) fn finish(self) -> Result<Catalogue, super::BuildFaults> {
        Catalogue::new(self)
    }
}

fn remove<T: Named>(entries: &mut Vec<Placed<T>>, name: &str) -> bool {
    let before = entries.len();
    entries.retain(|placed| placed.entry.key() != name);
    entries.len() < before
}
