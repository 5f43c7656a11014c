//! Names bound to handlers.

use super::{Faults, PromptBuilder, ResourceBuilder, Step, ToolBuilder, Toolbox, origin::in_namespace};
use crate::handler::{Binder, Handler, ResourceListing, bind};
use std::{fmt, sync::Arc};

/// Tools, resources and prompts of an application with state `S`, in registration order.
///
/// Nothing is checked before the server is built; then everything is, at once.
#[must_use]
pub struct McpRouter<S = ()> {
    pub(crate) tools: Vec<(Box<str>, ToolBuilder<S>)>,
    pub(crate) resources: Vec<(Box<str>, ResourceBuilder<S>)>,
    pub(crate) prompts: Vec<(Box<str>, PromptBuilder<S>)>,
    pub(crate) listings: Vec<Binder<ResourceListing, S>>,
    pub(crate) toolboxes: Vec<Toolbox>,
    pub(crate) faults: Faults,
}

impl<S: Send + Sync + 'static> McpRouter<S> {
    /// A router without anything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool.
    pub fn tool(mut self, name: impl Into<Box<str>>, tool: ToolBuilder<S>) -> Self {
        self.tools.push((name.into(), tool));
        self
    }

    /// Adds a resource by absolute URI, or a family of resources by URI template (RFC 6570), such as
    /// `notes://{id}`, `docs://{+path}`, `search://{query}{?page,sort}`.
    ///
    /// A static URI is found before a template, the more specific template before the less specific
    /// one, and among equals the one registered first.
    pub fn resource(mut self, uri: impl Into<Box<str>>, resource: ResourceBuilder<S>) -> Self {
        self.resources.push((uri.into(), resource));
        self
    }

    /// Adds a prompt.
    pub fn prompt(mut self, name: impl Into<Box<str>>, prompt: PromptBuilder<S>) -> Self {
        self.prompts.push((name.into(), prompt));
        self
    }

    /// Lists further resources by a callback, after the static ones: a collection that changes.
    ///
    /// The callback only lists; reading goes through a resource or template registered for the URIs.
    pub fn list_resources<P, H: Handler<ResourceListing, S, P>>(mut self, listing: H) -> Self {
        self.listings.push(bind(listing));
        self
    }

    /// Adds everything another router has, after what is here.
    pub fn merge(mut self, other: Self) -> Self {
        self.tools.extend(other.tools);
        self.resources.extend(other.resources);
        self.prompts.extend(other.prompts);
        self.listings.extend(other.listings);
        self.toolboxes.extend(other.toolboxes);
        self.faults.extend(other.faults);
        self
    }

    /// Adds everything another router has, after what is here, under a namespace: its tool `find` becomes
    /// `docs_find` in the namespace `docs`, and so do prompts, with their completers.
    ///
    /// URIs stay as they are: a resource is the same resource wherever its router is put, its handlers, templates and
    /// the links in their results go on using its URI, and a scheme of its own is the namespace of a router's
    /// resources. Two resources of one URI are a fault when the server is built, like two tools of one name, and it
    /// names both namespaces.
    ///
    /// Namespaces nest: what is in `b` of a router that is put under `a` is in `a_b`. An empty one leaves all names as
    /// they are.
    ///
    /// ```
    /// use mcp_core::registry::{McpRouter, tool};
    /// # let invoice = || async { "paid" };
    /// let billing = McpRouter::<()>::new().tool("invoice", tool(invoice).describe("Tells of an invoice"));
    /// let router = McpRouter::new().nest("billing", billing); // `billing_invoice`
    /// # let _ = router;
    /// ```
    pub fn nest(self, namespace: &str, other: Self) -> Self {
        self.merge(other.within(namespace))
    }

    /// Says what everything here is made from, such as the service it speaks for, for the faults about names that two
    /// routers have. What was said before of a part of it holds.
    pub fn source(mut self, name: &str) -> Self {
        let origins = (self.tools.iter_mut().map(|(_, tool)| &mut tool.origin))
            .chain(self.resources.iter_mut().map(|(_, resource)| &mut resource.origin))
            .chain(self.prompts.iter_mut().map(|(_, prompt)| &mut prompt.origin));
        for origin in origins {
            *origin = std::mem::take(origin).of_source(name);
        }
        self
    }

    /// Puts everything here under a namespace.
    fn within(mut self, namespace: &str) -> Self {
        for (name, tool) in &mut self.tools {
            *name = in_namespace(namespace, name);
            tool.origin = std::mem::take(&mut tool.origin).under(namespace);
        }
        for (name, prompt) in &mut self.prompts {
            *name = in_namespace(namespace, name);
            prompt.origin = std::mem::take(&mut prompt.origin).under(namespace);
        }
        for (_, resource) in &mut self.resources {
            resource.origin = std::mem::take(&mut resource.origin).under(namespace);
        }
        self
    }

    /// Takes what is here through a step of a pipeline: a selection, a renaming, a derived tool, or one of your own.
    pub fn through(self, step: impl Step<S>) -> Self {
        step.apply(self)
    }

    /// Adds a tag to everything here; tags stay on the server.
    ///
    /// What a callback lists has no tags.
    pub fn tag(mut self, tag: &str) -> Self {
        self.tools = self.tools.into_iter().map(|(name, tool)| (name, tool.tag(tag))).collect();
        self.resources = self.resources.into_iter().map(|(uri, resource)| (uri, resource.tag(tag))).collect();
        self.prompts = self.prompts.into_iter().map(|(name, prompt)| (name, prompt.tag(tag))).collect();
        self
    }

    /// Puts the tools and prompts that are here into a toolbox, but for those that are in one already.
    ///
    /// Without effect unless the server presents its catalogue in toolboxes. The name stays as it is when the router is
    /// put under a namespace; two toolboxes of one name are a fault when the server is built.
    pub fn toolbox(mut self, toolbox: Toolbox) -> Self {
        let placements = (self.tools.iter_mut().map(|(_, tool)| &mut tool.definition.placement))
            .chain(self.prompts.iter_mut().map(|(_, prompt)| &mut prompt.definition.placement));
        for placement in placements {
            placement.toolbox.get_or_insert_with(|| toolbox.name.clone());
        }
        self.toolboxes.push(toolbox);
        self
    }

    /// Tells whether there is a tool or a prompt.
    #[must_use]
    pub fn has_tools_or_prompts(&self) -> bool {
        !self.tools.is_empty() || !self.prompts.is_empty()
    }

    /// Notes something that is wrong with what the router was made from: no server can be built with it.
    ///
    /// For what makes or changes routers. The fault is told with all others when a server is built, or refuses a
    /// change at run time. `subject` is what it concerns, such as ``tool `add` ``; `problem` says what is wrong, and
    /// what to write instead.
    ///
    /// ```
    /// use mcp_core::registry::McpRouter;
    /// let router = McpRouter::<()>::new().fault("step `keep`", "there is no tool `fnid`; did you mean `find`?");
    /// # let _ = router;
    /// ```
    pub fn fault(mut self, subject: impl Into<Box<str>>, problem: impl fmt::Display) -> Self {
        self.faults.add(subject, problem);
        self
    }

    /// Gives the handlers their state.
    pub fn with_state(self, state: S) -> McpRouter<()> {
        let state = Arc::new(state);
        McpRouter {
            tools: self.tools.into_iter().map(|(name, tool)| (name, tool.with_state(&state))).collect(),
            resources: self
                .resources
                .into_iter()
                .map(|(uri, resource)| (uri, resource.with_state(&state)))
                .collect(),
            toolboxes: self.toolboxes,
            faults: self.faults,
            prompts: self
                .prompts
                .into_iter()
                .map(|(name, prompt)| (name, prompt.with_state(&state)))
                .collect(),
            listings: self
                .listings
                .into_iter()
                .map(|binder| {
                    let listing = binder(Arc::clone(&state));
                    let bound: Binder<ResourceListing, ()> = Box::new(move |_| listing);
                    bound
                })
                .collect(),
        }
    }
}

impl<S> Default for McpRouter<S> {
    fn default() -> Self {
        Self {
            tools: Vec::new(),
            resources: Vec::new(),
            prompts: Vec::new(),
            listings: Vec::new(),
            toolboxes: Vec::new(),
            faults: Faults::default(),
        }
    }
}

impl<S> fmt::Debug for McpRouter<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("McpRouter")
            .field("tools", &self.tools.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .field("resources", &self.resources.iter().map(|(uri, _)| uri).collect::<Vec<_>>())
            .field("prompts", &self.prompts.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .field("listings", &self.listings.len())
            .finish()
    }
}
