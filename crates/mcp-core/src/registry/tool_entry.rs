//! Tools that can be listed and called: compiled from what was registered.

use super::{
    Faults, Origin, Rules, ToolBuilder, VersionLabel,
    derive::{self, Derived},
    icon::check_icons,
    index,
    name::check_name,
    tool::ToolDefinition,
};
use crate::{
    card,
    handler::{Erased, ToolCall},
    header::{AnnotatedParam, annotated_params},
    json::{Validator, compile},
    schema::{ArgumentSchema, InputSchema, PublishedSchema, SchemaFault, authored_input, authored_output},
    task::TaskSupport,
};
use std::{fmt, sync::Arc};

/// A tool that can be listed and called.
pub(crate) struct ToolEntry {
    pub(crate) name: Box<str>,
    pub(crate) origin: Origin,
    pub(crate) definition: ToolDefinition,
    pub(crate) input: ArgumentSchema,
    pub(crate) output: Option<OutputCheck>,
    pub(crate) headers: Vec<AnnotatedParam>,
    pub(crate) handler: Erased<ToolCall>,
    /// How the published arguments are those of another tool, where this one was derived from it.
    pub(crate) derived: Option<Derived>,
}

impl ToolEntry {
    /// The schema of the arguments as the handler takes them.
    pub(crate) fn handled(&self) -> &ArgumentSchema {
        self.derived.as_ref().map_or(&self.input, Derived::original)
    }
}

/// An output schema with its compiled check.
#[derive(Clone, Debug)]
pub(crate) struct OutputCheck {
    pub(crate) schema: PublishedSchema,
    pub(crate) validator: Validator,
}

impl index::Named for ToolEntry {
    fn key(&self) -> &str {
        &self.name
    }

    fn origin(&self) -> &Origin {
        &self.origin
    }
}

impl ToolBuilder<()> {
    /// Compiles the tool; every fault is added to `faults`.
    pub(crate) fn compile(
        mut self,
        name: Box<str>,
        rules: &Rules,
        faults: &mut Faults,
    ) -> Option<Arc<ToolEntry>> {
        let subject = format!("tool `{name}`");
        check_name("tool", &name, rules.names, faults);
        self.definition.check(&subject, rules, faults);
        let input = self.published_input(rules);
        let output = self.published_output(rules);
        let input = note(
            input.and_then(|schema| ArgumentSchema::new(schema).map_err(|fault| vec![fault])),
            &subject,
            faults,
        );
        let output = note(output.map_err(|fault| vec![fault]), &subject, faults);
        let input = input?;
        let (input, derived) = match self.derivations.as_slice() {
            [] => (input, None),
            derivations => {
                let (input, derived) = derive::published(&subject, input, None, derivations, rules, faults)?;
                (input, Some(derived))
            }
        };
        let headers = match annotated_params(input.published().value()) {
            Ok(headers) => headers,
            Err(problems) => {
                problems.iter().for_each(|problem| faults.add(&*subject, problem));
                return None;
            }
        };
        let output = output?;
        let handler = (self.bind)(Arc::new(()));
        let (origin, definition) = (self.origin, self.definition);
        Some(Arc::new(ToolEntry { name, origin, definition, input, output, headers, handler, derived }))
    }

    fn published_input(&self, rules: &Rules) -> Result<PublishedSchema, Vec<SchemaFault>> {
        if let Some(schema) = &self.authored_input {
            return authored_input(schema.clone(), &rules.bounds).map_err(|fault| vec![fault]);
        }
        let mut inputs = InputSchema::new(rules.dialect, rules.bounds);
        (self.describe)(&mut inputs);
        for (argument, text) in &self.argument_texts {
            inputs.describe(argument, text);
        }
        inputs.build()
    }

    fn published_output(&self, rules: &Rules) -> Result<Option<OutputCheck>, SchemaFault> {
        let schema = match (&self.authored_output, self.output) {
            (Some(schema), _) => authored_output(schema.clone(), &rules.bounds)?,
            (None, Some(schema_of)) => schema_of(rules.dialect, &rules.bounds)?,
            (None, None) => return Ok(None),
        };
        let validator =
            compile(schema.value()).map_err(|fault| SchemaFault::Invalid { reason: fault.to_string() })?;
        Ok(Some(OutputCheck { schema, validator }))
    }
}

impl ToolDefinition {
    /// Notes what is wrong with what is published beside the schemas.
    pub(super) fn check(&mut self, subject: &str, rules: &Rules, faults: &mut Faults) {
        card::check_tool(subject, self, faults);
        if self.description.trim().is_empty() {
            faults.add(subject, "a tool needs a description; add `.describe(\"…\")`");
        }
        if let Some(contradiction) = self.annotations.contradiction() {
            faults.add(subject, contradiction);
        }
        if let Some(problem) = self.version.as_ref().and_then(VersionLabel::problem) {
            faults.add(subject, problem);
        }
        if self.task.support != TaskSupport::Forbidden && !rules.tasks {
            faults.add(
                subject,
                "its calls may go on as tasks, and the server keeps none; add `.tasks(Tasks::new(store))`",
            );
        }
        check_icons(subject, &self.icons, faults);
        self.time.check(subject, faults);
    }
}

fn note<T>(outcome: Result<T, Vec<SchemaFault>>, subject: &str, faults: &mut Faults) -> Option<T> {
    match outcome {
        Ok(value) => Some(value),
        Err(problems) => {
            problems.iter().for_each(|problem| faults.add(subject, problem));
            None
        }
    }
}

impl fmt::Debug for ToolEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ToolEntry").field("name", &self.name).finish_non_exhaustive()
    }
}
