//! What a generated schema comes to: references followed, `null` for optional values dropped.

use super::{FieldShape, reference, reference::Definitions};
use serde_json::{Map, Value};

/// The most references followed for one value.
const LINKS: usize = 32;

/// Follows references and branches that stand alone; what is said outside stands above what is said inside.
///
/// # Errors
/// The shape of a value that has no members, or no end.
pub(super) fn resolve(schema: &Value, defs: &Definitions) -> Result<Map<String, Value>, FieldShape> {
    let mut said = Map::new();
    let mut current = schema.clone();
    for _ in 0..LINKS {
        let Value::Object(mut members) = current else { return Err(FieldShape::Anything) };
        drop_null(&mut members);
        let Some(inner) = inner(&mut members, defs)? else {
            members.extend(said);
            return Ok(members);
        };
        for (keyword, value) in members {
            said.entry(keyword).or_insert(value);
        }
        current = inner;
    }
    Err(FieldShape::Endless)
}

/// Takes the schema that stands for the whole value, if there is one.
fn inner(members: &mut Map<String, Value>, defs: &Definitions) -> Result<Option<Value>, FieldShape> {
    if let Some(link) = members.shift_remove("$ref") {
        let link = link.as_str().unwrap_or_default();
        let mut target = reference::definition(link, defs).map_err(|_| FieldShape::Endless)?.clone();
        let name = reference::definition_name(link).unwrap_or_default();
        if let Some(members) = target.as_object_mut()
            && members.get("title").is_some_and(|title| *title == *name)
        {
            members.shift_remove("title");
        }
        return Ok(Some(target));
    }
    for keyword in ["anyOf", "allOf"] {
        if members.get(keyword).and_then(Value::as_array).is_some_and(|branches| branches.len() == 1)
            && let Some(Value::Array(mut branches)) = members.shift_remove(keyword)
        {
            return Ok(branches.pop());
        }
    }
    Ok(None)
}

/// Leaves out `null`: in a form, an optional field is one that is not required.
fn drop_null(members: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = members.get_mut("type")
        && kinds.len() > 1
    {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            members.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = members.get_mut(keyword)
            && branches.len() > 1
        {
            branches.retain(|branch| branch.get("type").is_none_or(|kind| kind != "null"));
        }
    }
    if members.get("default").is_some_and(Value::is_null) {
        members.shift_remove("default");
    }
}
