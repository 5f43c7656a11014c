//! What the core needs from outside, as traits that adapters implement.

mod runtime;

pub use runtime::{BoxFuture, Runtime};
