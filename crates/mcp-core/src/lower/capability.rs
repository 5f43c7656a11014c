//! What the server offers, in the shape of each revision.

use crate::{
    json::{JsonWriter, ObjectWriter},
    protocol::{Extension, Reach},
    version::{Era, Feature, ProtocolVersion},
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

/// Of which lists a caller may hear that they changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListChanges {
    pub(crate) tools: Offer,
    pub(crate) resources: Offer,
    pub(crate) prompts: Offer,
}

impl ListChanges {
    /// The same for every list.
    pub(crate) fn all(offer: Offer) -> Self {
        Self { tools: offer, resources: offer, prompts: offer }
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
    /// Changes of which lists are announced.
    pub(crate) list_changed: ListChanges,
    /// Updates of single resources are announced.
    pub(crate) subscribe: Offer,
    /// Calls of tools may go on as tasks.
    pub(crate) tasks: Offer,
    /// Extensions, each advertised where its reach goes.
    pub(crate) extensions: Vec<Extension>,
}

impl ServerCapabilities {
    pub(crate) fn write(&self, writer: JsonWriter<'_>, version: ProtocolVersion) {
        let ListChanges { tools, resources, prompts } = self.list_changed;
        let announced =
            |object: &mut ObjectWriter<'_>, list: Offer| object.boolean("listChanged", list.is_made());
        writer.object(|object| {
            object.object("tools", |object| announced(object, tools));
            if self.resources.is_made() {
                object.object("resources", |object| {
                    object.boolean("subscribe", self.subscribe.is_made());
                    announced(object, resources);
                });
            }
            if self.prompts.is_made() {
                object.object("prompts", |object| announced(object, prompts));
            }
            if self.completions.is_made() && version.has(Feature::CompletionsCapability) {
                object.object("completions", |_| {});
            }
            if self.logging.is_made() {
                object.object("logging", |_| {});
            }
            if self.tasks.is_made() && version.has(Feature::CoreTasks) {
                object.object("tasks", |tasks| {
                    tasks.object("list", |_| {});
                    tasks.object("cancel", |_| {});
                    tasks.object("requests", |requests| {
                        requests.object("tools", |tools| tools.object("call", |_| {}));
                    });
                });
            }
            self.write_extensions(object, version);
        });
    }

    /// Identifiers and settings. SEP-2133 shows the member in handshakes too, whose schemas leave it open.
    fn write_extensions(&self, object: &mut ObjectWriter<'_>, version: ProtocolVersion) {
        let reaches = |extension: &&Extension| match extension.reach() {
            Reach::Everyone => true,
            Reach::Modern => version.era() == Era::Modern,
        };
        let mut advertised = self.extensions.iter().filter(reaches).peekable();
        if advertised.peek().is_none() {
            return;
        }
        object.object("extensions", |all| {
            for extension in advertised {
                all.object(extension.identifier(), |settings| {
                    for (name, value) in extension.settings() {
                        settings.raw(name, value.to_string());
                    }
                });
            }
        });
    }
}
