//! JSON text: a bounded index of what came in, schema checks on it, and fast writing of what goes out.
//!
//! A peer's text is judged once. [`Document::parse`] checks syntax, UTF-8, member names and every
//! limit of [`JsonLimits`] in one scan and keeps a flat index of the values; from then on a
//! [`Node`] is a cheap handle that reads values straight from the original bytes, so numbers keep
//! their exact digits. [`compile`] makes a schema check that runs on the same index.
//!
//! Going out, [`ObjectWriter`] and [`ArrayWriter`] write what the framework words itself, and
//! [`to_text`] serialises what a user's handler returned.

mod compact;
mod document;
mod duplicate;
mod equal;
mod escape;
mod fault;
mod finite;
mod instance;
mod limits;
mod number;
mod raw;
mod scan;
mod string;
mod to_text;
mod token;
mod validate;
mod walk;
mod work;
mod write;

#[cfg(test)]
mod tests;

pub(crate) use compact::on_one_line;
pub use document::{Document, Kind, Node, NodeId};
pub(crate) use equal::equal;
pub use fault::{JsonFault, JsonFaultKind};
pub use limits::JsonLimits;
pub(crate) use number::{Decimal, integer_from_text};
pub use raw::RawJson;
pub(crate) use to_text::{WriteBounds, append_bounded, to_text_bounded};
pub use to_text::{WriteFault, append_within, to_text, to_text_within};
pub use validate::{SchemaFault, Validator, compile, compile_asserting_formats};
pub use walk::{Elements, Members, Name};
pub use write::{ArrayWriter, JsonWriter, ObjectWriter, write_f64, write_string};
