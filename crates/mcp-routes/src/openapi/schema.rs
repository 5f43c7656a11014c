//! Schemas of an OpenAPI document as schemas that stand by themselves.

use crate::describe::MakeSchema;
use schemars::Schema;
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, sync::Arc};

/// Where a document keeps its schemas.
const COMPONENTS: &str = "#/components/schemas/";
/// Where a schema that stands by itself keeps what it refers to.
const DEFINITIONS: &str = "#/$defs/";

/// The schemas of a document, by name.
pub(super) type Components = Arc<BTreeMap<String, Value>>;

/// Makes a schema of the document in a generator, with everything that it refers to.
pub(super) fn make(schema: Value, components: &Components) -> MakeSchema {
    let components = Arc::clone(components);
    MakeSchema::new(move |generator| {
        let mut wanted = Vec::new();
        let schema = rewritten(schema.clone(), &mut wanted);
        while let Some(name) = wanted.pop() {
            if generator.definitions().contains_key(&name) {
                continue;
            }
            let definition = components.get(&name).cloned().unwrap_or_default();
            let definition = rewritten(definition, &mut wanted);
            generator.definitions_mut().insert(name, definition);
        }
        Schema::try_from(schema).unwrap_or_default()
    })
}

/// A schema that stands by itself: what it refers to is in its `$defs`.
pub(super) fn whole(schema: &Value, components: &Components) -> Value {
    let mut wanted = Vec::new();
    let mut schema = rewritten(resolved(schema, components), &mut wanted);
    let mut definitions = Map::new();
    while let Some(name) = wanted.pop() {
        if !definitions.contains_key(&name) {
            let definition = components.get(&name).cloned().unwrap_or_default();
            let definition = rewritten(definition, &mut wanted);
            definitions.insert(name, definition);
        }
    }
    if let (Value::Object(members), false) = (&mut schema, definitions.is_empty()) {
        members.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

/// The schema of a response as an envelope, whose body it is.
pub(super) fn enveloped(body: &Value) -> Value {
    let mut body = body.clone();
    let definitions = body.as_object_mut().and_then(|members| members.remove("$defs"));
    let mut envelope = json!({
        "type": "object",
        "properties": {
            "status": { "description": "The HTTP status, such as 200", "type": "integer" },
            "headers": { "type": "object", "additionalProperties": { "type": "string" } },
            "body": body,
        },
        "required": ["status"],
    });
    if let (Some(members), Some(definitions)) = (envelope.as_object_mut(), definitions) {
        members.insert("$defs".to_owned(), definitions);
    }
    envelope
}

/// What a link at the root leads to: clients read the root alone.
fn resolved(schema: &Value, components: &Components) -> Value {
    let mut schema = schema;
    // A chain of links is no longer than there are schemas.
    for _ in 0..=components.len() {
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|link| link.strip_prefix(COMPONENTS));
        match name.and_then(|name| components.get(name)) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema.clone()
}

/// Turns links into the document into links within the schema; the names they lead to are added to `wanted`.
fn rewritten(mut schema: Value, wanted: &mut Vec<String>) -> Value {
    rewrite(&mut schema, wanted);
    schema
}

fn rewrite(schema: &mut Value, wanted: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (keyword, value) in members {
                match value {
                    Value::String(link) if keyword == "$ref" => {
                        if let Some(name) = link.strip_prefix(COMPONENTS).map(str::to_owned) {
                            *link = format!("{DEFINITIONS}{name}");
                            wanted.push(name);
                        }
                    }
                    value => rewrite(value, wanted),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rewrite(item, wanted)),
        _ => {}
    }
}
