//! Dialects: how an optional value is written.

use super::walk;
use serde_json::{Map, Value, json};

/// How a published schema writes a value that may be `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SchemaDialect {
    /// With `null` in a list of types or as a branch of `anyOf`, as JSON Schema has it.
    #[default]
    Standard,
    /// Without lists of types and without `null` branches, for clients that refuse those.
    ///
    /// `null` is then not published; a call that sends it for an argument that is not required is
    /// understood as leaving it out.
    Plain,
}

/// Writes one schema without lists of types and without `null` branches.
pub(super) fn write_plain(schema: &mut Map<String, Value>) {
    drop_null_type(schema);
    drop_null_choice(schema);
    drop_null_branch(schema);
    if schema.get("default") == Some(&Value::Null) && !walk::has_type(schema, "null") {
        schema.shift_remove("default");
    }
}

fn drop_null_type(schema: &mut Map<String, Value>) {
    let Some(Value::Array(names)) = schema.get("type") else { return };
    let mut names = names.clone();
    if names.len() > 1 {
        names.retain(|name| name != "null");
    }
    match names.as_slice() {
        [name] => {
            schema.insert("type".to_owned(), name.clone());
        }
        _ if !schema.contains_key("anyOf") => {
            let branches: Vec<Value> = names.iter().map(|name| json!({ "type": name })).collect();
            let at = schema.keys().position(|key| key == "type").unwrap_or(0);
            schema.shift_remove("type");
            schema.shift_insert(at, "anyOf".to_owned(), Value::Array(branches));
        }
        _ => {}
    }
}

fn drop_null_choice(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && values.len() > 1
    {
        values.retain(|value| !value.is_null());
    }
}

fn drop_null_branch(schema: &mut Map<String, Value>) {
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = schema.get_mut(keyword) else { continue };
        if branches.len() > 1 {
            branches.retain(|branch| branch.get("type") != Some(&json!("null")));
        }
        let [Value::Object(only)] = branches.as_slice() else { continue };
        let only = only.clone();
        let clash = only.keys().any(|key| !is_note(key) && schema.contains_key(key));
        if clash {
            continue;
        }
        let at = schema.keys().position(|key| key == keyword).unwrap_or(0);
        schema.shift_remove(keyword);
        let mut at = at.min(schema.len());
        for (key, value) in only {
            if !schema.contains_key(&key) {
                schema.shift_insert(at, key, value);
                at += 1;
            }
        }
    }
}

/// Says whether the outer schema's `keyword` may hide the branch's.
fn is_note(keyword: &str) -> bool {
    matches!(keyword, "description" | "title" | "default" | "examples")
}
