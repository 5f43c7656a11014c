//! Catalogues as pipelines: steps that routers go through before a server is built of them.
//!
//! A source is a router; [`McpRouter::through`](super::McpRouter::through) takes it through a [`Step`], which gives
//! another router. What a step cannot do, such as renaming what is not there, is told when the server is built.

mod change;
mod keep;
mod rename;
mod step;
mod which;

pub use change::{
    AddTag, Change, IntoToolbox, add_tag, change_prompts, change_resources, change_tools, into_toolbox,
};
pub use keep::{Keep, LeaveOut, keep, leave_out};
pub use rename::{Namespace, Rename, namespace, rename_prompt, rename_tool};
pub use step::Step;
pub use which::{RouterEntry, Which};
