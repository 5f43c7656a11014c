//! Enums of plain text: one `enum` instead of a list of `const` branches.

use serde_json::{Map, Value, json};

/// Writes constants of text as `enum`, and a list of such branches as one `enum`.
///
/// Descriptions of single values move into the description of the whole.
pub(super) fn normalise(schema: &mut Map<String, Value>) {
    if let Some(Value::String(text)) = schema.get("const") {
        let text = text.clone();
        replace(schema, "const", "enum", json!([text]));
        schema.entry("type").or_insert_with(|| json!("string"));
    }
    for keyword in ["oneOf", "anyOf"] {
        let Some(Value::Array(branches)) = schema.get(keyword) else { continue };
        let Some(Choices { values, notes }) = choices(branches) else { continue };
        if ["type", "enum", "$ref"].iter().any(|taken| schema.contains_key(*taken)) {
            continue;
        }
        replace(schema, keyword, "type", json!("string"));
        schema.insert("enum".to_owned(), json!(values));
        if !notes.is_empty() {
            describe(schema, &notes.join("\n"));
        }
    }
}

/// The values of a list of text branches and a line for each that is described.
struct Choices {
    values: Vec<String>,
    notes: Vec<String>,
}

/// Reads `branches` as choices of text, or gives nothing when one is something else.
fn choices(branches: &[Value]) -> Option<Choices> {
    let mut read = Choices { values: Vec::new(), notes: Vec::new() };
    for branch in branches {
        let branch = branch.as_object()?;
        if !branch.keys().all(|key| matches!(key.as_str(), "type" | "enum" | "description" | "title")) {
            return None;
        }
        let texts: Vec<&str> =
            branch.get("enum")?.as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
        if let Some(note) = branch.get("description").and_then(Value::as_str) {
            read.notes.push(format!("- `{}`: {}", texts.join("`, `"), note.replace('\n', " ")));
        }
        read.values.extend(texts.into_iter().map(str::to_owned));
    }
    (!read.values.is_empty()).then_some(read)
}

fn describe(schema: &mut Map<String, Value>, notes: &str) {
    let text = match schema.get("description").and_then(Value::as_str) {
        Some(own) => format!("{own}\n\n{notes}"),
        None => notes.to_owned(),
    };
    if schema.contains_key("description") {
        schema.insert("description".to_owned(), json!(text));
    } else {
        schema.shift_insert(0, "description".to_owned(), json!(text));
    }
}

/// Replaces the member `old` with `new`, in the same place.
fn replace(schema: &mut Map<String, Value>, old: &str, new: &str, value: Value) {
    let at = schema.keys().position(|key| key == old).unwrap_or(schema.len());
    schema.shift_remove(old);
    schema.shift_insert(at.min(schema.len()), new.to_owned(), value);
}
