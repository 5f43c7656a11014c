//! Cards: pages that hosts show beside the results of tools, and what tools and resources say about them.
//!
//! A card is a resource with a URI `ui://…` and the media type [`CARD_MIME_TYPE`]. A tool names it with
//! [`ToolBuilder::card`](crate::registry::ToolBuilder::card); its host reads the card with `resources/read`, shows it in
//! a sandbox, and gives it the arguments and the result of the call. What the sandbox lets it do is in its
//! [`CardSettings`]. Hosts that know no cards show the result as they always did.
//!
//! Everything about it is in `_meta`, of tools, resources and contents, in every revision; the extension is advertised
//! only where some tool or resource has to do with cards.
//!
//! Spec: extension `io.modelcontextprotocol/ui` (MCP Apps, SEP-1865), revision 2026-01-26.

mod check;
mod csp;
mod fault;
mod of_resource;
mod of_tool;
mod permission;
mod read;
mod settings;
mod source;
#[cfg(test)]
mod tests;

pub use csp::CardCsp;
pub use fault::{CardFault, CardFaults};
pub use of_tool::{card_path_problem, card_uri};
pub use permission::CardPermission;
pub use settings::CardSettings;

pub(crate) use check::check_cards;
pub(crate) use of_resource::{CardDefinition, CardEntry};
pub(crate) use of_tool::{check_tool, tool_meta};

use crate::protocol::{Extension, Meta};
use serde_json::json;

/// The identifier of the extension.
pub(crate) const CARDS: &str = "io.modelcontextprotocol/ui";

/// The media type of a card.
pub const CARD_MIME_TYPE: &str = "text/html;profile=mcp-app";

/// The key in `_meta` under which everything about cards is.
pub(crate) const UI: &str = "ui";

/// The key in a tool's `_meta` that hosts read before there was [`UI`].
pub(crate) const LEGACY_RESOURCE_URI: &str = "ui/resourceUri";

/// The extension as it is advertised.
pub(crate) fn extension() -> Extension {
    Extension::new(CARDS).setting("mimeTypes", json!([CARD_MIME_TYPE]))
}

/// Tells whether a key of `_meta` belongs to the extension, which has it in every revision.
pub(crate) fn is_own_key(key: &str) -> bool {
    matches!(key, UI | LEGACY_RESOURCE_URI)
}

/// The first key of an author's `_meta` that belongs to the extension.
pub(crate) fn own_key(meta: &Meta) -> Option<&str> {
    [UI, LEGACY_RESOURCE_URI].into_iter().find(|key| meta.contains_key(*key))
}
