//! The core.

pub mod json;
