//! What the program offers: the catalogue of the official suite, the probes, generated tools.

mod fixture;
mod generated;
mod media;
mod probe;

pub(crate) use fixture::fixture;
pub(crate) use generated::generated;
pub(crate) use probe::{Ticks, probes};

use mcp_server::{Limits, McpRouter, NameRule, ServerBuilder, server};

/// Whether tools may run as tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RunsTasks {
    Yes,
    #[allow(dead_code, clippy::allow_attributes, reason = "the program alone chooses it")]
    No,
}

/// Room for the largest answers of the probes, with their Base64.
const OUTPUT_BYTES: usize = 16 * 1024 * 1024;

/// Begins the server in which everything is switched on.
pub(crate) fn begin(router: McpRouter<()>) -> ServerBuilder {
    server(router)
        .name("everything")
        .version(env!("CARGO_PKG_VERSION"))
        .instructions("A server for tests: one example of everything a server can offer.")
        .dynamic()
        .resource_updates()
        .names(NameRule::Any)
        .limits(limits())
}

/// The limits that the catalogue needs.
pub(crate) fn limits() -> Limits {
    Limits::default().with_output_bytes(OUTPUT_BYTES)
}
