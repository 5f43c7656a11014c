//! From a sound JSON-RPC envelope to a request that may be dispatched: which era, which version, who calls.
//!
//! The order of the checks is the specification's where it has one, and the same on every transport.

mod classify;
mod header;
mod http;
mod modern;
mod reason;

pub use header::{HeaderField, RequestHead};
pub use reason::Reason;

pub(crate) use classify::modern_evidence;
pub(crate) use http::{Admission, admit_http, handshake_version, names_modern_version};
pub(crate) use modern::{ModernMeta, admit_modern, echo};
