//! Toolboxes: tools and prompts that belong together.

use super::{Faults, Placement, PromptEntry, ToolEntry, check_icons, index::Placed};
use crate::protocol::Icon;
use std::collections::BTreeSet;

/// The longest name of a toolbox, in bytes.
const MAX_NAME_BYTES: usize = 128;

/// A set of tools and prompts that belong together, which a client opens when it needs them.
///
/// See [`McpRouter::toolbox`](super::McpRouter::toolbox).
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Toolbox {
    pub(crate) name: Box<str>,
    pub(crate) description: Box<str>,
    pub(crate) icons: Vec<Icon>,
}

impl Toolbox {
    /// A toolbox of a name that is unique in its server, with what a model reads to decide whether to open it.
    pub fn new(name: impl Into<Box<str>>, description: impl Into<Box<str>>) -> Self {
        Self { name: name.into(), description: description.into(), icons: Vec::new() }
    }

    /// Adds an icon, for hosts; `list_toolboxes` does not tell it, since it speaks to models.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }
}

/// Refuses toolboxes that nobody could open, and entries in toolboxes that there are not.
pub(super) fn check_toolboxes(
    toolboxes: &[Toolbox],
    tools: &[Placed<ToolEntry>],
    prompts: &[Placed<PromptEntry>],
    faults: &mut Faults,
) {
    let mut names = BTreeSet::new();
    for toolbox in toolboxes {
        let subject = format!("toolbox `{}`", toolbox.name);
        if toolbox.name.trim().is_empty() {
            faults.add(&*subject, "a toolbox needs a name");
        } else if toolbox.name.len() > MAX_NAME_BYTES || toolbox.name.chars().any(char::is_control) {
            faults.add(
                &*subject,
                format!("the name has more than {MAX_NAME_BYTES} bytes, or control characters"),
            );
        }
        if toolbox.description.trim().is_empty() {
            faults.add(&*subject, "a toolbox needs a description, by which a model decides to open it");
        }
        check_icons(&subject, &toolbox.icons, faults);
        if !names.insert(&*toolbox.name) {
            faults.add(&*subject, "there are two of this name; give one of them another name");
        }
    }
    let mut check = |kind: &str, name: &str, placement: &Placement| {
        if let Some(toolbox) = placement.toolbox.as_deref().filter(|toolbox| !names.contains(toolbox)) {
            let problem = format!(
                "it is in the toolbox `{toolbox}`, which there is not; add it with `McpRouter::toolbox`"
            );
            faults.add(format!("{kind} `{name}`"), problem);
        }
    };
    for Placed { entry, .. } in tools {
        check("tool", &entry.name, &entry.definition.placement);
    }
    for Placed { entry, .. } in prompts {
        check("prompt", &entry.name, &entry.definition.placement);
    }
}
