//! Why a message is refused, and the one table from refusals to the wire.

mod kind;
mod log;
mod wire;

pub use kind::{HeaderReason, Refusal};
pub use wire::WireError;

pub(crate) use wire::not_found;
