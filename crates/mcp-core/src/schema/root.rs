//! The root of an input schema: an object, or a fault that says what to write instead.

use super::{SchemaFault, reference, reference::Definitions, walk};
use serde_json::{Map, Value, json};
use std::fmt;

/// The most `$ref` links followed from a root.
const LINKS: usize = 32;

/// What a type that cannot hold named arguments describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RootKind {
    /// A string.
    Text,
    /// A number or an integer.
    Number,
    /// A boolean.
    Boolean,
    /// A list or a tuple.
    List,
    /// Any JSON value.
    Anything,
    /// An object that may be missing.
    Optional,
    /// An enum of which no variant is an object.
    Variants,
}

impl RootKind {
    /// Says what to write instead.
    pub(super) fn instead(self) -> &'static str {
        match self {
            Self::Text | Self::Number | Self::Boolean => {
                "name the argument at registration, or use a struct with a field for it"
            }
            Self::List => {
                "name the argument at registration, or use a struct with a field that holds the list"
            }
            Self::Anything => "use a struct with a field of this type, or a map from text to this type",
            Self::Optional => "use the struct itself and make its fields optional",
            Self::Variants => "use a struct with a field of this type, or give every variant named fields",
        }
    }
}

impl fmt::Display for RootKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Text => "a string",
            Self::Number => "a number",
            Self::Boolean => "a boolean",
            Self::List => "a list",
            Self::Anything => "any JSON value",
            Self::Optional => "an optional object",
            Self::Variants => "an enum without object variants",
        })
    }
}

/// Turns a type's schema into an object schema: links followed, branches that no object takes dropped.
///
/// A unit type becomes the object without members.
///
/// # Errors
/// [`SchemaFault::NotAnObject`], [`SchemaFault::DanglingReference`] or [`SchemaFault::TooDeep`].
pub(super) fn object_root(schema: &Value, defs: &Definitions) -> Result<Map<String, Value>, SchemaFault> {
    let schema = follow(schema, defs)?;
    let Value::Object(members) = schema else { return Err(fault(RootKind::Anything)) };
    match members.get("type") {
        Some(Value::String(name)) => return typed(name, members),
        Some(Value::Array(names)) => {
            let object = names.iter().any(|name| name == "object");
            return Err(fault(if object { RootKind::Optional } else { RootKind::Variants }));
        }
        _ => {}
    }
    for keyword in ["oneOf", "anyOf"] {
        if let Some(Value::Array(branches)) = members.get(keyword) {
            return branched(members, keyword, branches, defs);
        }
    }
    if let Some(Value::Array(parts)) = members.get("allOf")
        && parts.iter().any(|part| object_root(part, defs).is_ok())
    {
        return Ok(as_object(members.clone()));
    }
    if members.contains_key("const") || members.contains_key("enum") {
        return Err(fault(RootKind::Variants));
    }
    Err(fault(RootKind::Anything))
}

/// Follows `$ref` while a schema says nothing else that matters.
fn follow<'s>(mut schema: &'s Value, defs: &'s Definitions) -> Result<&'s Value, SchemaFault> {
    for _ in 0..LINKS {
        let Some(Value::String(link)) = schema.get("$ref") else { return Ok(schema) };
        let only = schema.as_object().is_some_and(|members| members.keys().all(|key| is_note(key)));
        if !only {
            return Ok(schema);
        }
        schema = reference::definition(link, defs)?;
    }
    Err(SchemaFault::TooDeep { limit: LINKS })
}

/// Says whether `keyword` only annotates a reference.
fn is_note(keyword: &str) -> bool {
    matches!(keyword, "$ref" | "description" | "title" | "deprecated" | "examples")
}

fn typed(name: &str, members: &Map<String, Value>) -> Result<Map<String, Value>, SchemaFault> {
    match name {
        "object" => Ok(members.clone()),
        "null" => Ok(as_object(Map::new())),
        "array" => Err(fault(RootKind::List)),
        "string" if members.contains_key("enum") || members.contains_key("const") => {
            Err(fault(RootKind::Variants))
        }
        "string" => Err(fault(RootKind::Text)),
        "boolean" => Err(fault(RootKind::Boolean)),
        _ => Err(fault(RootKind::Number)),
    }
}

fn branched(
    members: &Map<String, Value>,
    keyword: &str,
    branches: &[Value],
    defs: &Definitions,
) -> Result<Map<String, Value>, SchemaFault> {
    let mut objects = Vec::new();
    let mut described = false;
    for branch in branches {
        match follow(branch, defs)? {
            Value::Object(inner) if walk::has_type(inner, "null") => return Err(fault(RootKind::Optional)),
            inner if inner.get("$ref").is_some() || object_root(inner, defs).is_ok() => {
                described = true;
                objects.push(branch.clone());
            }
            Value::Bool(true) => objects.push(json!({ "type": "object" })),
            Value::Object(inner) if inner.keys().all(|key| is_note(key)) => {
                objects.push(Value::Object(as_object(inner.clone())));
            }
            _ => {}
        }
    }
    if !described {
        return Err(fault(RootKind::Variants));
    }
    let mut root = members.clone();
    root.insert(keyword.to_owned(), Value::Array(objects));
    Ok(as_object(root))
}

/// Puts `"type": "object"` first.
fn as_object(members: Map<String, Value>) -> Map<String, Value> {
    let mut root = Map::new();
    root.insert("type".to_owned(), json!("object"));
    root.extend(members);
    root
}

fn fault(found: RootKind) -> SchemaFault {
    SchemaFault::NotAnObject { found }
}
