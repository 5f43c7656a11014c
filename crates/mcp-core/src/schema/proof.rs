//! Proof: a schema compiles before it is published.

use super::SchemaFault;
use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

/// The most characters of a validator's reason that are kept.
const REASON: usize = 300;

/// Compiles `schema` for checking values in memory.
///
/// # Errors
/// [`SchemaFault::Invalid`] when it is not a valid JSON Schema or a pattern needs backtracking.
pub(super) fn compile(schema: &Value) -> Result<Validator, SchemaFault> {
    let mut options = jsonschema::options().offline();
    if schema.get("$schema").is_none() {
        options = options.with_draft(Draft::Draft202012);
    }
    options
        .with_pattern_options(PatternOptions::regex())
        .build(schema)
        .map_err(|error| SchemaFault::Invalid { reason: error.to_string().chars().take(REASON).collect() })
}
