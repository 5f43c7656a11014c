//! The tools that tell of toolboxes, open and close them, and call what is in them.

use super::{
    Toolboxes,
    names::{CLOSE_TOOLBOX, LIST_TOOLBOXES, OPEN_TOOLBOX},
    open::{close_toolbox, list_toolboxes, open_toolbox},
    proxy::Proxy,
};
use crate::{
    handler::ToolError,
    registry::{OwnTool, Placed, Rules, ToolBuilder, ToolEntry, tool, tool_args},
    task::TaskSupport,
    view::{Listed, ListedKind},
};
use serde_json::json;

impl Toolboxes {
    /// The tools of a server whose author has these tools.
    pub(crate) fn own_tools(&self, tools: &[Placed<ToolEntry>], rules: &Rules) -> Vec<OwnTool> {
        let nothing = json!({ "type": "object", "additionalProperties": false });
        let by_name = json!({
            "type": "object",
            "properties": { "name": { "type": "string", "description": "The name of the toolbox." } },
            "required": ["name"],
            "additionalProperties": false,
        });
        let mut own = vec![
            (
                LIST_TOOLBOXES,
                tool(list_toolboxes)
                    .describe("Lists the toolboxes: sets of tools and prompts that belong together.")
                    .input_schema(nothing)
                    .read_only()
                    .closed_world(),
            ),
            (
                OPEN_TOOLBOX,
                tool_args(["name"], open_toolbox)
                    .describe(if self.has_proxies() {
                        "Opens a toolbox: gives its tools, each with its input schema and the `proxy` to run it \
                         with, and its prompts."
                    } else {
                        "Opens a toolbox: gives its tools, each with its input schema, and its prompts, and adds \
                         them to the lists."
                    })
                    .input_schema(by_name.clone())
                    .read_only()
                    .closed_world(),
            ),
            (
                CLOSE_TOOLBOX,
                tool_args(["name"], close_toolbox)
                    .describe("Closes a toolbox that is not needed any more.")
                    .input_schema(by_name)
                    .read_only()
                    .closed_world(),
            ),
        ];
        if self.has_proxies() {
            own.extend(Proxy::ALL.map(|proxy| (proxy.name(), proxy_tool(proxy, tools, rules))));
        }
        own
    }

    /// Tells whether an entry is a tool of the server's own.
    pub(crate) fn is_own(&self, listed: &Listed) -> bool {
        listed.kind() == ListedKind::Tool && self.owns(listed.name())
    }
}

fn proxy_tool(proxy: Proxy, tools: &[Placed<ToolEntry>], rules: &Rules) -> ToolBuilder<()> {
    let mut called = tools.iter().map(|placed| &*placed.entry).filter(|tool| proxy.calls(tool));
    // A server that keeps no tasks is refused for the tools of its author alone.
    let runs_tasks = rules.tasks && called.any(|tool| tool.definition.task.support != TaskSupport::Forbidden);
    let schema = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": "The name of the tool." },
            "arguments": { "type": "object", "description": "What its input schema asks for." },
        },
        "required": ["name"],
        "additionalProperties": false,
    });
    // A call is redirected to its tool before it gets here.
    let unreached = || async { Err::<&str, _>(ToolError::new("the call did not reach its tool")) };
    let tool = tool(unreached).input_schema(schema).open_world().task_support(match runs_tasks {
        true => TaskSupport::Optional,
        false => TaskSupport::Forbidden,
    });
    match proxy {
        Proxy::ReadOnly => tool
            .describe(
                "Runs a tool of a toolbox that is hinted as read-only, as if it were called by its name.",
            )
            .read_only(),
        Proxy::Any => {
            tool.describe("Runs any tool of a toolbox, as if it were called by its name.").destructive()
        }
    }
}
