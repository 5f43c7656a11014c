//! The core.

pub mod fields;
pub mod header;
pub mod media;
pub mod uri;
