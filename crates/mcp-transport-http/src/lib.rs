//! Streamable HTTP: an MCP endpoint as an axum router.
//!
//! [`Endpoint::routes`] gives a router that merges into, or nests in, any axum application; [`serve`]
//! runs one on a listener with timeouts and a graceful end. The endpoint checks method, host, origin, media
//! types, size and the caller's identity before it looks at the body, and everything about the protocol is
//! decided in `mcp-core`.
//!
//! A call costs no task and no channel: its handler is polled inside the response's future. The answer is
//! plain JSON unless something has to be said before it, or it takes longer than the keep-alive interval;
//! then it becomes an event stream.

mod activity;
mod allowed;
mod authenticate;
mod body;
mod cache;
mod cors;
mod deadline;
mod endpoint;
mod head;
mod host;
mod keep_alive;
mod legacy_sse;
mod options;
mod origin;
mod preface;
mod refuse;
mod respond;
mod serve;
mod socket;
mod sse;
mod streams;

pub use endpoint::Endpoint;
pub use legacy_sse::{LegacyPaths, LegacySse};
pub use mcp_core::setting::{SettingFault, SettingFaults};
pub use options::{HttpOptions, OriginPolicy, QuietAnswers};
pub use serve::{Exposure, ServeError, ServeOptions, serve};
