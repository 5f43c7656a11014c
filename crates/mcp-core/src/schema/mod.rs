//! JSON Schemas: what is published about arguments and results, and the check of a call against it.
//!
//! A type's schema passes through a fixed line: generate, take an object root, normalise, write in a
//! dialect, close, prune, bound, prove (it compiles, its defaults fit). A schema written by hand is only
//! bounded and proved, and published as it is.
//!
//! Spec: 2025-06-18 and later, server/tools, "Tool"; JSON Schema 2020-12.

mod arguments;
mod authored;
mod bounds;
mod close;
mod default;
mod dialect;
mod enumeration;
mod fault;
mod fold;
pub(crate) mod form;
mod format;
mod generate;
mod input;
mod output;
mod plain;
mod proof;
mod published;
pub(crate) mod reference;
mod root;
pub(crate) mod walk;

#[cfg(test)]
mod tests;

pub use arguments::{ArgumentFault, ArgumentSchema, Checked, serde_message};
pub(crate) use arguments::{Names, SerdeFault, nearest, serde_fault};
pub use authored::authored_input;
pub use bounds::SchemaBounds;
pub use dialect::SchemaDialect;
pub use fault::SchemaFault;
pub use form::{FieldShape, FormFault};
pub use generate::{Contract, generator};
pub use input::{InputSchema, Presence, input_of};
pub use output::{OutputSchema, authored_output, output_of, root_is_object};
pub use published::PublishedSchema;
pub use root::RootKind;
