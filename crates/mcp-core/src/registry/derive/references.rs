//! References within a schema whose root changes.

use crate::schema::walk;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Where definitions stand.
const HOLDERS: [&str; 2] = ["$defs", "definitions"];

/// Keywords of documents that name their parts otherwise than by their place.
const BY_NAME: [&str; 6] =
    ["$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$dynamicRef", "$recursiveRef"];

/// A keyword by which the document names its parts otherwise than by their place, if there is one.
pub(super) fn named_parts(schema: &Value) -> Option<&'static str> {
    let Value::Object(members) = schema else { return None };
    if let Some(keyword) = BY_NAME.into_iter().find(|keyword| members.contains_key(*keyword)) {
        return Some(keyword);
    }
    let mut found = None;
    walk::children(members, |_, _, child| found = found.or_else(|| named_parts(child)));
    found
}

/// Lets references that lead to the root, or into it, lead to a copy among the definitions, which stays as it is.
///
/// A type that contains itself goes on containing itself and not what is derived from it.
pub(super) fn detach_root(root: &mut Map<String, Value>) {
    let mut whole = Value::Object(std::mem::take(root));
    let mut any = false;
    each_reference(&mut whole, &mut |link| any |= leads_into_root(link));
    if let Value::Object(members) = &mut whole
        && any
    {
        let holder = if is_draft_7(members) { "definitions" } else { "$defs" };
        let mut copy = members.clone();
        for keyword in ["$schema", "$defs", "definitions"] {
            copy.shift_remove(keyword);
        }
        let taken = members.get(holder).and_then(Value::as_object);
        let name = (1..)
            .map(|number| format!("original{number}"))
            .find(|name| taken.is_none_or(|taken| !taken.contains_key(name)));
        if let Some(name) = name
            && let Value::Object(definitions) =
                members.entry(holder).or_insert_with(|| Value::Object(Map::new()))
        {
            definitions.insert(name.clone(), Value::Object(copy));
            each_reference(&mut whole, &mut |link| {
                if leads_into_root(link) {
                    *link = format!("#/{holder}/{name}{}", link.trim_start_matches('#'));
                }
            });
        }
    }
    if let Value::Object(members) = whole {
        *root = members;
    }
}

/// Removes the definitions that nothing reachable names, so that what is hidden is described nowhere.
pub(super) fn prune(root: &mut Map<String, Value>) {
    let mut reached = BTreeSet::new();
    let mut pending = Vec::new();
    for (_, value) in root.iter().filter(|(keyword, _)| !HOLDERS.contains(&keyword.as_str())) {
        collect(value, &mut pending);
    }
    while let Some(link) = pending.pop() {
        let Some((holder, name)) = definition(&link) else { continue };
        if let Some(target) = root.get(holder).and_then(|definitions| definitions.get(&name))
            && reached.insert((holder, name))
        {
            collect(target, &mut pending);
        }
    }
    for holder in HOLDERS {
        let Some(Value::Object(definitions)) = root.get_mut(holder) else { continue };
        definitions.retain(|name, _| reached.contains(&(holder, name.clone())));
        if definitions.is_empty() {
            root.shift_remove(holder);
        }
    }
}

/// Says whether the document declares draft 7, where nothing counts beside a reference.
pub(super) fn is_draft_7(root: &Map<String, Value>) -> bool {
    root.get("$schema").and_then(Value::as_str).is_some_and(|dialect| dialect.contains("draft-07"))
}

fn leads_into_root(link: &str) -> bool {
    let fragment = link.strip_prefix('#');
    fragment.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) && definition(link).is_none()
}

/// Where a definition stands and its name, for a reference to it or into it.
fn definition(link: &str) -> Option<(&'static str, String)> {
    let pointer = percent_decode_str(link.strip_prefix("#/")?).decode_utf8().ok()?;
    let mut steps = pointer.split('/');
    let first = steps.next()?;
    let holder = HOLDERS.into_iter().find(|holder| *holder == first)?;
    Some((holder, steps.next()?.replace("~1", "/").replace("~0", "~")))
}

fn each_reference(schema: &mut Value, change: &mut impl FnMut(&mut String)) {
    let Value::Object(members) = schema else { return };
    if let Some(Value::String(link)) = members.get_mut("$ref") {
        change(link);
    }
    walk::children_mut(members, |_, child| each_reference(child, change));
}

/// Collects references wherever they stand in `value`, even where no schema is: one too many keeps a definition.
fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(link)) = members.get("$ref") {
                found.push(link.clone());
            }
            members.values().for_each(|member| collect(member, found));
        }
        Value::Array(elements) => elements.iter().for_each(|element| collect(element, found)),
        _ => {}
    }
}
