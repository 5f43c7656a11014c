//! Generation: which side of serde a schema describes.

use schemars::{SchemaGenerator, generate::SchemaSettings};

/// The dialect of every generated schema.
pub(super) const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The direction of serde that a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contract {
    /// What the type reads: arguments.
    Reads,
    /// What the type writes: results.
    Writes,
}

/// Makes a generator of JSON Schema 2020-12 for one direction.
///
/// Renames, skipped fields and defaults then match what goes over the wire.
#[must_use]
pub fn generator(contract: Contract) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12();
    match contract {
        Contract::Reads => settings.for_deserialize(),
        Contract::Writes => settings.for_serialize(),
    }
    .into_generator()
}
