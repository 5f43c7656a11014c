//! Tools that are routes.

use super::{
    Excluded, Promise, ResultForm, Routed,
    arguments::{Preset, Written},
    origin::Origin,
    target::{CallFault, Target, challenge},
};
use crate::operation::Resolved;
use mcp_core::{
    handler::{Handler, ReplyFuture, Request, ToolCall, ToolError},
    json::Document,
    protocol::CallToolResult,
    schema::{InputSchema, OutputSchema, Presence},
};
use std::sync::Arc;

/// A tool that is a route.
#[derive(Clone, Debug)]
pub(crate) struct RouteTool(pub(crate) Arc<ToolTarget>);

#[derive(Debug)]
pub(crate) struct ToolTarget {
    pub(crate) target: Target,
    pub(crate) resolved: Resolved,
    pub(crate) preset: Preset,
    pub(crate) form: ResultForm,
    pub(crate) excluded: Arc<Excluded>,
    pub(crate) output: Option<OutputSchema>,
    pub(crate) promise: Promise,
}

impl ToolTarget {
    async fn call(&self, call: &ToolCall) -> Result<CallToolResult, ToolError> {
        // Routes read integers by spelling, and the schema by value: `3.0` is written as `3`.
        let plain = has_fraction(call.arguments_text()).then(|| call.integral_arguments()).flatten();
        let arguments = plain.as_ref().map(Document::root).or_else(|| call.arguments());
        let written = Written::new(arguments, &self.resolved, &self.preset);
        let written = written.map_err(|fault| CallFault::from(fault).of_tool())?;
        let origin = Origin::of_call(call.context());
        let answer = self.target.call(&origin, written).await.map_err(CallFault::of_tool)?;
        challenge(&origin, &answer)?;
        answer.into_result(self.form, &self.excluded, self.promise)
    }
}

/// Whether a number may stand in a JSON text that is not written in digits alone.
fn has_fraction(text: &str) -> bool {
    let mut after_digit = false;
    text.bytes().any(|byte| {
        let found = after_digit && matches!(byte, b'.' | b'e' | b'E');
        after_digit = byte.is_ascii_digit();
        found
    })
}

impl Handler<ToolCall, (), Routed> for RouteTool {
    fn call(&self, request: ToolCall, _: &Arc<()>) -> ReplyFuture<ToolCall> {
        let tool = Arc::clone(&self.0);
        Box::pin(async move { tool.call(&request).await })
    }

    fn describe(&self, inputs: &mut InputSchema) {
        let ToolTarget { resolved, preset, target, .. } = &*self.0;
        for slot in &resolved.slots {
            let name = &slot.name;
            if target.bound.contains(name) || preset.fixed.contains_key(name) {
                continue;
            }
            let default = preset.defaults.get(name);
            let presence = if default.is_some() { Presence::Optional } else { slot.presence };
            inputs.add_argument(
                name,
                |generator| {
                    let mut schema = slot.schema.make(generator);
                    if let Some(default) = default {
                        schema.insert("default".to_owned(), default.clone());
                    }
                    if !slot.examples.is_empty() {
                        schema.insert("examples".to_owned(), slot.examples.clone().into());
                    }
                    schema
                },
                presence,
            );
            if let Some(text) = &slot.description {
                inputs.describe(name, text);
            }
        }
        if let Some(rest) = &resolved.rest {
            inputs.add_object(|generator| rest.schema.make(generator));
        }
    }

    fn output_schema(&self) -> Option<OutputSchema> {
        self.0.output
    }
}
