//! What handlers returned, normalised and checked before it becomes a reply.

use crate::{
    context::Context,
    json::{Document, RawJson, on_one_line},
    output::{OutputFault, Weight},
    overflow,
    protocol::{CallToolResult, Content, ContentKind, Meta},
    registry::ToolEntry,
    uri::AbsoluteUri,
};
use bytes::Bytes;
use std::borrow::Cow;

/// Why a tool's result does not go out.
pub(super) enum HeldBack {
    /// It exceeds a bound, which the client may know.
    Bound(OutputFault),
    /// It is not what it should be; the reason is for the log.
    Unfit(String),
}

impl From<OutputFault> for HeldBack {
    fn from(fault: OutputFault) -> Self {
        Self::Bound(fault)
    }
}

impl From<String> for HeldBack {
    fn from(problem: String) -> Self {
        Self::Unfit(problem)
    }
}

/// Normalises and checks what a handler returned; what is too large goes elsewhere, where that is wanted.
pub(super) fn check_output(
    context: &Context,
    tool: &ToolEntry,
    result: &mut CallToolResult,
    meta: &Meta,
) -> Result<(), HeldBack> {
    let overflows = context.overflows();
    let mut weight = Weight::new(context.limits());
    if !overflows {
        weight.contents_of(result, meta)?;
    }
    check_uris(&result.content)?;
    let blocks = result.content.len();
    let tokens = check_structure(context, tool, result)?;
    if !overflows && let Some(added) = result.content.get(blocks) {
        weight.content(added)?;
    }
    if overflows {
        // Clients of a tool that publishes what its results look like rely on it.
        let may_move = tool.definition.overflow || tool.output.is_none();
        overflow::divert(context, result, tokens.filter(|_| may_move));
        weight.contents_of(result, meta)?;
    }
    if let Some(structured) = &result.structured {
        weight.add(structured.get().len(), tokens.unwrap_or(0))?;
    }
    Ok(())
}

/// Checks structured content; gives how many values it has.
fn check_structure(
    context: &Context,
    tool: &ToolEntry,
    result: &mut CallToolResult,
) -> Result<Option<usize>, HeldBack> {
    let Some(structured) = &mut result.structured else {
        return match &tool.output {
            Some(_) if !result.is_error => {
                Err("the tool has an output schema and returned no structured content".to_owned().into())
            }
            _ => Ok(None),
        };
    };
    if let Cow::Owned(line) = on_one_line(structured.get()) {
        *structured = RawJson::from_checked(line);
    }
    let wide =
        context.overflows().then(|| context.0.server.overflow().json_limits(context.json_limits().depth));
    let limits = wide.as_ref().unwrap_or_else(|| context.json_limits());
    if structured.get().len() > limits.document_bytes {
        return Err(OutputFault::Bytes(limits.document_bytes).into());
    }
    let text = Bytes::copy_from_slice(structured.get().as_bytes());
    let document = Document::parse(text, limits).map_err(|fault| {
        OutputFault::of_checking(&fault, limits).map_or_else(
            || HeldBack::Unfit(format!("structured content: {fault} (setting: limits.output_json)")),
            HeldBack::Bound,
        )
    })?;
    match &tool.output {
        Some(output) if result.is_error && !output.validator.is_valid(document.root()) => {
            make_text(result);
            Ok(None)
        }
        Some(output) if !result.is_error && !output.validator.is_valid(document.root()) => {
            let first = output.validator.errors(document.root()).next();
            let reason = first.map_or_else(String::new, |error| {
                format!("at `{}`: {}", error.instance_path(), error.masked())
            });
            Err(format!("structured content does not fit the output schema {reason}").into())
        }
        _ => Ok(Some(document.tokens())),
    }
}

/// Tells the structured content of a failure as text alone.
///
/// Clients hold all that is structured against the output schema. Of a failure that does not fit, some would tell their
/// model nothing but that.
fn make_text(result: &mut CallToolResult) {
    let Some(structured) = result.structured.take() else { return };
    let has_text = result.content.iter().any(|block| matches!(block.kind, ContentKind::Text(_)));
    if !has_text {
        result.content.push(Content::text(structured.get()));
    }
}

/// Checks the URIs that content carries: clients refuse whole messages for a bad one.
pub(super) fn check_uris<'a>(content: impl IntoIterator<Item = &'a Content>) -> Result<(), String> {
    for (position, block) in content.into_iter().enumerate() {
        let uri = match &block.kind {
            ContentKind::ResourceLink(link) => &*link.uri,
            ContentKind::Resource(contents) => contents.uri.as_deref().unwrap_or_default(),
            _ => continue,
        };
        AbsoluteUri::parse(uri).map_err(|fault| format!("content block {position}: {fault}"))?;
    }
    Ok(())
}
