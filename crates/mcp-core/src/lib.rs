//! The core.

pub mod json;
pub mod schema;
