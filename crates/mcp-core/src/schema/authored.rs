//! Schemas written by hand: checked, never changed.

use super::{PublishedSchema, SchemaBounds, SchemaFault, generate::DIALECT, reference, walk};
use serde_json::Value;
use std::collections::BTreeSet;

/// The dialects that a schema written by hand may declare.
const SUPPORTED: [&str; 3] =
    [DIALECT, "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema"];

/// Checks an input schema written by hand and publishes it exactly as it is.
///
/// Nothing is closed, folded or reordered. The root must say `"type": "object"`, references must stay in the
/// document, and the dialect, if declared, must be 2020-12, 2019-09 or draft-07. Without one it is 2020-12.
///
/// # Errors
/// Every [`SchemaFault`] that concerns the root, the dialect, references, validity and bounds.
pub fn authored_input(schema: Value, bounds: &SchemaBounds) -> Result<PublishedSchema, SchemaFault> {
    bounds.check_depth(&schema)?;
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err(SchemaFault::RootType);
    }
    authored(schema, bounds)
}

/// Checks a schema written by hand, whatever its root.
pub(super) fn authored(schema: Value, bounds: &SchemaBounds) -> Result<PublishedSchema, SchemaFault> {
    bounds.check_depth(&schema)?;
    check_dialect(&schema)?;
    let mut names = BTreeSet::new();
    identifiers(&schema, &mut names);
    check_references(&schema, &schema, &names)?;
    PublishedSchema::proved(schema, bounds)
}

fn check_dialect(schema: &Value) -> Result<(), SchemaFault> {
    let Some(declared) = schema.get("$schema") else { return Ok(()) };
    let name = declared.as_str().unwrap_or_default();
    if name == DIALECT || SUPPORTED.contains(&name.trim_end_matches('#')) {
        return Ok(());
    }
    Err(SchemaFault::UnsupportedDialect { dialect: name.to_owned() })
}

/// Collects the identifiers that the document gives to its own parts.
fn identifiers<'s>(schema: &'s Value, names: &mut BTreeSet<&'s str>) {
    let Value::Object(members) = schema else { return };
    if let Some(Value::String(name)) = members.get("$id") {
        names.insert(name.trim_end_matches('#'));
    }
    walk::children(members, |_, _, child| identifiers(child, names));
}

fn check_references(schema: &Value, root: &Value, names: &BTreeSet<&str>) -> Result<(), SchemaFault> {
    let Value::Object(members) = schema else { return Ok(()) };
    for keyword in ["$ref", "$dynamicRef"] {
        let Some(Value::String(reference)) = members.get(keyword) else { continue };
        let document = reference.split('#').next().unwrap_or_default();
        if !document.is_empty() && !names.contains(document) {
            return Err(SchemaFault::ExternalReference { reference: reference.clone() });
        }
        // Inside a part with an identifier of its own, pointers count from that part: the validator decides.
        if names.is_empty() && reference.starts_with("#/") && reference::resolve(reference, root).is_none() {
            return Err(SchemaFault::DanglingReference { reference: reference.clone() });
        }
    }
    let mut outcome = Ok(());
    walk::children(members, |_, _, child| {
        if outcome.is_ok() {
            outcome = check_references(child, root, names);
        }
    });
    outcome
}
