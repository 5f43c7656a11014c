//! Output schemas: what a result's type writes.

use super::{
    Contract, PublishedSchema, SchemaBounds, SchemaDialect, SchemaFault, authored::authored, generator,
    plain, reference,
};
use schemars::JsonSchema;
use serde_json::{Map, Value};

/// Makes the output schema of a type when the server is built; [`output_of`] of a type is one.
pub type OutputSchema = fn(SchemaDialect, &SchemaBounds) -> Result<PublishedSchema, SchemaFault>;

/// Generates the schema of what `T` serializes to.
///
/// Any root is allowed and nothing is closed: the server itself writes what the schema describes.
///
/// # Errors
/// [`SchemaFault`] when the schema is out of bounds, not valid, or shows a default that does not fit.
pub fn output_of<T: JsonSchema>(
    dialect: SchemaDialect,
    bounds: &SchemaBounds,
) -> Result<PublishedSchema, SchemaFault> {
    let mut generator = generator(Contract::Writes);
    let schema = generator.subschema_for::<T>().to_value();
    publish(&schema, generator.take_definitions(true), dialect, bounds)
}

/// Checks an output schema written by hand and publishes it exactly as it is.
///
/// # Errors
/// [`SchemaFault`] as for an input schema, except that any root is allowed.
pub fn authored_output(schema: Value, bounds: &SchemaBounds) -> Result<PublishedSchema, SchemaFault> {
    authored(schema, bounds)
}

/// Says whether every value that the schema accepts is an object, as its root states.
///
/// Revisions up to 2025-11-25 take an output schema only with such a root.
#[must_use]
pub fn root_is_object(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
}

fn publish(
    schema: &Value,
    defs: Map<String, Value>,
    dialect: SchemaDialect,
    bounds: &SchemaBounds,
) -> Result<PublishedSchema, SchemaFault> {
    let mut target = schema;
    // A root that is only a link would hide its type from clients that read the root alone.
    while let Some(Value::String(link)) = target.get("$ref")
        && target.as_object().is_some_and(|members| members.len() == 1)
    {
        let next = reference::definition(link, &defs)?;
        if next == target {
            break;
        }
        target = next;
    }
    let mut root = match target {
        Value::Object(members) => members.clone(),
        _ => Map::new(),
    };
    if !defs.is_empty() {
        root.insert("$defs".to_owned(), Value::Object(defs));
    }
    let mut root = Value::Object(root);
    plain::normalise(&mut root, dialect);
    match root {
        Value::Object(root) => PublishedSchema::generated(root, bounds),
        _ => Err(SchemaFault::RootType),
    }
}
