//! The core.

pub mod schema;
