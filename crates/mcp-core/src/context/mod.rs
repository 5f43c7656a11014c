//! The context of one call: what it is about, who makes it, and the ways to speak before the reply.

mod caller;
mod cancel;
mod nested;
mod outbox;
mod pace;
mod scope;
mod scratch;
mod transport;

pub use scope::Context;
pub use transport::Transport;

pub(crate) use caller::{Asking, Caller, LogThreshold};
pub(crate) use cancel::Cancellation;
pub(crate) use nested::Nested;
pub(crate) use outbox::Outbox;
pub(crate) use pace::Pace;
pub(crate) use scope::Scope;
