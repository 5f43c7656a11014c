//! A catalogue served through search: three tools find, describe and run all others.
//!
//! The tools of the author stay in the catalogue as they are, and can be called by name as ever; the list has the three
//! in their place, and the tools that are root. Which those are is settled when a catalogue is built
//! (`registry/own.rs`), so that the list is one for everyone, like a list that is whole.
//!
//! What the three tell a caller is what its own list would have: the same policies are asked, and what its connection
//! hides is left out. They call a tool for a model, and so refuse the tools that are for cards only.

mod describe;
mod find;
mod index;
mod names;
mod options;
mod plan;
mod presenting;
mod tools;
mod words;

pub use options::{AutomaticSearch, ToolSearch};

pub(crate) use index::SearchIndex;
pub(crate) use presenting::ToolList;
pub(super) use tools::is_own;
