//! What is wrong with arguments, problem by problem, in the reader's words.

use super::{
    branch,
    fault::{PROBLEMS, Report},
    got,
    names::{Known, Names},
    nearest::nearest,
    path,
};
use crate::{
    json::{Kind, Node},
    schema::reference,
};
use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Fault},
    paths::LocationSegment,
};
use serde_json::{Map, Value};

/// The most choices and names listed.
const LISTED: usize = 10;

/// The most characters of a pattern quoted.
const PATTERN: usize = 80;

/// The most parts within parts that are looked through for names.
const STEPS: usize = 8;

/// What problems are described against: the schema, and the arguments as checked.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) document: &'a Value,
    pub(super) root: Node<'a>,
    /// The names that callers know, where they are others than those of the schema.
    pub(super) names: Option<&'a Names>,
}

/// Adds the problems of `errors` to `report`.
pub(super) fn describe<'a, 'e>(
    report: &mut Report,
    context: Context<'a>,
    errors: impl Iterator<Item = ValidationError<'e>>,
) {
    let mut found: Vec<ValidationError<'e>> = errors.take(PROBLEMS + 1).collect();
    if found.len() > PROBLEMS {
        found.truncate(PROBLEMS);
        report.omit();
    }
    context.each(report, &found, STEPS);
}

impl<'a> Context<'a> {
    /// Adds the problems of a list of errors.
    pub(super) fn each(self, report: &mut Report, errors: &[ValidationError<'_>], steps: usize) {
        for error in errors {
            if report.is_full() {
                report.omit();
                return;
            }
            // When a form of an object fails, all its members count as unexpected: the form's own problem says
            // more.
            let consequence = matches!(error.kind(), Fault::UnevaluatedProperties { .. })
                && errors.iter().any(|other| {
                    other.instance_path() == error.instance_path()
                        && !matches!(
                            other.kind(),
                            Fault::UnevaluatedProperties { .. } | Fault::Required { .. }
                        )
                });
            if !consequence {
                self.one(report, error, steps);
            }
        }
    }

    fn one(self, report: &mut Report, error: &ValidationError<'_>, steps: usize) {
        if self.is_hidden(error) {
            return;
        }
        match error.kind() {
            Fault::AnyOf { context } | Fault::OneOfNotValid { context } => {
                branch::describe(report, self, error, context, steps);
            }
            Fault::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                let kind = self.holder(error).and_then(|holder| holder.get("properties")?.get(name));
                let kind = kind.and_then(|schema| kind_of(self.document, schema, STEPS));
                report.add(self.missing(error, name, kind.as_deref()));
            }
            Fault::AdditionalProperties { unexpected } | Fault::UnevaluatedProperties { unexpected } => {
                report.add(self.unknown(error, unexpected));
            }
            kind => report.add(format!("{}: {}", self.label(error), self.phrase(kind, error))),
        }
    }

    /// Tells whether a problem is with an argument that callers know nothing of.
    fn is_hidden(self, error: &ValidationError<'_>) -> bool {
        let Some(names) = self.names else { return false };
        let name = match (error.instance_path().segments().next(), error.kind()) {
            (Some(LocationSegment::Property(name)), _) => name.into_owned(),
            (Some(LocationSegment::Index(index)), _) => index.to_string(),
            (None, Fault::Required { property }) => property.as_str().unwrap_or_default().to_owned(),
            (None, _) => return false,
        };
        names.known(&name) == Known::Hidden
    }

    /// Words a missing argument.
    pub(super) fn missing(self, error: &ValidationError<'_>, name: &str, kind: Option<&str>) -> String {
        let mut place = self.place(error);
        match self.names {
            Some(names) if place.is_empty() => path::push_known(&mut place, names, name),
            _ => path::push_name(&mut place, name),
        }
        match kind {
            Some(kind) => format!("missing required argument `{place}` ({kind})"),
            None => format!("missing required argument `{place}`"),
        }
    }

