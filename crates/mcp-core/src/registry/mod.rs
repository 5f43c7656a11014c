//! What a server offers: names bound to handlers, checked as a whole, listed in registration order.
//!
//! [`McpRouter`] collects tools, resources and prompts; building a server turns it into a [`Catalogue`].
//! All faults are reported together, each naming the primitive and what to write instead.

mod catalogue;
mod completer;
mod derive;
mod earlier;
mod edit;
mod encoded;
mod fault;
mod icon;
mod index;
mod name;
mod origin;
mod own;
mod pipeline;
mod placement;
mod prompt;
mod resource;
mod router;
mod time_limit;
mod tool;
mod tool_entry;
mod tool_visibility;
mod toolbox;
mod tools;
mod version_label;

pub use catalogue::Catalogue;
pub use derive::{DerivedArgument, DerivedTool, derive};
pub use edit::CatalogueEdit;
pub use fault::{BuildFault, BuildFaults};
pub use name::NameRule;
pub use pipeline::{
    AddTag, Change, IntoToolbox, Keep, LeaveOut, Namespace, Rename, RouterEntry, Step, Which, add_tag,
    change_prompts, change_resources, change_tools, into_toolbox, keep, leave_out, namespace, rename_prompt,
    rename_tool,
};
pub use prompt::{PromptBuilder, prompt};
pub use resource::{ResourceBuilder, resource};
pub use router::McpRouter;
pub use tool::{ToolBuilder, tool, tool_args};
pub use tool_visibility::ToolVisibility;
pub use toolbox::Toolbox;
pub use tools::{TOOL_VERSION, TOOL_VERSIONS};

pub(crate) use catalogue::Found;
pub(crate) use derive::{Derived, Untranslated};
pub(crate) use earlier::Digest;
pub(crate) use encoded::EncodedList;
pub(crate) use fault::Faults;
pub(crate) use icon::check_icons;
pub(crate) use index::{Named, Placed, Rules};
pub(crate) use origin::Origin;
pub(crate) use own::OwnTool;
pub(crate) use placement::{Placement, Root};
pub(crate) use prompt::PromptEntry;
pub(crate) use resource::{StaticEntry, TemplateEntry};
pub(crate) use time_limit::{CALL_TIMEOUT, TimeLimit};
pub(crate) use tool::ToolDefinition;
pub(crate) use tool_entry::ToolEntry;
pub(crate) use tools::picked_version;
pub(crate) use version_label::VersionLabel;
