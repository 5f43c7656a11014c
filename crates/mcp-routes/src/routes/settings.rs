//! What routes say of themselves as a group.

use super::{Instructions, Routes};
use crate::{
    call::ResultForm,
    describe::DescribedHandler,
    expose::{Rooted, Shown},
};
use mcp_core::{
    protocol::{Icon, ToolAnnotations},
    registry::ToolVisibility,
};

/// A route's own settings stand above those of its group, and a group's above those of the group it is in.
impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// Names the group: tools and prompts are called `<group>_<operation>`, and a toolbox is called so.
    pub fn name(mut self, name: impl Into<Box<str>>) -> Self {
        self.group.name = Some(name.into());
        self
    }

    /// Sets the name shown to people where the group is an endpoint.
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.group.title = Some(title.into());
        self
    }

    /// Says what the group is for: to models that decide whether to open its toolbox, and as the instructions of its
    /// own endpoint.
    pub fn describe(mut self, description: impl Into<Box<str>>) -> Self {
        self.group.description = Some(description.into());
        self
    }

    /// Adds an icon, for the group and for those of its items that have none of their own.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.group.shared.icons.push(icon);
        self
    }

    /// Adds a tag to all items; tags stay on the server.
    pub fn tag(mut self, tag: impl Into<Box<str>>) -> Self {
        self.group.shared.tags.push(tag.into());
        self
    }

    /// Declares what the tools do, in place of all that their methods say.
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.group.shared.annotations = Some(annotations);
        self
    }

    /// Returns responses as one object of status, header fields and body.
    pub fn envelope(mut self) -> Self {
        self.group.shared.form = Some(ResultForm::Envelope);
        self
    }

    /// Returns the bodies of responses, where the group it is in returns envelopes.
    pub fn body_only(mut self) -> Self {
        self.group.shared.form = Some(ResultForm::Body);
        self
    }

    /// Says who may call the tools in hosts that render cards.
    pub fn visibility(mut self, visibility: ToolVisibility) -> Self {
        self.group.shared.visibility = Some(visibility);
        self
    }

    /// Lists all items even where others are found by search or in toolboxes.
    pub fn root(mut self) -> Self {
        self.group.shared.root = Some(Rooted::Yes);
        self
    }

    /// Keeps all items from agents.
    pub fn hide(mut self) -> Self {
        self.group.shared.shown = Some(Shown::No);
        self
    }

    /// Shows the items to agents: those of a group with an endpoint of its own in the main server, too.
    pub fn show(mut self) -> Self {
        self.group.shared.shown = Some(Shown::Yes);
        self
    }

    /// Serves the group as an MCP endpoint of its own, `<base>/mcp`.
    ///
    /// The path parameters of its base are bound by the URL that a client connects to: they are no arguments there.
    /// Its items are hidden from the main server, unless it says [`show`](Self::show).
    pub fn endpoint(self) -> Self {
        self.endpoint_at("/mcp")
    }

    /// Serves the group as an MCP endpoint of its own, at a path below its base.
    pub fn endpoint_at(mut self, path: impl Into<Box<str>>) -> Self {
        self.group.endpoint = Some(path.into());
        self
    }

    /// Tells models how to use the group's own endpoint, in place of its description.
    pub fn instructions(mut self, text: impl Into<Box<str>>) -> Self {
        self.group.instructions = Instructions::Text(text.into());
        self
    }

    /// Tells models how to use the group's own endpoint by the response of an axum handler, which runs when a client
    /// connects: under the layers that are applied to the group afterwards, with the parameters of the URL.
    ///
    /// A status of 400 and above refuses the client; 401 challenges it, where clients authenticate.
    pub fn instructions_from<H, T>(mut self, handler: H) -> Self
    where
        H: DescribedHandler<T, S>,
        T: 'static,
    {
        let path = self.hidden(handler);
        self.group.instructions = Instructions::Route(path.into());
        self
    }
}
