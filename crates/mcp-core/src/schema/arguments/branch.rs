//! A value that fits none of several forms: which form was meant, and what is wrong with it.

use super::{
    describe::{Context, choices, kind_of, type_names},
    fault::Report,
};
use jsonschema::{ValidationError, error::ValidationErrorKind as Fault};
use serde_json::Value;

/// The most links gone through for the kind of a missing member.
const STEPS: usize = 8;

/// Adds the problems of the form that comes nearest; `branches` holds the errors of each form.
pub(super) fn describe(
    report: &mut Report,
    context: Context<'_>,
    error: &ValidationError<'_>,
    branches: &[Vec<ValidationError<'static>>],
    steps: usize,
) {
    let place = error.instance_path().as_str();
    let general =
        || format!("{}: fits none of the allowed forms, got {}", context.label(error), context.came(error));
    let (Some(steps), Some(best)) =
        (steps.checked_sub(1), branches.iter().min_by_key(|errors| Rank::of(errors, place)))
    else {
        report.add(general());
        return;
    };
    match Rank::of(best, place) {
        Rank { type_differs: true, .. } => {
            let mut kinds = Vec::new();
            wanted_kinds(branches, place, &mut kinds);
            report.add(format!("{}: {}", context.label(error), context.mismatch(&kinds, error)));
        }
        Rank { constant_differs: true, .. } => match constants(branches, best, place) {
            Some((member, options)) => report.add(format!(
                "{}: expected {}, got {}",
                context.label(member),
                choices(Some(&options)),
                context.came(member)
            )),
            None => report.add(general()),
        },
        _ => match common_missing(branches, place) {
            Some(name) => {
                let kind = missing_kind(context, branches, &name);
                report.add(context.missing(error, &name, kind.as_deref()));
            }
            None => context.each(report, best, steps),
        },
    }
}

/// How far a form is from what came; the least is the nearest.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    type_differs: bool,
    constant_differs: bool,
    shallow: usize,
    total: usize,
}

impl Rank {
    fn of(errors: &[ValidationError<'_>], place: &str) -> Self {
        let here = |error: &&ValidationError<'_>| error.instance_path().as_str() == place;
        Self {
            type_differs: errors.iter().filter(here).any(|error| type_differs(error, place)),
            constant_differs: errors.iter().any(|error| constant(error, place).is_some()),
            shallow: errors.iter().filter(here).count(),
            total: errors.len(),
        }
    }
}

/// The value that a direct member should have had, if the error is about such a constant.
fn constant(error: &ValidationError<'_>, place: &str) -> Option<Value> {
    let member = error.instance_path().as_str().strip_prefix(place)?.strip_prefix('/')?;
    if member.contains('/') {
        return None;
    }
    match error.kind() {
        Fault::Enum { options } => match options.as_array()?.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        },
        Fault::Constant { expected_value } => Some(expected_value.as_ref().clone()),
        _ => None,
    }
}

/// Collects what all forms allow for the member that tells them apart.
fn constants<'e>(
    branches: &[Vec<ValidationError<'static>>],
    best: &'e [ValidationError<'static>],
    place: &str,
) -> Option<(&'e ValidationError<'static>, Vec<Value>)> {
    let member = best.iter().find(|error| constant(error, place).is_some())?;
    let options = branches
        .iter()
        .flatten()
        .filter(|error| error.instance_path() == member.instance_path())
        .filter_map(|error| constant(error, place))
        .collect();
    Some((member, options))
}

/// Says whether an error comes from the type of the value at `place`, in every form if there are several.
fn type_differs(error: &ValidationError<'_>, place: &str) -> bool {
    error.instance_path().as_str() == place
        && match error.kind() {
            Fault::Type { .. } => true,
            Fault::AnyOf { context } | Fault::OneOfNotValid { context } => {
                context.iter().all(|errors| errors.iter().any(|error| type_differs(error, place)))
            }
            _ => false,
        }
}

/// Collects the types that the forms take at `place`.
fn wanted_kinds(branches: &[Vec<ValidationError<'static>>], place: &str, kinds: &mut Vec<&'static str>) {
    for error in branches.iter().flatten().filter(|error| error.instance_path().as_str() == place) {
        match error.kind() {
            Fault::Type { kind } => {
                for kind in type_names(kind) {
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
            }
            Fault::AnyOf { context } | Fault::OneOfNotValid { context } => {
                wanted_kinds(context, place, kinds)
            }
            _ => {}
        }
    }
}

/// The member that every form requires and that is missing.
fn common_missing(branches: &[Vec<ValidationError<'static>>], place: &str) -> Option<String> {
    let missing = |errors: &Vec<ValidationError<'static>>| -> Vec<String> {
        let here = errors.iter().filter(|error| error.instance_path().as_str() == place);
        here.filter_map(|error| match error.kind() {
            Fault::Required { property } => property.as_str().map(str::to_owned),
            _ => None,
        })
        .collect()
    };
    let [first, rest @ ..] = branches else { return None };
    missing(first).into_iter().find(|name| rest.iter().all(|errors| missing(errors).contains(name)))
}

/// Words what all forms take for a missing member.
fn missing_kind(
    context: Context<'_>,
    branches: &[Vec<ValidationError<'static>>],
    name: &str,
) -> Option<String> {
    let mut options = Vec::new();
    let mut kind = None;
    for error in branches.iter().flatten() {
        let Some(schema) = context.holder(error).and_then(|holder| holder.get("properties")?.get(name))
        else {
            continue;
        };
        for option in schema.get("enum").and_then(Value::as_array).into_iter().flatten() {
            if !options.contains(option) {
                options.push(option.clone());
            }
        }
        kind = kind.or_else(|| kind_of(context.document, schema, STEPS));
    }
    if options.is_empty() { kind } else { Some(choices(Some(&options))) }
}
