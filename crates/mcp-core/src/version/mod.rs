//! Protocol revisions: which exist, what each one has, and how one is chosen.

mod feature;
mod negotiate;
mod revision;

pub use feature::Feature;
pub use negotiate::{ServedVersions, VersionFault};
pub use revision::{Era, ProtocolVersion};
