//! Narrowing a schema by keywords, so that it never takes more than before.

use super::{fill::fits, kinds::Kinds, references::is_draft_7};
use crate::{
    json::{Document, JsonLimits, Validator, compile},
    schema::{nearest, walk},
};
use bytes::Bytes;
use serde_json::{Map, Value, json};

/// Keywords that lead elsewhere, or mean something beyond the value at hand.
const FOREIGN: [&str; 12] = [
    "$schema",
    "$id",
    "$ref",
    "$defs",
    "definitions",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
    "x-mcp-header",
    "default",
];

/// Keywords that may stand in a narrowing, beside those that are about one kind of value.
const GENERAL: [&str; 20] = [
    "type",
    "enum",
    "const",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "title",
    "description",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "unevaluatedItems",
    "unevaluatedProperties",
    "dependentSchemas",
];

/// Keywords about numbers.
const NUMBERS: [&str; 5] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/// Keywords about text.
const TEXTS: [&str; 6] =
    ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"];

/// Keywords about lists.
const LISTS: [&str; 8] =
    ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains"];

/// Keywords about objects.
const OBJECTS: [&str; 8] = [
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "patternProperties",
    "additionalProperties",
    "dependentRequired",
];

/// Keywords about what their neighbours say nothing of.
const UNEVALUATED: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];

/// Bounds of which the lower one is the narrower.
const UPPER: [&str; 5] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/// Bounds of which the higher one is the narrower.
const LOWER: [&str; 5] = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];

/// Pairs of bounds between which nothing is left when the first is above the second.
const PAIRS: [(&str, &str); 4] = [
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
];

/// Checks values against a schema as a member of a document with definitions.
///
/// The check is of an object whose one member `value` the value is.
pub(super) fn check_of(schema: &Value, root: &Map<String, Value>) -> Result<Validator, String> {
    let mut document = Map::new();
    for keyword in ["$schema", "$defs", "definitions"] {
        if let Some(value) = root.get(keyword) {
            document.insert(keyword.to_owned(), value.clone());
        }
    }
    document.insert("properties".to_owned(), json!({ "value": schema }));
    compile(&Value::Object(document)).map_err(|fault| fault.to_string())
}

