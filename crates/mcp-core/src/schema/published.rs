//! A schema that is ready to be published.

use super::{SchemaBounds, SchemaFault, default, generate::DIALECT, proof, reference};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A schema as clients see it, proved to compile and kept with its text.
///
/// Cloning is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedSchema {
    value: Arc<Value>,
    text: Arc<str>,
}

impl PublishedSchema {
    /// The schema as a value.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The schema as compact JSON text, the same in every run.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Proves and publishes a generated schema: definitions pruned, dialect first, definitions last.
    pub(super) fn generated(root: Map<String, Value>, bounds: &SchemaBounds) -> Result<Self, SchemaFault> {
        let mut root = Value::Object(in_order(root));
        reference::prune(&mut root)?;
        bounds.check_depth(&root)?;
        default::check(&mut root)?;
        Self::proved(root, bounds)
    }

    /// Proves a schema and publishes it as it is.
    pub(super) fn proved(root: Value, bounds: &SchemaBounds) -> Result<Self, SchemaFault> {
        bounds.check_depth(&root)?;
        let text = root.to_string();
        bounds.check(&root, text.len())?;
        proof::compile(&root)?;
        Ok(Self { value: Arc::new(root), text: text.into() })
    }
}

/// Puts `$schema` first and `$defs` last.
fn in_order(mut root: Map<String, Value>) -> Map<String, Value> {
    let mut ordered = Map::new();
    root.shift_remove("$schema");
    let defs = root.shift_remove("$defs");
    ordered.insert("$schema".to_owned(), json!(DIALECT));
    ordered.extend(root);
    ordered.extend(defs.map(|defs| ("$defs".to_owned(), defs)));
    ordered
}
