//! What the program offers: the catalogue of the official suite, the probes, generated tools.

mod fixture;
mod generated;
mod media;
mod probe;

pub(crate) use fixture::fixture;
pub(crate) use generated::generated;
pub(crate) use probe::{Ticks, probes};

use crate::arguments::Arguments;
use mcp_server::{BuildFaults, Limits, McpRouter, NameRule, Server, StateKeys, server};

/// Room for the largest answers of the probes, with their Base64.
const OUTPUT_BYTES: usize = 16 * 1024 * 1024;

/// Builds the server in which everything is switched on that the command line does not switch off.
pub(crate) fn build(router: McpRouter<()>, arguments: &Arguments) -> Result<Server, BuildFaults> {
    let mut limits = Limits::default().with_output_bytes(OUTPUT_BYTES);
    if let Some(timeout) = arguments.ask_timeout {
        limits.ask_timeout = timeout;
    }
    let mut builder = server(router)
        .name("everything")
        .version(env!("CARGO_PKG_VERSION"))
        .instructions("A server for tests: one example of everything a server can offer.")
        .dynamic()
        .resource_updates()
        .names(NameRule::Any)
        .limits(limits);
    if let Some(key) = &arguments.state_key {
        builder = builder.state_keys(StateKeys::new(key.clone()));
    }
    if let Some(idle) = arguments.session_idle {
        builder = builder.configure_sessions(|sessions| sessions.idle_ttl(idle));
    }
    if arguments.stateless {
        builder = builder.without_sessions();
    }
    builder.build()
}
