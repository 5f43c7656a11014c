//! Arguments of tools and prompts as Rust types.

use super::Extract;
use crate::{
    fields,
    handler::{PromptGet, ProtocolError, ToolCall, ToolError},
    json::{Document, JsonLimits, Node},
    registry::Derived,
    schema::{InputSchema, SerdeFault, serde_fault, serde_message},
};
use bytes::Bytes;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// The arguments of a tool call or a prompt as a value of type `T`.
///
/// For a tool the schema of `T` is published, and arguments that do not fit it never reach the
/// handler. For a prompt `T` is a flat struct whose fields parse from text, because prompt
/// arguments are strings on the wire; anything else is refused when the server is built.
#[derive(Clone, Copy, Debug)]
pub struct Args<T>(pub T);

impl<T: DeserializeOwned + JsonSchema + Send, S: Sync> Extract<ToolCall, S> for Args<T> {
    type Rejection = ToolError;

    async fn extract(call: &ToolCall, _: &S) -> Result<Self, ToolError> {
        let text = call.arguments_text();
        if let Ok(value) = serde_json::from_str(text) {
            return Ok(Self(value));
        }
        // The schema knows integers by value, serde by spelling: `3.0` passes one and not the other.
        let rewritten =
            call.arguments().and_then(|arguments| call.tool.handled().integral_rewrite(arguments));
        typed(call, rewritten.as_deref().unwrap_or(text)).map(Self)
    }

    fn describe(inputs: &mut InputSchema) {
        inputs.add_type::<T>();
    }
}

/// Reads a type from JSON text, with an error the model can act on.
fn typed<T: DeserializeOwned>(call: &ToolCall, text: &str) -> Result<T, ToolError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| unfit(call, "", error))
}

/// What the caller reads of serde's refusal; `argument` is the one that was read, empty for all.
fn unfit(call: &ToolCall, argument: &str, error: serde_path_to_error::Error<serde_json::Error>) -> ToolError {
    let Some(derived) = &call.tool.derived else { return ToolError::unfit(serde_message(argument, error)) };
    match serde_fault(argument, &error, derived.names()) {
        SerdeFault::Told(text) => ToolError::unfit(text),
        SerdeFault::Hidden(argument) => Derived::unfit_value(&call.context, &argument),
    }
}

/// The argument of one name as a value of type `T`; an absent one reads as `null`.
pub(crate) fn argument<T: DeserializeOwned>(call: &ToolCall, name: &str) -> Result<T, ToolError> {
    let arguments = call.arguments();
    let text = arguments.and_then(|arguments| arguments.get(name)).map_or("null", Node::raw);
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(value);
    }
    let rewritten = arguments
        .and_then(|arguments| call.tool.handled().integral_rewrite(arguments))
        .and_then(|text| Document::parse(Bytes::from(text), &JsonLimits::widest()).ok());
    let text = rewritten.as_ref().and_then(|document| document.root().get(name)).map_or(text, Node::raw);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| unfit(call, name, error))
}

impl<T: DeserializeOwned + JsonSchema + Send, S: Sync> Extract<PromptGet, S> for Args<T> {
    type Rejection = ProtocolError;

    async fn extract(get: &PromptGet, _: &S) -> Result<Self, ProtocolError> {
        fields::read(get.arguments())
            .map(Self)
            .map_err(|fault| ProtocolError::invalid_params(fault.to_string()))
    }

    fn describe(inputs: &mut InputSchema) {
        inputs.add_type::<T>();
    }
}
