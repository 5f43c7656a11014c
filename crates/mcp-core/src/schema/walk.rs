//! Where schemas stand inside a schema.

use serde_json::{Map, Value};

/// Keywords whose value is one schema.
const SINGLE: [&str; 12] = [
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "propertyNames",
    "contentSchema",
    "additionalItems",
];

/// Keywords whose value is a list of schemas.
const LIST: [&str; 4] = ["prefixItems", "anyOf", "oneOf", "allOf"];

/// Keywords whose value maps names to schemas.
const MAP: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// How a keyword holds schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// The value is a schema.
    One,
    /// The value is a list of schemas.
    List,
    /// The value maps names to schemas.
    Map,
    /// The value is no schema.
    Nothing,
}

/// Says how `keyword` holds schemas.
pub(crate) fn holds(keyword: &str) -> Holds {
    if SINGLE.contains(&keyword) {
        Holds::One
    } else if LIST.contains(&keyword) {
        Holds::List
    } else if MAP.contains(&keyword) {
        Holds::Map
    } else {
        Holds::Nothing
    }
}

/// Calls `visit` with every direct subschema of `schema`, the keyword it stands under, and its own key.
pub(crate) fn children<'s>(schema: &'s Map<String, Value>, mut visit: impl FnMut(&'s str, &str, &'s Value)) {
    for (keyword, value) in schema {
        match (holds(keyword), value) {
            (Holds::One, Value::Array(list)) | (Holds::List, Value::Array(list)) => {
                for (at, member) in list.iter().enumerate() {
                    visit(keyword, &at.to_string(), member);
                }
            }
            (Holds::One, member) => visit(keyword, "", member),
            (Holds::Map, Value::Object(members)) => {
                for (name, member) in members {
                    visit(keyword, name, member);
                }
            }
            _ => {}
        }
    }
}

/// Calls `visit` with every direct subschema of `schema` and the keyword it stands under.
pub(crate) fn children_mut(schema: &mut Map<String, Value>, mut visit: impl FnMut(&str, &mut Value)) {
    for (keyword, value) in schema {
        match (holds(keyword), value) {
            (Holds::One, Value::Array(list)) | (Holds::List, Value::Array(list)) => {
                list.iter_mut().for_each(|member| visit(keyword, member));
            }
            (Holds::One, member) => visit(keyword, member),
            (Holds::Map, Value::Object(members)) => {
                members.values_mut().for_each(|member| visit(keyword, member));
            }
            _ => {}
        }
    }
}

/// Applies `change` to every schema in `schema`, inner ones first.
pub(crate) fn each_mut(schema: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    if let Value::Object(members) = schema {
        children_mut(members, |_, child| each_mut(child, change));
        change(members);
    }
}

/// Says whether `schema` has the single type `name`.
pub(crate) fn has_type(schema: &Map<String, Value>, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(own)) => own == name,
        Some(Value::Array(list)) => list.iter().any(|own| own == name),
        _ => false,
    }
}
