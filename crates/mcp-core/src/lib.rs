//! The core.

pub mod fields;
pub mod json;
pub mod schema;
pub mod uri;
