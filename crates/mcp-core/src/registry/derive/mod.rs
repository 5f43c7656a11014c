//! Derived tools: a tool once more, through another surface.
//!
//! [`derive()`] says what differs: the name, the texts, and for each argument its name, its presence, its default, its
//! bounds, or a value that callers never see. The schema that is published is rewritten once, when the server is built
//! ([`Surface`](surface::Surface)); the arguments of a call are checked against it, written back
//! ([`Translation`](translation::Translation)), and checked against the original's own schema before the handler that
//! both tools share reads them.

mod apply;
mod argument;
mod derivation;
mod entry;
mod fill;
mod kinds;
mod narrow;
mod references;
mod surface;
mod tool;
mod translation;
mod whole;

pub use argument::DerivedArgument;
pub use tool::{DerivedTool, derive};

pub(crate) use derivation::Derivation;
pub(super) use entry::published;
pub(crate) use translation::{Derived, Untranslated};
