//! What the schema of a parameter's type says of it.

use crate::describe::MakeSchema;
use mcp_core::schema::{Contract, generator};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

/// How many references are followed before a schema counts as one that says nothing.
const REFERENCES: usize = 16;

/// Whether a place can hold several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lists {
    Yes,
    No,
}

/// The schema as it is outside of any tool.
pub(super) fn sample(make: &MakeSchema) -> Map<String, Value> {
    let mut generator = generator(Contract::Reads);
    let schema = make.make(&mut generator).to_value();
    match followed(&schema, generator.definitions()) {
        Value::Object(members) => members.clone(),
        _ => Map::new(),
    }
}

/// The schema of a member of what `make` makes.
pub(super) fn member(make: &MakeSchema, name: &str) -> MakeSchema {
    let (make, name) = (make.clone(), Box::<str>::from(name));
    MakeSchema::new(move |generator: &mut SchemaGenerator| {
        let schema = make.make(generator).to_value();
        let schema = followed(&schema, generator.definitions());
        subschema(schema.get("properties").and_then(|properties| properties.get(&*name)))
    })
}

/// The schema of an element of a tuple that `make` makes.
pub(super) fn element(make: &MakeSchema, at: usize) -> MakeSchema {
    let make = make.clone();
    MakeSchema::new(move |generator: &mut SchemaGenerator| {
        let schema = make.make(generator).to_value();
        let schema = followed(&schema, generator.definitions());
        subschema(schema.get("prefixItems").and_then(|items| items.get(at)))
    })
}

fn subschema(value: Option<&Value>) -> Schema {
    value.and_then(|value| Schema::try_from(value.clone()).ok()).unwrap_or_default()
}

/// What a schema says, or the one it refers to: a type with a name is a reference to what the generator keeps.
fn followed<'a>(schema: &'a Value, definitions: &'a Map<String, Value>) -> &'a Value {
    let mut schema = schema;
    for _ in 0..REFERENCES {
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|link| link.rsplit('/').next());
        match name.and_then(|name| definitions.get(name)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

/// Tells whether a value of this schema can be written as text: once, or several times where the place holds lists.
pub(super) fn is_text(make: &MakeSchema, lists: Lists) -> bool {
    let mut generator = generator(Contract::Reads);
    let schema = make.make(&mut generator).to_value();
    may_be_text(&schema, generator.definitions(), lists, REFERENCES)
}

fn may_be_text(schema: &Value, definitions: &Map<String, Value>, lists: Lists, depth: usize) -> bool {
    let schema = followed(schema, definitions);
    let Some(depth) = depth.checked_sub(1) else { return true };
    let within = |schema: &Value| may_be_text(schema, definitions, lists, depth);
    if let Some(Value::Array(all)) = schema.get("allOf")
        && !all.iter().all(within)
    {
        return false;
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(alternatives)) = schema.get(keyword) {
            return alternatives.iter().any(within);
        }
    }
    let fits = |kind: &str| match kind {
        // What is null is left out.
        "object" | "null" => false,
        "array" => {
            let items = schema.get("items").unwrap_or(&Value::Bool(true));
            lists == Lists::Yes && may_be_text(items, definitions, Lists::No, depth)
        }
        _ => true,
    };
    match schema.get("type") {
        Some(Value::String(kind)) => fits(kind),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).any(fits),
        _ => true,
    }
}
