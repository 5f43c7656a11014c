//! Where an entry stands when a catalogue is not listed whole.

use super::{PromptEntry, ToolEntry, ToolVisibility};
use crate::protocol::Meta;
use serde_json::Value;

/// Whether an entry is listed where others are found by search or in toolboxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Root {
    /// Nobody said: what hosts need to see in the list is, everything else is not.
    #[default]
    Unsaid,
    /// It is always listed.
    Yes,
    /// It is never listed for its kind alone.
    No,
}

/// Where an entry stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    pub(crate) root: Root,
    /// The toolbox it is in, by name.
    pub(crate) toolbox: Option<Box<str>>,
}

impl Placement {
    /// Tells whether the entry is always listed; `unsaid` is what holds where nobody said.
    fn is_root(&self, unsaid: bool) -> bool {
        match self.root {
            Root::Unsaid => unsaid,
            Root::Yes => true,
            Root::No => false,
        }
    }
}

impl ToolEntry {
    /// Tells whether the tool is always listed: hosts show cards for, and let cards call, what is in their list only.
    pub(crate) fn is_root(&self) -> bool {
        let definition = &self.definition;
        let shown = definition.card.is_some() || has_card(&definition.meta);
        let needed = shown || definition.visibility == ToolVisibility::App;
        definition.placement.is_root(needed)
    }
}

impl PromptEntry {
    /// Tells whether the prompt is always listed.
    pub(crate) fn is_root(&self) -> bool {
        self.definition.placement.is_root(false)
    }
}

/// Tells whether a tool's `_meta` names a card.
///
/// Spec: extension `io.modelcontextprotocol/ui` (SEP-1865), with the key that came before it.
fn has_card(meta: &Meta) -> bool {
    let nested = meta.get("ui").and_then(|ui| ui.get("resourceUri"));
    nested.or_else(|| meta.get("ui/resourceUri")).is_some_and(Value::is_string)
}
