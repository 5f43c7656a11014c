//! The core.

pub mod fields;
pub mod uri;
