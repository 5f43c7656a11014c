//! What every adapter of a port must do, whoever writes it.
//!
//! Each function checks one port and panics, with a sentence, at the first thing that is not as the port
//! promises. Call them from a test, on whatever runtime the adapter needs:
//!
//! ```
//! # futures_util::FutureExt::now_or_never(async {
//! use mcp_store::{MemorySessions, contract};
//!
//! contract::sessions(&MemorySessions::new(), std::time::SystemTime::now()).await;
//! # });
//! ```
//!
//! The store must be empty and used by nobody else. `now` is the present: stores that let a database free
//! what is expired would lose records that are dated in its past. Where a port promises that an operation
//! is one step, many callers try it at once; an adapter that waits for a network in the middle is caught by
//! that.

mod demand;
mod events;
mod sessions;
mod tasks;

pub use events::events;
pub use sessions::sessions;
pub use tasks::tasks;