    fn unknown(self, error: &ValidationError<'_>, unexpected: &[String]) -> String {
        let place = self.place(error);
        let mut accepted = Vec::new();
        if let Some(holder) = self.holder(error) {
            names(self.document, holder, &mut accepted, STEPS);
        }
        if let Some(known) = self.names.filter(|_| place.is_empty()) {
            accepted = (accepted.into_iter())
                .filter_map(|name| match known.known(name) {
                    Known::As(name) => Some(name),
                    Known::Hidden => None,
                })
                .collect();
        }
        let shown: Vec<String> = unexpected
            .iter()
            .take(LISTED)
            .map(|name| {
                let mut full = place.clone();
                path::push_name(&mut full, name);
                match nearest(name, &accepted) {
                    Some(known) => format!("`{full}` (did you mean `{}`?)", got::clip(known)),
                    None => format!("`{full}`"),
                }
            })
            .collect();
        let plural = if shown.len() == 1 { "" } else { "s" };
        let more = if unexpected.len() > LISTED { " and more" } else { "" };
        let known = match accepted.as_slice() {
            [] if place.is_empty() => "this tool takes no arguments".to_owned(),
            [] => format!("`{place}` takes no members"),
            names => format!(
                "accepted {}: {}",
                if place.is_empty() { "arguments" } else { "there" },
                listed(names)
            ),
        };
        format!("unknown argument{plural} {}{more}; {known}", shown.join(", "))
    }

    /// Names what an error is about.
    pub(super) fn label(self, error: &ValidationError<'_>) -> String {
        match self.place(error) {
            place if place.is_empty() => "the arguments".to_owned(),
            place => format!("argument `{place}`"),
        }
    }

    fn place(self, error: &ValidationError<'_>) -> String {
        path::written(self.root, error.instance_path(), self.names)
    }

    /// Says what came.
    pub(super) fn came(self, error: &ValidationError<'_>) -> String {
        let node = path::find(self.root, error.instance_path());
        node.map_or_else(|| "something else".to_owned(), got::described)
    }

    fn phrase(self, kind: &Fault, error: &ValidationError<'_>) -> String {
        let came = self.came(error);
        match kind {
            Fault::Type { kind } => self.mismatch(&type_names(kind), error),
            Fault::Enum { options } => format!("expected {}, got {came}", choices(options.as_array())),
            Fault::Constant { expected_value } => format!("expected {}, got {came}", quoted(expected_value)),
            Fault::Minimum { limit } => format!("must be at least {limit}, got {came}"),
            Fault::Maximum { limit } => format!("must be at most {limit}, got {came}"),
            Fault::ExclusiveMinimum { limit } => format!("must be greater than {limit}, got {came}"),
            Fault::ExclusiveMaximum { limit } => format!("must be less than {limit}, got {came}"),
            Fault::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}, got {came}"),
            Fault::MinLength { limit } => {
                format!("must have at least {limit} characters, got {}", self.size(error))
            }
            Fault::MaxLength { limit } => {
                format!("must have at most {limit} characters, got {}", self.size(error))
            }
            Fault::MinItems { limit } => {
                format!("must have at least {limit} items, got {}", self.size(error))
            }
            Fault::MaxItems { limit } => format!("must have at most {limit} items, got {}", self.size(error)),
            Fault::AdditionalItems { limit } => {
                format!("must have at most {limit} items, got {}", self.size(error))
            }
            Fault::MinProperties { limit } => {
                format!("must have at least {limit} members, got {}", self.size(error))
            }
            Fault::MaxProperties { limit } => {
                format!("must have at most {limit} members, got {}", self.size(error))
            }
            Fault::Pattern { pattern } => {
                let cut: String = pattern.chars().take(PATTERN).collect();
                format!("must match the pattern `{cut}`, got {came}")
            }
            Fault::Format { format } => format!("must be a valid {format}, got {came}"),
            Fault::UniqueItems => "must not have equal items".to_owned(),
            Fault::UnevaluatedItems { .. } => "has more items than are allowed".to_owned(),
            Fault::Contains => "lacks a required item".to_owned(),
            Fault::PropertyNames { .. } => "has a member whose name is not allowed".to_owned(),
            Fault::OneOfMultipleValid { .. } => "fits more than one of the allowed forms".to_owned(),
            Fault::Custom { message, .. } => message.clone(),
            Fault::FalseSchema => "is not allowed".to_owned(),
            _ => format!("does not fit its schema, got {came}"),
        }
    }

    /// Words a value of another type.
    pub(super) fn mismatch(self, wanted: &[&str], error: &ValidationError<'_>) -> String {
        let (null, mut names): (Vec<&str>, Vec<&str>) = wanted.iter().partition(|name| **name == "null");
        names.extend(null);
        format!("expected {}, got {}{}", names.join(" or "), self.came(error), self.hint(&names, error))
    }

    fn hint(self, wanted: &[&str], error: &ValidationError<'_>) -> &'static str {
        let text =
            path::find(self.root, error.instance_path()).is_some_and(|node| node.kind() == Kind::String);
        match wanted {
            ["object", ..] if text => ": send the object itself, not its text",
            ["array", ..] if text => ": send the array itself, not its text",
            _ => "",
        }
    }

    fn size(self, error: &ValidationError<'_>) -> usize {
        let node = path::find(self.root, error.instance_path());
        node.map_or(0, |node| node.as_str().map_or(node.len(), |text| text.chars().count()))
    }

    /// The schema that holds the keyword at fault.
    pub(super) fn holder(self, error: &ValidationError<'_>) -> Option<&'a Value> {
        let (holder, _) = error.schema_path().as_str().rsplit_once('/')?;
        self.document.pointer(holder)
    }
}

/// The names of the types a schema lists.
pub(super) fn type_names(kind: &TypeKind) -> Vec<&'static str> {
    match kind {
        TypeKind::Single(one) => vec![one.as_str()],
        TypeKind::Multiple(all) => all.into_iter().map(jsonschema::JsonType::as_str).collect(),
    }
}

