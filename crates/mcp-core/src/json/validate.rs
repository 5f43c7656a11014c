//! Schema checks on the index.

use super::{
    document::Node,
    instance::{Indexed, Instance},
    work::Work,
};
use jsonschema::{Draft, PatternOptions, ValidationError};
use serde_json::Value;
use std::fmt;
use thiserror::Error;

/// Compiles a schema into a check of indexed values.
///
/// The dialect is the one `$schema` names, JSON Schema 2020-12 without it. Patterns run in time
/// linear in the text; those that need backtracking (look-around, back references) are refused.
/// Nothing is ever fetched: a reference leads into the schema itself or to a known meta-schema.
///
/// # Errors
/// A [`SchemaFault`] when the schema breaks its meta-schema, names an unknown dialect, refers to
/// another document, or has a pattern the engine cannot run.
pub fn compile(schema: &Value) -> Result<Validator, SchemaFault> {
    compile_with(schema, Formats::Annotate)
}

/// Compiles a schema like [`compile`], and checks text against the `format` that the schema names.
///
/// # Errors
/// As [`compile`].
pub fn compile_asserting_formats(schema: &Value) -> Result<Validator, SchemaFault> {
    compile_with(schema, Formats::Assert)
}

/// What the keyword `format` does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Formats {
    /// It tells readers what to write.
    Annotate,
    /// It refuses other text.
    Assert,
}

fn compile_with(schema: &Value, formats: Formats) -> Result<Validator, SchemaFault> {
    let mut options = jsonschema::options_for::<Indexed>().offline();
    if formats == Formats::Assert {
        options = options.should_validate_formats(true);
    }
    if schema.get("$schema").is_none() {
        options = options.with_draft(Draft::Draft202012);
    }
    options
        .with_pattern_options(PatternOptions::regex())
        .build(schema)
        .map(|checks| Validator { checks, refers: refers(schema) })
        .map_err(|fault| SchemaFault {
            message: fault.to_string(),
            pointer: fault.instance_path().to_string(),
        })
}

/// Tells whether a schema may lead back into itself.
fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(name, value)| {
            matches!(name.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef") || refers(value)
        }),
        Value::Array(elements) => elements.iter().any(refers),
        _ => false,
    }
}

/// How deep a value may nest for a schema that has references.
///
/// A schema that leads back into itself is followed by recursion, several calls for each level of
/// the value, and a peer must not be able to exhaust the stack. It is also as deep as serde_json
/// reads values of types.
const RECURSION_DEPTH: usize = 127;

/// Checks values against one compiled schema.
///
/// Where the schema has references, a value that nests more than 127 arrays and objects is not
/// valid: following it could exhaust the stack.
#[derive(Clone)]
pub struct Validator {
    checks: jsonschema::Validator<Indexed>,
    refers: bool,
}

impl Validator {
    /// Tells whether the schema accepts the value, stopping at the first fault.
    #[must_use]
    pub fn is_valid(&self, node: Node<'_>) -> bool {
        // What was found out of a part is remembered here, so the work needs no bound of its own.
        !self.is_too_deep(node) && self.checks.is_valid(Instance::Node(node, None))
    }

    /// Gives the value's faults, each with the path of the part at fault and its kind.
    ///
    /// A fault's own text can quote the value; where that is large the quotation is cut, and
    /// arrays and objects in it appear empty. Where a schema that leads back into itself has
    /// several forms, the faults of each form of each level multiply; of a value with too many
    /// faults to look at, one fault says so.
    pub fn errors(&self, node: Node<'_>) -> impl Iterator<Item = ValidationError<'static>> + use<> {
        self.explain(node, |instance| {
            self.checks.iter_errors(instance).map(ValidationError::to_owned).collect()
        })
        .into_iter()
    }

    /// Gives the first of the value's faults; made for large values, of which all would be many.
    #[must_use]
    pub fn first_error(&self, node: Node<'_>) -> Option<ValidationError<'static>> {
        let explained = self.explain(node, |instance| {
            self.checks.validate(instance).err().map(ValidationError::to_owned).into_iter().collect()
        });
        explained.into_iter().next()
    }

    /// Looks for faults within the work that a value of this size is worth.
    fn explain(
        &self,
        node: Node<'_>,
        look: impl FnOnce(Instance<'_>) -> Vec<ValidationError<'static>>,
    ) -> Vec<ValidationError<'static>> {
        if self.is_too_deep(node) {
            return vec![ValidationError::custom("the nesting is too deep for this schema")];
        }
        let work = Work::for_value(node);
        let faults = look(Instance::Node(node, Some(&work)));
        if work.is_used_up() {
            return vec![ValidationError::custom(
                "no form that the schema allows fits, and there are too many to tell why",
            )];
        }
        faults
    }

    fn is_too_deep(&self, node: Node<'_>) -> bool {
        self.refers && node.is_deeper_than(RECURSION_DEPTH)
    }
}

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validator").finish_non_exhaustive()
    }
}

/// Says why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the schema cannot be used: {message}{}{pointer}", if .pointer.is_empty() { "" } else { ", at " })]
pub struct SchemaFault {
    /// What is wrong.
    pub message: String,
    /// The JSON Pointer (RFC 6901) of the part at fault; empty for the whole schema.
    pub pointer: String,
}
