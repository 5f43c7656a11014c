//! Toolboxes: tools and prompts that belong together.

use crate::protocol::Icon;

/// A set of tools and prompts that belong together, which a client opens when it needs them.
///
/// See [`McpRouter::toolbox`](super::McpRouter::toolbox).
#[derive(Clone, Debug)]
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

    /// Adds an icon.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }
}
