//! Applying what a derivation changes, with everything that is wrong with it.

use super::{
    DerivedArgument,
    derivation::{Derivation, Problems},
    fill::{Fill, Source, fits},
    narrow::{check_of, narrow},
    surface::Surface,
};
use crate::{
    header::annotated_params,
    json::{Document, JsonLimits, RawJson, equal},
    schema::nearest,
};
use bytes::Bytes;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The longest name of an argument, in bytes.
const NAME_BYTES: usize = 128;

/// Applies a derivation; everything that cannot be done is noted.
pub(super) fn apply(surface: &mut Surface, derivation: &Derivation, problems: &mut Problems<'_>) {
    let mut changed = BTreeSet::new();
    let mut renamed = Vec::new();
    for (name, change) in &derivation.arguments {
        if !changed.insert(&**name) {
            problems.argument(name, "it is changed twice; put both changes into one");
            continue;
        }
        let Some(at) = surface.position(name) else {
            problems.argument(name, unknown(surface, name));
            continue;
        };
        if let Some(reason) = surface.whole.holds(name)
            && (change.name.is_some() || change.hidden || change.source.is_some())
        {
            problems.argument(name, reason);
            continue;
        }
        if change.hidden {
            hide(surface, at, name, change, problems);
        } else {
            show(surface, at, name, change, problems);
            renamed.extend(change.name.as_deref().map(|new| (at, new)));
        }
    }
    order(surface, derivation, problems, &mut renamed);
    // Renamed together at the end, so that two can change places.
    for (at, new) in renamed {
        if let Some(argument) = surface.arguments.get_mut(at) {
            if let Some(problem) = name_problem(new) {
                problems.argument(argument.published.as_deref().unwrap_or_default(), problem);
            }
            argument.published = Some(new.into());
        }
    }
    note_doubled(surface, problems);
}

fn unknown(surface: &Surface, name: &str) -> String {
    if surface.whole.names(name) {
        return "the tool's schema names it only in forms of the whole, such as `oneOf`, where it cannot be changed"
            .to_owned();
    }
    let known: Vec<&str> = surface.names().collect();
    match nearest(name, &known) {
        Some(near) => format!("there is no such argument; did you mean `{near}`?"),
        None if known.is_empty() => "there is no such argument; the tool has none".to_owned(),
        None => format!("there is no such argument; there are `{}`", known.join("`, `")),
    }
}

fn name_problem(name: &str) -> Option<String> {
    if name.is_empty() || name.len() > NAME_BYTES {
        return Some(format!("the name of an argument has 1 to {NAME_BYTES} bytes"));
    }
    name.contains(char::is_control).then(|| "the name of an argument has no control characters".to_owned())
}

/// Takes an argument out of what callers know.
fn hide(surface: &mut Surface, at: usize, name: &str, change: &DerivedArgument, problems: &mut Problems<'_>) {
    let Some(argument) = surface.arguments.get(at) else { return };
    if change.required {
        problems.argument(name, "it is hidden and required at once; choose one");
    }
    if change.name.is_some() || change.description.is_some() || !change.narrowings.is_empty() {
        problems
            .argument(name, "it is hidden, so nothing else of it is published; take the other changes out");
    }
    if change.source.is_none() && argument.required {
        problems.argument(
            name,
            "it is hidden without a value, and the tool requires it; use `.fixed(…)`, or give a default",
        );
    }
    let alone = json!({ "properties": { "value": &argument.schema } });
    if annotated_params(&alone).map_or(true, |params| !params.is_empty()) {
        problems.argument(
            name,
            "it is hidden, and its `x-mcp-header` would be lost; leave it visible, or take the header from the tool",
        );
    }
    let fill = fill(surface, at, name, change, problems);
    if let Some(argument) = surface.arguments.get_mut(at) {
        argument.published = None;
        argument.required = false;
        // A value of an earlier derivation goes on being given where this one names none.
        argument.fill = fill.or(argument.fill.take());
    }
}

/// Changes an argument that callers go on seeing, but for its name.
fn show(surface: &mut Surface, at: usize, name: &str, change: &DerivedArgument, problems: &mut Problems<'_>) {
    if change.required && change.source.is_some() {
        problems.argument(name, "it has a default and is required at once; choose one");
        return;
    }
    let Some(mut schema) = surface.arguments.get(at).map(|argument| argument.schema.clone()) else { return };
    for narrowing in &change.narrowings {
        if let Err(faults) = narrow(&mut schema, narrowing, &surface.root) {
            faults.into_iter().for_each(|fault| problems.argument(name, fault));
            return;
        }
    }
    if let Some(text) = &change.description {
        with_keywords(&mut schema, |keywords| {
            keywords.shift_remove("description");
            keywords.shift_insert(0, "description".to_owned(), json!(text));
        });
    }
    if change.required {
        // A call cannot come to it any more.
        with_keywords(&mut schema, |keywords| {
            keywords.shift_remove("default");
        });
    }
    if let Some(argument) = surface.arguments.get_mut(at) {
        argument.schema = schema;
    }
    if !change.narrowings.is_empty() && change.source.is_none() && !change.required {
        note_lost_default(surface, at, name, problems);
    }
    let fill = fill(surface, at, name, change, problems);
    let Some(argument) = surface.arguments.get_mut(at) else { return };
    match (fill, change.required) {
        (Some(fill), _) => {
            if let Fill::Value(value) = &fill {
                match published_default(value) {
                    Some(value) => with_keywords(&mut argument.schema, |keywords| {
                        keywords.insert("default".to_owned(), value);
                    }),
                    None => problems.argument(
                        name,
                        "its default has a number with more digits than a schema can publish; write fewer",
                    ),
                }
            }
            argument.fill = Some(fill);
            argument.required = false;
        }
        (None, true) => {
            argument.fill = None;
            argument.required = true;
        }
        (None, false) => {}
    }
}

