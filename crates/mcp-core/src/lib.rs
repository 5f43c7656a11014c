//! The core.

pub mod fields;
pub mod header;
pub mod json;
pub mod media;
pub mod schema;
pub mod uri;
