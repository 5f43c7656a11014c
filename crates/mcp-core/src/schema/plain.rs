//! Normalisation: what a generated schema says, in the words that clients understand.

use super::{SchemaDialect, dialect, enumeration, format, walk};
use serde_json::{Map, Value};

/// Normalises a generated schema in place.
///
/// Number formats become bounds, text constants become enums, `true` becomes the empty schema where a value
/// is described, titles that repeat a definition's name go, and `"default": null` goes where `null` does not
/// fit.
pub(super) fn normalise(root: &mut Value, dialect: SchemaDialect) {
    walk::each_mut(root, &mut |schema| {
        format::normalise(schema);
        enumeration::normalise(schema);
        open_values(schema);
        drop_null_default(schema);
        if dialect == SchemaDialect::Plain {
            dialect::write_plain(schema);
        }
    });
    if let Some(Value::Object(defs)) = root.get_mut("$defs") {
        for (name, definition) in defs {
            drop_title(definition, name);
        }
    }
}

/// Removes the title of `schema` where it only repeats `name`.
fn drop_title(schema: &mut Value, name: &str) {
    if let Value::Object(members) = schema
        && members.get("title").is_some_and(|title| title == name)
    {
        members.shift_remove("title");
    }
}

/// Writes the schema of any value as `{}` in `properties` and `items`, where some clients refuse `true`.
fn open_values(schema: &mut Map<String, Value>) {
    walk::children_mut(schema, |keyword, child| {
        if matches!(keyword, "properties" | "items" | "prefixItems") && *child == Value::Bool(true) {
            *child = Value::Object(Map::new());
        }
    });
}

fn drop_null_default(schema: &mut Map<String, Value>) {
    if schema.get("default") != Some(&Value::Null) {
        return;
    }
    let typed = schema.contains_key("type") && !walk::has_type(schema, "null");
    let listed =
        schema.get("enum").and_then(Value::as_array).is_some_and(|values| !values.iter().any(Value::is_null));
    if typed || listed {
        schema.shift_remove("default");
    }
}
