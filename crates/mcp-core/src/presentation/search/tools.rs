//! The three tools themselves.

use super::{
    ToolSearch,
    describe::describe_tools,
    find::search_tools,
    names::{DESCRIBE, RUN, SEARCH, is_name},
    plan::run_tools,
};
use crate::{
    registry::{OwnTool, tool},
    view::{Listed, ListedKind},
};

/// Tells whether an entry is one of the three tools.
pub(in crate::presentation) fn is_own(listed: &Listed) -> bool {
    listed.kind() == ListedKind::Tool && is_name(listed.name())
}

impl ToolSearch {
    /// The tools that find, describe and run all others.
    pub(in crate::presentation) fn own_tools(&self) -> Vec<OwnTool> {
        let find = "Finds tools by what they do. Most tools are in no list: search before you say that something \
                    cannot be done.";
        let describe = format!(
            "Shows the definitions of tools. Read a tool's input schema before you call it, by `{RUN}` or by its name."
        );
        let run = format!(
            "Runs up to {} tools, one after the other. A value in the arguments of a step may be \
             {{\"$from\": \"<id of an earlier step>\", \"path\": \"<JSON Pointer>\"}}: that part of the earlier \
             step's result takes its place, without `path` all of it. A step that fails ends the run, unless \
             `stop_on_error` is false.",
            self.plan_steps
        );
        vec![
            (SEARCH, tool(search_tools).describe(find).read_only().idempotent().closed_world()),
            (DESCRIBE, tool(describe_tools).describe(describe).read_only().idempotent().closed_world()),
            (RUN, tool(run_tools).describe(run)),
        ]
    }
}