/// Lists allowed values.
pub(super) fn choices(options: Option<&Vec<Value>>) -> String {
    let options = options.map(Vec::as_slice).unwrap_or_default();
    let shown: Vec<String> = options.iter().take(LISTED).map(quoted).collect();
    let more = if options.len() > LISTED { ", …" } else { "" };
    match shown.as_slice() {
        [one] => one.clone(),
        shown => format!("one of {}{more}", shown.join(", ")),
    }
}

fn quoted(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{}\"", got::clip(text)),
        other => got::clip(&other.to_string()),
    }
}

fn listed(names: &[&str]) -> String {
    let shown: Vec<String> =
        names.iter().take(2 * LISTED).map(|name| format!("`{}`", got::clip(name))).collect();
    let more = if names.len() > 2 * LISTED { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Words what a schema takes: its choices or its types.
pub(super) fn kind_of(document: &Value, schema: &Value, steps: usize) -> Option<String> {
    let steps = steps.checked_sub(1)?;
    if let Some(options) = schema.get("enum") {
        return Some(choices(options.as_array()));
    }
    match schema.get("type") {
        Some(Value::String(name)) => return Some(name.clone()),
        Some(Value::Array(names)) => {
            return Some(names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "));
        }
        _ => {}
    }
    if let Some(link) = schema.get("$ref").and_then(Value::as_str) {
        return kind_of(document, reference::resolve(link, document)?, steps);
    }
    let branches = schema.get("anyOf").or_else(|| schema.get("oneOf"))?.as_array()?;
    let mut kinds: Vec<String> = Vec::new();
    for kind in branches.iter().take(LISTED).filter_map(|branch| kind_of(document, branch, steps)) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    (!kinds.is_empty()).then(|| kinds.join(" or "))
}

/// Collects the names of the members that a schema and its parts list.
fn names<'s>(document: &'s Value, schema: &'s Value, found: &mut Vec<&'s str>, steps: usize) {
    let (Some(members), Some(steps)) = (schema.as_object(), steps.checked_sub(1)) else { return };
    let own = members.get("properties").and_then(Value::as_object);
    for name in own.into_iter().flat_map(Map::keys) {
        if !found.contains(&name.as_str()) {
            found.push(name);
        }
    }
    let target = members.get("$ref").and_then(Value::as_str);
    if let Some(target) = target.and_then(|link| reference::resolve(link, document)) {
        names(document, target, found, steps);
    }
    for keyword in ["allOf", "oneOf", "anyOf"] {
        for part in members.get(keyword).and_then(Value::as_array).into_iter().flatten() {
            names(document, part, found, steps);
        }
    }
}
