//! Forms for the first revision that has them.

use serde_json::{Map, Value};

/// Writes a judged form in the words of 2025-06-18, and says whether fields had to be left out.
///
/// Titled choices become `enum` with `enumNames`, only a boolean keeps its default, and fields with several
/// choices are left out.
///
/// Spec: 2025-06-18, schema `PrimitiveSchemaDefinition`.
pub(super) fn earlier(schema: &Value) -> (Value, bool) {
    let (mut root, mut left_out) = (Map::new(), false);
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        let value = match (keyword.as_str(), value) {
            ("$schema", _) => continue,
            ("properties", Value::Object(fields)) => {
                let kept: Map<String, Value> =
                    fields.iter().filter_map(|(name, own)| Some((name.clone(), field(own)?))).collect();
                left_out = kept.len() < fields.len();
                Value::Object(kept)
            }
            (_, value) => value.clone(),
        };
        root.insert(keyword.clone(), value);
    }
    if left_out {
        let kept = root.get("properties").cloned().unwrap_or_default();
        if let Some(Value::Array(names)) = root.get_mut("required") {
            names.retain(|name| name.as_str().is_some_and(|name| kept.get(name).is_some()));
        }
    }
    (Value::Object(root), left_out)
}

fn field(schema: &Value) -> Option<Value> {
    let members = schema.as_object()?;
    let kind = members.get("type")?.as_str()?;
    if kind == "array" {
        return None;
    }
    let mut written = Map::new();
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("default", _) if kind != "boolean" => {}
            ("oneOf", Value::Array(choices)) => {
                let all = |member: &str| choices.iter().filter_map(|one| one.get(member).cloned()).collect();
                written.insert("enum".to_owned(), all("const"));
                written.insert("enumNames".to_owned(), all("title"));
            }
            _ => {
                written.insert(keyword.clone(), value.clone());
            }
        }
    }
    Some(Value::Object(written))
}
