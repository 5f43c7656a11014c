//! Closing: an object that describes its members takes no others.
//!
//! Where one level describes members in several places (beside `oneOf`, through several parts of `allOf`),
//! `additionalProperties` would refuse the members that the other places describe. Such a level is closed by
//! `unevaluatedProperties`, and its parts stay open.

use super::{SchemaFault, fold::fold, reference, reference::Definitions, walk::children_mut};
use serde_json::{Map, Value, json};

/// The most levels of parts within parts.
const LEVELS: usize = 64;

/// Keywords under which a schema's parts describe the same value as the schema itself.
const IN_PLACE: [&str; 6] = ["allOf", "oneOf", "anyOf", "then", "else", "dependentSchemas"];

/// Closes the root and each object in it and in its definitions that lists `properties`.
///
/// An object that declares `additionalProperties` or `unevaluatedProperties` itself keeps it; a map stays as
/// it is; a schema with a bare `$ref` is left to its definition.
///
/// # Errors
/// [`SchemaFault::DanglingReference`]; [`SchemaFault::TooDeep`] for a type that flattens itself.
pub(super) fn close(root: &mut Map<String, Value>) -> Result<(), SchemaFault> {
    let defs = match root.shift_remove("$defs") {
        Some(Value::Object(defs)) => defs,
        _ => Map::new(),
    };
    let closer = Closer { defs: &defs };
    closer.closed(root, 0)?;
    root.entry("properties").or_insert_with(|| json!({}));
    if !declares(root) && closer.sources(root, 0)? == 0 {
        root.insert("additionalProperties".to_owned(), json!(false));
    }
    if defs.is_empty() {
        return Ok(());
    }
    let mut closed = defs.clone();
    for definition in closed.values_mut() {
        if let Value::Object(definition) = definition {
            closer.closed(definition, 0)?;
        }
    }
    root.insert("$defs".to_owned(), Value::Object(closed));
    Ok(())
}

/// Whether a schema stands by itself or is a part of a level that is closed as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Alone,
    Part,
}

struct Closer<'d> {
    defs: &'d Definitions,
}

impl Closer<'_> {
    /// Closes a schema that stands by itself.
    fn closed(&self, schema: &mut Map<String, Value>, level: usize) -> Result<(), SchemaFault> {
        if level > LEVELS {
            return Err(SchemaFault::TooDeep { limit: LEVELS });
        }
        fold(schema, self.defs)?;
        let sealed = declares(schema);
        let shared = has_empty_branch(schema) || (sealed && has_parts(schema));
        if shared || self.sources(schema, level)? > 1 {
            self.descend(schema, Place::Part, level)?;
            if !sealed {
                schema.insert("unevaluatedProperties".to_owned(), json!(false));
            }
            return Ok(());
        }
        self.descend(schema, Place::Alone, level)?;
        let lists = schema.get("properties").and_then(Value::as_object).is_some_and(|own| !own.is_empty());
        if lists && !sealed && !schema.contains_key("$ref") {
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
        Ok(())
    }

    /// Prepares a part of a level that is closed as a whole: nothing of its own is closed.
    fn part(&self, schema: &mut Map<String, Value>, level: usize) -> Result<(), SchemaFault> {
        if level > LEVELS {
            return Err(SchemaFault::TooDeep { limit: LEVELS });
        }
        fold(schema, self.defs)?;
        if let Some(Value::String(link)) = schema.get("$ref")
            && link != "#"
            && let Value::Object(target) = reference::definition(link, self.defs)?
            && self.describes(target, level + 1)?
        {
            // The definition is closed for those who use it alone, so this place needs its own open copy.
            let own = std::mem::take(schema);
            *schema = target.clone();
            schema.extend(own.into_iter().filter(|(key, _)| key != "$ref"));
            return self.part(schema, level + 1);
        }
        self.descend(schema, Place::Part, level)
    }

    /// Goes on with the schemas inside `schema`; parts of the same value stand in `place`.
    fn descend(
        &self,
        schema: &mut Map<String, Value>,
        place: Place,
        level: usize,
    ) -> Result<(), SchemaFault> {
        let mut outcome = Ok(());
        children_mut(schema, |keyword, child| {
            let Value::Object(child) = child else { return };
            if outcome.is_err() {
                return;
            }
            outcome = match keyword {
                "not" | "if" | "contains" | "propertyNames" | "contentSchema" | "$defs" | "definitions" => {
                    Ok(())
                }
                keyword if IN_PLACE.contains(&keyword) && place == Place::Part => self.part(child, level + 1),
                _ => self.closed(child, level + 1),
            };
        });
        outcome
    }

    /// Counts the places at this level that describe members of the object.
    fn sources(&self, schema: &Map<String, Value>, level: usize) -> Result<usize, SchemaFault> {
        let own = ["properties", "patternProperties"].iter().any(|keyword| {
            schema.get(*keyword).and_then(Value::as_object).is_some_and(|members| !members.is_empty())
        });
        let mut count = usize::from(own);
        if let Some(Value::String(link)) = schema.get("$ref")
            && link != "#"
            && let Value::Object(target) = reference::definition(link, self.defs)?
        {
            count += usize::from(self.describes(target, level + 1)?);
        }
        for keyword in IN_PLACE {
            let describing = match schema.get(keyword) {
                Some(Value::Array(parts)) => self.count(parts.iter(), level)?,
                Some(Value::Object(parts)) if keyword == "dependentSchemas" => {
                    self.count(parts.values(), level)?
                }
                Some(part) => self.count(std::iter::once(part), level)?,
                None => 0,
            };
            // Branches exclude one another, parts of `allOf` do not.
            count += if matches!(keyword, "oneOf" | "anyOf") { describing.min(1) } else { describing };
        }
        Ok(count)
    }

    fn count<'s>(&self, parts: impl Iterator<Item = &'s Value>, level: usize) -> Result<usize, SchemaFault> {
        let mut count = 0;
        for part in parts {
            if let Value::Object(part) = part {
                count += usize::from(self.describes(part, level + 1)?);
            }
        }
        Ok(count)
    }

    fn describes(&self, schema: &Map<String, Value>, level: usize) -> Result<bool, SchemaFault> {
        if level > LEVELS {
            return Err(SchemaFault::TooDeep { limit: LEVELS });
        }
        Ok(declares(schema) || self.sources(schema, level)? > 0)
    }
}

fn has_parts(schema: &Map<String, Value>) -> bool {
    schema.contains_key("$ref") || IN_PLACE.iter().any(|keyword| schema.contains_key(*keyword))
}

/// Says whether an object has a branch that says nothing, as a flattened `Option` leaves it.
///
/// Such a branch stands for "none of these members", not for "any members".
fn has_empty_branch(schema: &Map<String, Value>) -> bool {
    schema.get("type").is_some_and(|name| name == "object")
        && schema
            .get("anyOf")
            .and_then(Value::as_array)
            .is_some_and(|branches| branches.contains(&Value::Object(Map::new())))
}

/// Says whether an object states itself what other members it takes.
fn declares(schema: &Map<String, Value>) -> bool {
    schema.contains_key("additionalProperties") || schema.contains_key("unevaluatedProperties")
}
