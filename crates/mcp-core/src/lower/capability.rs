//! What the server offers, in the shape of each revision.

use crate::{
    json::JsonWriter,
    version::{Feature, ProtocolVersion},
};

/// Whether something is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offer {
    Yes,
    No,
}

impl Offer {
    pub(crate) fn when(condition: bool) -> Self {
        if condition { Self::Yes } else { Self::No }
    }

    pub(crate) fn is_made(self) -> bool {
        self == Self::Yes
    }
}

/// The server's capabilities towards one kind of caller.
#[derive(Clone, Debug)]
pub(crate) struct ServerCapabilities {
    pub(crate) resources: Offer,
    pub(crate) prompts: Offer,
    pub(crate) completions: Offer,
    /// Log messages reach the caller.
    pub(crate) logging: Offer,
    /// Changes of the lists are announced.
    pub(crate) list_changed: Offer,
    /// Updates of single resources are announced.
    pub(crate) subscribe: Offer,
}

impl ServerCapabilities {
    pub(crate) fn write(&self, writer: JsonWriter<'_>, version: ProtocolVersion) {
        let list_changed = self.list_changed.is_made();
        writer.object(|object| {
            object.object("tools", |tools| tools.boolean("listChanged", list_changed));
            if self.resources.is_made() {
                object.object("resources", |resources| {
                    resources.boolean("subscribe", self.subscribe.is_made());
                    resources.boolean("listChanged", list_changed);
                });
            }
            if self.prompts.is_made() {
                object.object("prompts", |prompts| prompts.boolean("listChanged", list_changed));
            }
            if self.completions.is_made() && version.has(Feature::CompletionsCapability) {
                object.object("completions", |_| {});
            }
            if self.logging.is_made() {
                object.object("logging", |_| {});
            }
        });
    }
}
