//! The names of the five tools, which are taken.

use super::Toolboxes;

pub(super) const LIST_TOOLBOXES: &str = "list_toolboxes";
pub(super) const OPEN_TOOLBOX: &str = "open_toolbox";
pub(super) const CLOSE_TOOLBOX: &str = "close_toolbox";
pub(super) const CALL_READ_ONLY: &str = "call_read_only";
pub(super) const CALL_TOOL: &str = "call_tool";

impl Toolboxes {
    /// Tells whether a tool is one of a server's own.
    pub(super) fn owns(&self, name: &str) -> bool {
        [LIST_TOOLBOXES, OPEN_TOOLBOX, CLOSE_TOOLBOX].contains(&name)
            || (self.has_proxies() && [CALL_READ_ONLY, CALL_TOOL].contains(&name))
    }
}
