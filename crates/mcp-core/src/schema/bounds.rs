//! Bounds on a schema, checked when a server is built.

use super::{SchemaFault, walk};
use serde_json::Value;

/// How large a published schema may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaBounds {
    /// The most JSON levels of nesting, the root being level 1.
    pub depth: usize,
    /// The most schemas in the document, the root included.
    pub subschemas: usize,
    /// The most bytes of its JSON text.
    pub bytes: usize,
}

impl Default for SchemaBounds {
    /// 64 levels, 4096 subschemas, 256 KiB.
    fn default() -> Self {
        Self { depth: 64, subschemas: 4096, bytes: 256 * 1024 }
    }
}

impl SchemaBounds {
    /// Checks `schema`, whose JSON text has `bytes` bytes.
    ///
    /// # Errors
    /// [`SchemaFault::TooDeep`], [`SchemaFault::TooManySubschemas`] or [`SchemaFault::TooLarge`].
    pub(super) fn check(&self, schema: &Value, bytes: usize) -> Result<(), SchemaFault> {
        if !within(schema, self.depth) {
            return Err(SchemaFault::TooDeep { limit: self.depth });
        }
        if count(schema) > self.subschemas {
            return Err(SchemaFault::TooManySubschemas { limit: self.subschemas });
        }
        if bytes > self.bytes {
            return Err(SchemaFault::TooLarge { limit: self.bytes });
        }
        Ok(())
    }

    /// Checks only the nesting, before anything walks `schema` by recursion.
    pub(super) fn check_depth(&self, schema: &Value) -> Result<(), SchemaFault> {
        if within(schema, self.depth) { Ok(()) } else { Err(SchemaFault::TooDeep { limit: self.depth }) }
    }
}

/// Says whether `value` has at most `levels` levels.
fn within(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(members) => levels > 0 && members.iter().all(|member| within(member, levels - 1)),
        Value::Object(members) => levels > 0 && members.values().all(|member| within(member, levels - 1)),
        _ => true,
    }
}

fn count(schema: &Value) -> usize {
    let mut total = 1;
    if let Value::Object(members) = schema {
        walk::children(members, |_, _, child| total += count(child));
    }
    total
}
