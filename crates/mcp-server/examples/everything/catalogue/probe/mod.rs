//! The probes: tools, resources and prompts that make one behaviour at a time visible from outside.

mod arguments;
mod asking;
mod echo;
mod identity;
mod outcomes;
mod prompts;
mod resources;
mod work;

pub(crate) use resources::Ticks;

use super::RunsTasks;
use mcp_server::{McpRouter, TaskStart, TaskSupport, ToolBuilder};

/// A tool that goes on as a task for a client which asks for one, and for no other.
fn on_request(tool: ToolBuilder<()>, runs: RunsTasks) -> ToolBuilder<()> {
    match runs {
        RunsTasks::Yes => tool.task_support(TaskSupport::Optional).task_start(TaskStart::OnDetach),
        RunsTasks::No => tool,
    }
}

/// The probes; `ticks` counts the changes of `test://tick`.
pub(crate) fn probes(ticks: Ticks, runs: RunsTasks) -> McpRouter<()> {
    echo::tools()
        .merge(work::tools(runs))
        .merge(arguments::tools())
        .merge(outcomes::tools())
        .merge(identity::tools())
        .merge(asking::tools(runs))
        .merge(resources::resources(ticks))
        .merge(prompts::prompts())
}
