//! Checking the arguments of a call: against the published schema first, then what serde says.
//!
//! Arguments that fit are used as they were sent. Only when they do not fit are they rewritten, and only
//! where nothing can be misread: text that holds a number where a number is declared, `null` for an argument
//! that may be left out. Text is never parsed as JSON for anything else.

mod branch;
mod check;
mod describe;
mod fault;
mod got;
mod integral;
mod names;
mod nearest;
mod path;
mod rewrite;
mod serde_text;
mod spot;

#[cfg(test)]
mod tests;

pub use check::{ArgumentSchema, Checked};
pub use fault::ArgumentFault;
pub(crate) use names::Names;
pub(crate) use nearest::nearest;
pub use serde_text::serde_message;
pub(crate) use serde_text::{SerdeFault, serde_fault};
