//! What `run_tools` answers.

use super::{outcome::Outcome, steps::Step};
use crate::{
    context::Context,
    handler::{IntoReply, Structured, ToolCall, ToolError},
    json::RawJson,
    protocol::{CallToolResult, Content},
    schema::{OutputSchema, output_of},
};
use schemars::JsonSchema;
use serde::Serialize;

// What is published of a result costs every model that reads the list: names have to do.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Told {
    // How many steps were run.
    ran: usize,
    // What came of them; a quiet step is here only if it failed.
    steps: Vec<StepTold>,
    // The number of the step that ended the run; those after it were not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    stopped_at: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
struct StepTold {
    // Which step it is, from 1.
    step: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    id: Option<Box<str>>,
    tool: Box<str>,
    // The structured content of its result, or else its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<RawJson>,
    // Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    error: Option<String>,
    /// How many blocks after this text are of the step, in the order of the steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    attachments: Option<usize>,
}

/// What `run_tools` answers, as it grows.
#[derive(Debug, Default)]
pub(in crate::presentation::search) struct Report {
    told: Told,
    attachments: Vec<Content>,
}

impl Report {
    /// A step was run, or could not be.
    pub(super) fn step(&mut self, place: usize, step: &Step, outcome: &Outcome) {
        if step.quiet && !outcome.is_failed() {
            return;
        }
        let mut told = StepTold {
            step: place + 1,
            id: step.id.clone(),
            tool: step.tool.clone(),
            result: None,
            error: None,
            attachments: None,
        };
        match outcome {
            Outcome::Failed(text) => told.error = Some(text.clone()),
            Outcome::Done { value, attachments } => {
                told.result = Some(RawJson::from_checked(value.text().to_owned()));
                told.attachments = Some(attachments.len()).filter(|count| *count > 0);
                self.attachments.extend(attachments.iter().cloned());
            }
        }
        self.told.steps.push(told);
    }

    /// One more step was run.
    pub(super) fn ran(&mut self) {
        self.told.ran += 1;
    }

    /// The step ended the run.
    pub(super) fn stopped_at(&mut self, place: usize) {
        self.told.stopped_at = Some(place + 1);
    }
}

impl IntoReply<ToolCall> for Report {
    fn into_reply(self, context: &Context) -> Result<CallToolResult, ToolError> {
        let stopped = self.told.stopped_at.is_some();
        let mut result = Structured(self.told).into_reply(context)?;
        if let Some(structured) = &result.structured
            && !self.attachments.is_empty()
        {
            result.content.push(Content::text(structured.get()));
            result.content.extend(self.attachments);
        }
        Ok(if stopped { result.failed() } else { result })
    }

    fn output_schema() -> Option<OutputSchema> {
        Some(output_of::<Told>)
    }
}
