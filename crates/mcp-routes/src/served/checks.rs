//! Whether what is said about an exposed route can be had.

use crate::{
    describe::Place,
    expose::{Description, Expose},
    operation::{Operation, PathTemplate, Resolved, Slot},
};
use mcp_core::schema::Presence;

/// What is exposed has a name: its own, or that of its handler.
pub(super) fn check_name(
    expose: &Expose,
    operation: &Operation,
    template: &PathTemplate,
    problems: &mut Vec<String>,
) {
    if expose.name.as_ref().unwrap_or(&operation.name).is_empty() {
        problems.push(format!(
            "the route `{} {template}` has no name, because its handler is no function with one; give it one with `Expose::name`",
            operation.method
        ));
    }
}

/// What only tools have would be passed over in silence.
pub(super) fn check_plain(expose: &Expose, problems: &mut Vec<String>) {
    if !expose.fixed.is_empty() || !expose.values.is_empty() {
        problems
            .push("only the arguments of tools are given values by `fixed` and `default_value`".to_owned());
    }
    if !expose.configure.is_empty() {
        problems.push("only tools are set up by `Expose::with`".to_owned());
    }
    let shared = &expose.shared;
    let said = [
        ("annotations", shared.annotations.is_some()),
        ("envelope` or `body_only", shared.form.is_some()),
        ("returns", expose.output.is_some()),
        ("visibility", shared.visibility.is_some()),
    ];
    problems.extend(
        said.into_iter().filter(|(_, said)| *said).map(|(name, _)| format!("only tools have `{name}`")),
    );
}

/// What only resources have would be passed over in silence.
pub(super) fn check_no_resource(expose: &Expose, problems: &mut Vec<String>) {
    if expose.mime_type.is_some() {
        problems.push("only resources have a `mime_type`".to_owned());
    }
}

/// A prompt has no documentation to take its description from.
pub(super) fn check_described(expose: &Expose, problems: &mut Vec<String>) {
    match &expose.description {
        Description::Given(text) if !text.trim().is_empty() => {}
        Description::Given(_) => problems.push("a prompt needs a description, and its is blank".to_owned()),
        Description::Documented => problems
            .push("a prompt's handler has no documentation; describe it with `Expose::new`".to_owned()),
    }
}

/// The arguments of a prompt are texts for the path and the query string.
pub(super) fn check_texts(resolved: &Resolved, problems: &mut Vec<String>) {
    let needed = |slot: &&Slot| slot.presence == Presence::Required;
    for slot in resolved.slots.iter().filter(needed) {
        if !matches!(slot.place, Place::Path | Place::Query) {
            problems.push(format!(
                "its handler needs `{}`, which no argument of a prompt can be; take it from the query string",
                slot.name
            ));
        }
    }
    if resolved.rest.is_some() {
        problems.push(
            "its handler takes parameters of any name, and a prompt declares its arguments; take a struct"
                .to_owned(),
        );
    }
}

/// Values and texts for arguments that do not exist help nobody.
pub(super) fn check_arguments(
    expose: &Expose,
    resolved: &Resolved,
    bound: &[Box<str>],
    problems: &mut Vec<String>,
) {
    let names = resolved.names();
    let given =
        (expose.fixed.keys().chain(expose.values.keys())).chain(expose.texts.iter().map(|(name, _)| name));
    for name in given.filter(|name| !names.contains(&***name)) {
        problems.push(format!("there is no argument `{name}` to give a value or a description"));
    }
    for name in expose.fixed.keys().filter(|name| expose.values.contains_key(*name)) {
        problems.push(format!("the argument `{name}` has a fixed value and a default; keep one of them"));
    }
    for name in expose.fixed.keys().chain(expose.values.keys()).filter(|name| bound.contains(name)) {
        problems.push(format!(
            "the argument `{name}` is bound by the endpoint's URL and can have no other value"
        ));
    }
}
