//! The tests that cross crates, in one binary; each module is one subject.

#[cfg(test)]
mod application;
#[cfg(test)]
mod architecture;
/// The sources of the example, so that every revision can be spoken without a process.
#[cfg(test)]
#[path = "../../crates/mcp-server/examples/everything/catalogue/mod.rs"]
mod catalogue;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod legacy_sse;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod rmcp_client;
#[cfg(test)]
mod sessions;