/// Narrows `schema`, which stands in a document with the definitions of `root`, by `narrowing`.
///
/// # Errors
/// Everything for which it would take more than before, take nothing, or mean nothing; `schema` is not to be used then.
pub(super) fn narrow(
    schema: &mut Value,
    narrowing: &Value,
    root: &Map<String, Value>,
) -> Result<(), Vec<String>> {
    let Value::Object(keywords) = narrowing else {
        return Err(vec!["a narrowing is an object of keywords, such as `{ \"maximum\": 10 }`".to_owned()]);
    };
    if let Some(keyword) = foreign(keywords) {
        return Err(vec![format!("`{keyword}` has no place in a narrowing; take it out")]);
    }
    if let Some(problem) = unknown(keywords) {
        return Err(vec![problem]);
    }
    if let Err(fault) = compile(narrowing) {
        return Err(vec![format!("the narrowing is no valid schema: {fault}")]);
    }
    let document = Value::Object(root.clone());
    let mut problems = Vec::new();
    note_other_types(schema, narrowing, &document, "", &mut problems);
    let before = check_of(schema, root).map_err(|problem| vec![problem])?;
    note_other_values(keywords, &before, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut merged = match std::mem::take(schema) {
        // In draft 7 nothing counts beside a reference, and what the schema leaves unevaluated must not count as
        // evaluated because the narrowing speaks of it: so the schema becomes a part.
        Value::Object(own)
            if (own.contains_key("$ref") && is_draft_7(root))
                || (UNEVALUATED.iter().any(|keyword| own.contains_key(*keyword))
                    && keywords.keys().any(|keyword| is_structural(keyword))) =>
        {
            Map::from_iter([("allOf".to_owned(), json!([own]))])
        }
        Value::Object(own) => own,
        other => {
            let mut members = Map::new();
            if other == Value::Bool(false) {
                members.insert("not".to_owned(), json!({}));
            }
            members
        }
    };
    // Examples were chosen for what the tool takes, and some may not fit any more.
    merged.shift_remove("examples");
    let (together, alone): (Vec<_>, Vec<_>) =
        keywords.iter().partition(|(keyword, _)| is_structural(keyword));
    for (keyword, value) in alone {
        if let Err(problem) = merge(&mut merged, keyword, value) {
            problems.push(problem);
        }
    }
    if together.iter().any(|(keyword, value)| merged.get(*keyword) != Some(value)) {
        // `if` means nothing without its `then`, and beside the schema's own it would be another's.
        let part = together.into_iter().map(|(keyword, value)| (keyword.clone(), value.clone()));
        also(&mut merged, part.collect());
    }
    note_emptiness(&merged, &mut problems);
    *schema = Value::Object(merged);
    if let (true, Ok(after)) = (problems.is_empty(), check_of(schema, root)) {
        for value in values(keywords).filter(|value| !fits(&after, &value.to_string())) {
            problems.push(format!("no call could use `{value}`, which the other keywords exclude"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The values that `enum` and `const` of a narrowing name.
fn values(keywords: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let listed = keywords.get("enum").and_then(Value::as_array).into_iter().flatten();
    listed.chain(keywords.get("const"))
}

fn foreign(keywords: &Map<String, Value>) -> Option<&'static str> {
    if let Some(keyword) = FOREIGN.into_iter().find(|keyword| keywords.contains_key(*keyword)) {
        return Some(keyword);
    }
    let mut found = None;
    walk::children(keywords, |_, _, child| {
        found = found.or_else(|| foreign(child.as_object()?));
    });
    found
}

/// Notes types that the schema does not have, and keywords that say nothing about those it has; goes into items and
/// members as far as both schemas describe them in place.
fn note_other_types(
    schema: &Value,
    narrowing: &Value,
    document: &Value,
    place: &str,
    problems: &mut Vec<String>,
) {
    let Value::Object(keywords) = narrowing else { return };
    let kinds = Kinds::of(schema, document);
    if let Some(named) = keywords.get("type") {
        let wanted = Kinds::of(&json!({ "type": named }), document);
        if !wanted.is_within(kinds) {
            problems.push(format!(
                "{place}`type` names {}, and the tool takes {} there",
                wanted.words(),
                kinds.words()
            ));
        }
    }
    for keyword in keywords.keys() {
        let about = about(keyword);
        if kinds.and(about) == Kinds::NONE {
            problems.push(format!(
                "{place}`{keyword}` is about {}, and the tool takes {} there",
                about.words(),
                kinds.words()
            ));
        }
    }
    let Value::Object(own) = schema else { return };
    if let (Some(own), Some(narrowing)) = (own.get("items"), keywords.get("items")) {
        note_other_types(own, narrowing, document, &format!("{place}in `items`: "), problems);
    }
    let members = |of: &Map<String, Value>| of.get("properties").and_then(Value::as_object).cloned();
    if let (Some(own), Some(narrowings)) = (members(own), members(keywords)) {
        for (name, narrowing) in &narrowings {
            match own.get(name) {
                Some(own) => {
                    note_other_types(own, narrowing, document, &format!("{place}in `{name}`: "), problems);
                }
                None => problems.push(format!("{place}the tool describes no member `{name}` there")),
            }
        }
    }
}

/// The kinds of value about which a keyword says something.
fn about(keyword: &str) -> Kinds {
    let groups: [(&[&str], Kinds); 4] = [
        (&NUMBERS, Kinds::NUMBER),
        (&TEXTS, Kinds::STRING),
        (&LISTS, Kinds::ARRAY),
        (&OBJECTS, Kinds::OBJECT),
    ];
    let group = groups.into_iter().find(|(keywords, _)| keywords.contains(&keyword));
    group.map_or(Kinds::ALL, |(_, kinds)| kinds)
}

/// A keyword that means nothing, with one that was perhaps meant.
fn unknown(keywords: &Map<String, Value>) -> Option<String> {
    let known: Vec<&str> = [&GENERAL[..], &NUMBERS, &TEXTS, &LISTS, &OBJECTS].concat();
    if let Some(keyword) = keywords.keys().find(|keyword| !known.contains(&keyword.as_str())) {
        return Some(match nearest(keyword, &known) {
            Some(near) => format!("`{keyword}` is no keyword of JSON Schema; did you mean `{near}`?"),
            None => format!("`{keyword}` is no keyword of JSON Schema that narrows; take it out"),
        });
    }
    let mut found = None;
    walk::children(keywords, |_, _, child| {
        if found.is_none() {
            found = child.as_object().and_then(unknown);
        }
    });
    found
}

/// Notes values of `enum` and `const` that the schema does not take.
fn note_other_values(keywords: &Map<String, Value>, before: &Validator, problems: &mut Vec<String>) {
    if keywords.get("enum").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        problems.push("`enum` has no value; give at least one".to_owned());
    }
    for value in values(keywords).filter(|value| !fits(before, &value.to_string())) {
        problems.push(format!("the tool does not take `{value}`"));
    }
}

/// Adds a keyword whose neighbours do not matter to what the schema says; where it says the same keyword already, the narrower one holds.
fn merge(schema: &mut Map<String, Value>, keyword: &str, value: &Value) -> Result<(), String> {
    let Some(own) = schema.get(keyword).cloned() else { return put(schema, keyword, value) };
    let wider = || Err(format!("`{keyword}` is `{value}`, and the tool's own is `{own}`, which is narrower"));
    if own == *value {
        return Ok(());
    }
    if UPPER.contains(&keyword) {
        return if is_at_most(value, &own) { put(schema, keyword, value) } else { wider() };
    }
    if LOWER.contains(&keyword) {
        return if is_at_most(&own, value) { put(schema, keyword, value) } else { wider() };
    }
    match keyword {
        // Each value and the type have been found to be among the schema's own.
        "type" | "enum" | "title" | "description" | "examples" | "deprecated" => put(schema, keyword, value),
        "uniqueItems" if own == json!(true) => wider(),
        "uniqueItems" => put(schema, keyword, value),
        _ => {
            also(schema, Map::from_iter([(keyword.to_owned(), value.clone())]));
            Ok(())
        }
    }
}

fn put(schema: &mut Map<String, Value>, keyword: &str, value: &Value) -> Result<(), String> {
    schema.insert(keyword.to_owned(), value.clone());
    Ok(())
}

/// Makes keywords a part of their own, which holds beside what the schema says.
fn also(schema: &mut Map<String, Value>, part: Map<String, Value>) {
    let part = Value::Object(part);
    match schema.entry("allOf").or_insert_with(|| json!([])) {
        Value::Array(parts) => parts.push(part),
        other => *other = json!([part]),
    }
}

/// Says whether what a keyword means depends on its neighbours, or theirs on it.
fn is_structural(keyword: &str) -> bool {
    matches!(
        keyword,
        "items"
            | "prefixItems"
            | "contains"
            | "minContains"
            | "maxContains"
            | "properties"
            | "patternProperties"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "unevaluatedItems"
            | "if"
            | "then"
            | "else"
            | "allOf"
            | "anyOf"
            | "oneOf"
            | "not"
            | "dependentSchemas"
    )
}

/// Notes bounds between which nothing is left.
fn note_emptiness(schema: &Map<String, Value>, problems: &mut Vec<String>) {
    for (lower, upper) in PAIRS {
        if let (Some(least), Some(most)) = (schema.get(lower), schema.get(upper))
            && !is_at_most(least, most)
        {
            problems.push(format!("nothing is left: `{lower}` is `{least}` and `{upper}` is `{most}`"));
        }
    }
}

/// Compares two numbers exactly; anything else is not comparable.
fn is_at_most(one: &Value, other: &Value) -> bool {
    let check = compile(&json!({ "type": "number", "maximum": other }));
    let document = Document::parse(Bytes::from(one.to_string()), &JsonLimits::widest());
    matches!((check, document), (Ok(check), Ok(document)) if check.is_valid(document.root()))
}