/// The value that a change gives an argument, found to fit.
fn fill(
    surface: &Surface,
    at: usize,
    name: &str,
    change: &DerivedArgument,
    problems: &mut Problems<'_>,
) -> Option<Fill> {
    let argument = surface.arguments.get(at)?;
    let check = match check_of(&argument.schema, &surface.root) {
        Ok(check) => check,
        Err(problem) => {
            problems.argument(name, problem);
            return None;
        }
    };
    match change.source.as_ref()? {
        Source::Made(make) => Some(Fill::Made(make.clone(), check)),
        Source::Value(value) if fits(&check, value.get()) => Some(Fill::Value(value.clone())),
        // The value may be a secret, so it is not told.
        Source::Value(_) if change.hidden => {
            problems.argument(name, "the value that it is fixed to does not fit the tool's schema");
            None
        }
        Source::Value(value) => {
            problems.argument(name, format!("its default `{value}` does not fit its schema"));
            None
        }
        Source::Unwritten(reason) => {
            problems.argument(name, format!("its value is no JSON: {reason}"));
            None
        }
    }
}

/// Notes a default that a narrowing excludes: a call that leaves the argument out would come to it all the same.
fn note_lost_default(surface: &Surface, at: usize, name: &str, problems: &mut Problems<'_>) {
    let Some(argument) = surface.arguments.get(at) else { return };
    if let Some(default) = argument.schema.get("default")
        && check_of(&argument.schema, &surface.root).is_ok_and(|check| !fits(&check, &default.to_string()))
    {
        problems.argument(
            name,
            format!(
                "the tool's own default `{default}` does not fit the narrowing; give another, or require it"
            ),
        );
    }
}

/// A default as a schema publishes it; `None` when it would be another number there.
fn published_default(value: &RawJson) -> Option<Value> {
    let published: Value = serde_json::from_str(value.get()).ok()?;
    let document = |text: String| Document::parse(Bytes::from(text), &JsonLimits::widest()).ok();
    let (one, other) = (document(value.get().to_owned())?, document(published.to_string())?);
    equal(one.root(), other.root()).then_some(published)
}

/// Changes the keywords of a schema; one that takes anything becomes one with keywords.
fn with_keywords(schema: &mut Value, change: impl FnOnce(&mut Map<String, Value>)) {
    let mut keywords = match std::mem::take(schema) {
        Value::Object(keywords) => keywords,
        Value::Bool(false) => Map::from_iter([("not".to_owned(), json!({}))]),
        _ => Map::new(),
    };
    change(&mut keywords);
    *schema = Value::Object(keywords);
}

/// Puts the arguments that are named in front.
fn order(
    surface: &mut Surface,
    derivation: &Derivation,
    problems: &mut Problems<'_>,
    renamed: &mut [(usize, &str)],
) {
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    for name in &derivation.order {
        let hidden = derivation.arguments.iter().any(|(changed, change)| changed == name && change.hidden);
        match surface.position(name) {
            _ if hidden => problems.argument(name, "it has a place in the order, and is hidden"),
            None => problems.argument(name, unknown(surface, name)),
            Some(at) if places.contains_key(&at) => {
                problems.argument(name, "it has two places in the order");
            }
            Some(at) => {
                let place = places.len();
                places.insert(at, place);
            }
        }
    }
    let mut order: Vec<usize> = (0..surface.arguments.len()).collect();
    order.sort_by_key(|at| places.get(at).copied().unwrap_or(usize::MAX));
    for (at, _) in renamed {
        if let Some(place) = order.iter().position(|old| old == at) {
            *at = place;
        }
    }
    let mut old: Vec<_> = std::mem::take(&mut surface.arguments).into_iter().map(Some).collect();
    surface.arguments = order.into_iter().filter_map(|at| old.get_mut(at)?.take()).collect();
}

/// Notes names that two arguments have.
fn note_doubled(surface: &Surface, problems: &mut Problems<'_>) {
    let mut seen = BTreeMap::new();
    for argument in &surface.arguments {
        let Some(name) = argument.published.as_deref() else { continue };
        let doubled = seen.insert(name, &argument.original);
        if let Some(other) = doubled {
            problems.argument(
                &argument.original,
                format!("it is published as `{name}`, and so is `{other}`; give one of them another name"),
            );
        } else if argument.original.as_ref() != name && surface.whole.names(name) {
            problems.argument(
                &argument.original,
                format!(
                    "it is published as `{name}`, which forms of the whole name already; choose another name"
                ),
            );
        }
    }
}
