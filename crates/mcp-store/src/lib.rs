//! Stores for the Model Context Protocol.
//!
//! | module | what is in it |
//! |---|---|
//! | [`memory`] | stores within one process, bounded, gone when it ends |
//! | `contract` | what every adapter of a port must do, as functions for its tests (feature `contract`) |

#[cfg(feature = "contract")]
pub mod contract;
pub mod memory;

pub use memory::{MemoryEvents, MemorySessions, MemoryTasks};
