//! What a server offers: names bound to handlers, checked as a whole, listed in registration order.
//!
//! [`McpRouter`] collects tools, resources and prompts; building a server turns it into a [`Catalogue`].
//! All faults are reported together, each naming the primitive and what to write instead.

mod catalogue;
mod completer;
mod edit;
mod fault;
mod icon;
mod index;
mod name;
mod prompt;
mod resource;
mod router;
mod time_limit;
mod tool;

pub use catalogue::Catalogue;
pub use edit::CatalogueEdit;
pub use fault::{BuildFault, BuildFaults};
pub use name::NameRule;
pub use prompt::{PromptBuilder, prompt};
pub use resource::{ResourceBuilder, resource};
pub use router::McpRouter;
pub use tool::{ToolBuilder, tool, tool_args};

pub(crate) use catalogue::Found;
pub(crate) use fault::Faults;
pub(crate) use icon::check_icons;
pub(crate) use index::Rules;
pub(crate) use prompt::PromptEntry;
pub(crate) use resource::{StaticEntry, TemplateEntry};
pub(crate) use time_limit::{CALL_TIMEOUT, TimeLimit};
pub(crate) use tool::ToolEntry;
