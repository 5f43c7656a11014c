//! Defaults: every value shown fits the schema that it stands in.

use super::{SchemaFault, proof, walk};
use serde_json::{Map, Value};

/// Checks every default in `root`; removes members of a default that are `null` where that makes it fit.
///
/// # Errors
/// [`SchemaFault::DefaultDoesNotFit`] naming the place.
pub(super) fn check(root: &mut Value) -> Result<(), SchemaFault> {
    let mut found = Vec::new();
    places(root, &mut String::new(), &mut found);
    for path in found {
        let Some(Value::Object(schema)) = root.pointer(&path) else { continue };
        let Some(default) = schema.get("default").cloned() else { continue };
        let validator = proof::compile(&standing_alone(schema, root))?;
        if validator.is_valid(&default) {
            continue;
        }
        let trimmed = without_nulls(default);
        if !validator.is_valid(&trimmed) {
            return Err(SchemaFault::DefaultDoesNotFit { path });
        }
        if let Some(Value::Object(schema)) = root.pointer_mut(&path) {
            schema.insert("default".to_owned(), trimmed);
        }
    }
    Ok(())
}

/// Adds the JSON Pointer of every schema in `schema` that has a default.
fn places(schema: &Value, path: &mut String, found: &mut Vec<String>) {
    let Value::Object(members) = schema else { return };
    if members.contains_key("default") {
        found.push(path.clone());
    }
    walk::children(members, |keyword, key, child| {
        let length = path.len();
        path.push('/');
        path.push_str(keyword);
        if !key.is_empty() || walk::holds(keyword) != walk::Holds::One {
            path.push('/');
            path.push_str(&key.replace('~', "~0").replace('/', "~1"));
        }
        places(child, path, found);
        path.truncate(length);
    });
}

/// Makes `schema` a document of its own with the definitions of `root`.
fn standing_alone(schema: &Map<String, Value>, root: &Value) -> Value {
    let mut alone = schema.clone();
    alone.shift_remove("default");
    for keyword in ["$schema", "$defs"] {
        if let Some(value) = root.get(keyword) {
            alone.insert(keyword.to_owned(), value.clone());
        }
    }
    Value::Object(alone)
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, member)| !member.is_null())
            .map(|(name, member)| (name, without_nulls(member)))
            .collect(),
        other => other,
    }
}
