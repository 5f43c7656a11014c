//! Names bound to handlers.

use super::{PromptBuilder, ResourceBuilder, ToolBuilder};
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
        Self { tools: Vec::new(), resources: Vec::new(), prompts: Vec::new(), listings: Vec::new() }
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
