//! Local references: following them, and dropping definitions that nothing names.

use super::{SchemaFault, walk};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The definitions of one schema, by name.
pub(super) type Definitions = Map<String, Value>;

/// Gives the name under `$defs` that `reference` stands for, if it has the form `#/$defs/name`.
pub(super) fn definition_name(reference: &str) -> Option<String> {
    let encoded = reference.strip_prefix("#/$defs/").filter(|rest| !rest.contains('/'))?;
    let decoded = percent_decode_str(encoded).decode_utf8().ok()?;
    Some(decoded.replace("~1", "/").replace("~0", "~"))
}

/// Finds the definition that `reference` names.
///
/// # Errors
/// [`SchemaFault::DanglingReference`] when there is none.
pub(super) fn definition<'d>(reference: &str, defs: &'d Definitions) -> Result<&'d Value, SchemaFault> {
    definition_name(reference)
        .and_then(|name| defs.get(&name))
        .ok_or_else(|| SchemaFault::DanglingReference { reference: reference.to_owned() })
}

/// Finds the schema that a local `reference` names inside the whole document.
pub(crate) fn resolve<'d>(reference: &str, document: &'d Value) -> Option<&'d Value> {
    let fragment = reference.strip_prefix('#')?;
    if fragment.is_empty() {
        return Some(document);
    }
    if !fragment.starts_with('/') {
        return None;
    }
    let pointer = percent_decode_str(fragment).decode_utf8().ok()?;
    document.pointer(&pointer)
}

/// Removes the definitions that nothing reachable from the root names; checks that named ones exist.
///
/// # Errors
/// [`SchemaFault::DanglingReference`] for a reference without a definition.
pub(super) fn prune(root: &mut Value) -> Result<(), SchemaFault> {
    let Some(members) = root.as_object_mut() else { return Ok(()) };
    let Some(Value::Object(mut defs)) = members.shift_remove("$defs") else {
        let mut references = Vec::new();
        collect(root, &mut references);
        return match references.into_iter().find(|reference| reference != "#") {
            Some(reference) => Err(SchemaFault::DanglingReference { reference }),
            None => Ok(()),
        };
    };
    let mut reached = BTreeSet::new();
    let mut pending = Vec::new();
    collect(root, &mut pending);
    while let Some(reference) = pending.pop() {
        if reference == "#" {
            continue;
        }
        let target = definition(&reference, &defs)?;
        if definition_name(&reference).is_some_and(|name| reached.insert(name)) {
            collect(target, &mut pending);
        }
    }
    defs.retain(|name, _| reached.contains(name));
    if let (false, Some(members)) = (defs.is_empty(), root.as_object_mut()) {
        members.insert("$defs".to_owned(), Value::Object(defs));
    }
    Ok(())
}

/// Adds every `$ref` inside `schema` to `found`.
fn collect(schema: &Value, found: &mut Vec<String>) {
    let Value::Object(members) = schema else { return };
    if let Some(Value::String(reference)) = members.get("$ref") {
        found.push(reference.clone());
    }
    walk::children(members, |_, _, child| collect(child, found));
}
