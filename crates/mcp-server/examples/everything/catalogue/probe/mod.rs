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

use mcp_server::McpRouter;

/// The probes; `ticks` counts the changes of `test://tick`.
pub(crate) fn probes(ticks: Ticks) -> McpRouter<()> {
    echo::tools()
        .merge(work::tools())
        .merge(arguments::tools())
        .merge(outcomes::tools())
        .merge(identity::tools())
        .merge(asking::tools())
        .merge(resources::resources(ticks))
        .merge(prompts::prompts())
}
