//! What a schema says about one place in the arguments.

use crate::{
    json::{Kind, Node},
    schema::{reference, walk},
};
use serde_json::{Map, Value};

/// The most links and branches gone through for one place.
const STEPS: usize = 16;

/// The schemas that apply to one value, references followed and decided branches taken.
pub(super) struct Spot<'s> {
    document: &'s Value,
    parts: Vec<&'s Map<String, Value>>,
}

impl<'s> Spot<'s> {
    /// Collects what applies to `node` at `schema`.
    pub(super) fn at(document: &'s Value, schema: &'s Value, node: Node<'_>) -> Self {
        let mut spot = Self { document, parts: Vec::new() };
        spot.gather(schema, node, STEPS);
        spot
    }

    fn gather(&mut self, schema: &'s Value, node: Node<'_>, steps: usize) {
        let (Value::Object(members), Some(steps)) = (schema, steps.checked_sub(1)) else { return };
        self.parts.push(members);
        if let Some(target) = target(self.document, members) {
            self.gather(target, node, steps);
        }
        if let Some(Value::Array(parts)) = members.get("allOf") {
            parts.iter().for_each(|part| self.gather(part, node, steps));
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = members.get(keyword) else { continue };
            let mut open = branches.iter().filter(|branch| is_open(self.document, branch, node, steps));
            if let (Some(only), None) = (open.next(), open.next()) {
                self.gather(only, node, steps);
            }
        }
    }

    /// Says whether a number is declared here and text is not.
    pub(super) fn wants_number(&self) -> bool {
        (self.names("integer") || self.names("number")) && !self.names("string")
    }

    /// Says whether an integer is declared here and no other number.
    pub(super) fn wants_integer(&self) -> bool {
        self.names("integer") && !self.names("number")
    }

    /// Says whether a member may be left out.
    pub(super) fn may_lack(&self, name: &str) -> bool {
        !self.parts.iter().any(|part| {
            part.get("required")
                .and_then(Value::as_array)
                .is_some_and(|names| names.iter().any(|own| own == name))
        })
    }

    /// The schema of a member that is listed by name.
    pub(super) fn listed(&self, name: &str) -> Option<&'s Value> {
        self.parts.iter().find_map(|part| part.get("properties")?.get(name))
    }

    /// The schema of a member, listed or not.
    pub(super) fn member(&self, name: &str) -> Option<&'s Value> {
        self.listed(name).or_else(|| {
            self.parts.iter().find_map(|part| {
                // A single pattern beside closed members is how a map with number keys is described.
                let patterns = part.get("patternProperties").and_then(Value::as_object);
                let pattern = patterns.filter(|all| all.len() == 1).and_then(|all| all.values().next());
                let rest = part.get("additionalProperties").or_else(|| part.get("unevaluatedProperties"));
                rest.filter(|rest| rest.is_object()).or(pattern)
            })
        })
    }

    /// The schema of an element.
    pub(super) fn element(&self, index: usize) -> Option<&'s Value> {
        self.parts.iter().find_map(|part| {
            let fixed = part.get("prefixItems").and_then(Value::as_array);
            fixed.and_then(|fixed| fixed.get(index)).or_else(|| part.get("items"))
        })
    }

    fn names(&self, kind: &str) -> bool {
        self.parts.iter().any(|part| walk::has_type(part, kind))
    }
}

/// Says whether a schema takes `null`, as far as it can be seen without compiling it.
pub(super) fn admits_null(document: &Value, schema: &Value) -> bool {
    admits_null_within(document, schema, STEPS)
}

fn admits_null_within(document: &Value, schema: &Value, steps: usize) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return true };
    let Value::Object(members) = schema else { return schema != &Value::Bool(false) };
    if members.contains_key("type") && !walk::has_type(members, "null") {
        return false;
    }
    if let Some(Value::Array(values)) = members.get("enum")
        && !values.iter().any(Value::is_null)
    {
        return false;
    }
    if members.get("const").is_some_and(|value| !value.is_null()) {
        return false;
    }
    if target(document, members).is_some_and(|target| !admits_null_within(document, target, steps)) {
        return false;
    }
    let branches = |keyword| members.get(keyword).and_then(Value::as_array);
    let admits = |branch: &Value| admits_null_within(document, branch, steps);
    ["anyOf", "oneOf"].iter().all(|keyword| branches(*keyword).is_none_or(|all| all.iter().any(admits)))
        && branches("allOf").is_none_or(|all| all.iter().all(admits))
}

fn target<'s>(document: &'s Value, members: &Map<String, Value>) -> Option<&'s Value> {
    reference::resolve(members.get("$ref")?.as_str()?, document)
}

/// Says whether a branch can still be meant: it is not bare `null`, and its kind, its required members and
/// its constants do not speak against it.
fn is_open(document: &Value, branch: &Value, node: Node<'_>, steps: usize) -> bool {
    let (Value::Object(members), Some(steps)) = (branch, steps.checked_sub(1)) else { return true };
    if members.get("type").is_some_and(|kind| kind == "null") {
        return node.is_null();
    }
    if target(document, members).is_some_and(|target| !is_open(document, target, node, steps)) {
        return false;
    }
    match node.kind() {
        Kind::Object => is_open_to_object(members, node),
        Kind::Array => !members.contains_key("type") || walk::has_type(members, "array"),
        _ => !walk::has_type(members, "object") && !walk::has_type(members, "array"),
    }
}

fn is_open_to_object(members: &Map<String, Value>, node: Node<'_>) -> bool {
    if members.contains_key("type") && !walk::has_type(members, "object") {
        return false;
    }
    let required = members.get("required").and_then(Value::as_array);
    let lacks = |name: &Value| name.as_str().is_some_and(|name| node.get(name).is_none());
    if required.is_some_and(|names| names.iter().any(lacks)) {
        return false;
    }
    let Some(Value::Object(properties)) = members.get("properties") else { return true };
    !properties.iter().any(|(name, schema)| {
        let values = schema.get("enum").and_then(Value::as_array).filter(|values| values.len() == 1);
        let wanted = schema.get("const").or_else(|| values?.first()).and_then(Value::as_str);
        wanted.is_some_and(|wanted| node.get(name).is_some_and(|given| !given.str_eq(wanted)))
    })
}
