//! Folding: parts of `allOf`, and references beside properties, become members of the schema itself.

use super::{SchemaFault, reference, reference::Definitions};
use serde_json::{Map, Value};

/// The most times a schema is folded into itself before its types are taken to be endless.
const ROUNDS: usize = 32;

/// Folds what can be folded into `schema` without changing what it accepts.
///
/// A reference beside properties of its own is replaced by what it names, because a closed definition would
/// refuse the properties beside it.
///
/// # Errors
/// [`SchemaFault::DanglingReference`]; [`SchemaFault::TooDeep`] for a type that flattens itself.
pub(super) fn fold(schema: &mut Map<String, Value>, defs: &Definitions) -> Result<(), SchemaFault> {
    for _ in 0..ROUNDS {
        if !fold_reference(schema, defs)? && !fold_parts(schema) {
            return Ok(());
        }
    }
    Err(SchemaFault::TooDeep { limit: ROUNDS })
}

/// Replaces a reference that stands beside members of an object; says whether anything changed.
fn fold_reference(schema: &mut Map<String, Value>, defs: &Definitions) -> Result<bool, SchemaFault> {
    if !["properties", "allOf", "oneOf", "anyOf"].iter().any(|own| schema.contains_key(*own)) {
        return Ok(false);
    }
    let Some(Value::String(link)) = schema.get("$ref") else { return Ok(false) };
    if link == "#" {
        return Ok(false);
    }
    let mut target = reference::definition(link, defs)?.clone();
    if let Value::Object(members) = &mut target {
        members.shift_remove("description");
        members.shift_remove("title");
    }
    schema.shift_remove("$ref");
    if let Value::Array(parts) = schema.entry("allOf").or_insert_with(|| Value::Array(Vec::new())) {
        parts.push(target);
    }
    Ok(true)
}

/// Moves the parts of `allOf` that fit into `schema`; says whether anything changed.
fn fold_parts(schema: &mut Map<String, Value>) -> bool {
    if is_sealed(schema) {
        return false;
    }
    let Some(Value::Array(parts)) = schema.shift_remove("allOf") else { return false };
    let before = parts.len();
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Value::Object(part) if fits(&part, schema) => merge(part, schema),
            part => kept.push(part),
        }
    }
    let changed = kept.len() < before;
    if !kept.is_empty() {
        // A part that was itself an `allOf` has brought its own.
        match schema.entry("allOf").or_insert_with(|| Value::Array(Vec::new())) {
            Value::Array(parts) => parts.extend(kept),
            other => *other = Value::Array(kept),
        }
    }
    changed
}

/// Says whether what a schema accepts depends on which members stand beside its keywords.
fn is_sealed(schema: &Map<String, Value>) -> bool {
    ["additionalProperties", "unevaluatedProperties", "unevaluatedItems", "items", "additionalItems"]
        .iter()
        .any(|keyword| schema.contains_key(*keyword))
}

fn fits(part: &Map<String, Value>, into: &Map<String, Value>) -> bool {
    if is_sealed(part) || part.keys().any(|key| matches!(key.as_str(), "if" | "then" | "else")) {
        return false;
    }
    part.iter().all(|(key, value)| match key.as_str() {
        "description" | "title" | "required" => true,
        "properties" => disjoint(value, into.get("properties")),
        _ => into.get(key).is_none_or(|own| own == value && key != "allOf" && key != "oneOf"),
    })
}

fn disjoint(one: &Value, other: Option<&Value>) -> bool {
    let (Value::Object(one), Some(Value::Object(other))) = (one, other) else { return true };
    one.iter().all(|(name, schema)| other.get(name).is_none_or(|own| own == schema))
}

fn merge(part: Map<String, Value>, into: &mut Map<String, Value>) {
    for (key, value) in part {
        match (into.get_mut(&key), value) {
            (Some(Value::Object(own)), Value::Object(more)) if key == "properties" => own.extend(more),
            (Some(Value::Array(own)), Value::Array(more)) if key == "required" => {
                more.into_iter().for_each(|name| {
                    if !own.contains(&name) {
                        own.push(name);
                    }
                });
            }
            (Some(_), _) => {}
            (None, value) => {
                into.insert(key, value);
            }
        }
    }
}
