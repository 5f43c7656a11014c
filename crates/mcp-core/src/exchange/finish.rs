//! From a handler's result to the reply: check, bound, lower, encode.

use super::{
    check::{HeldBack, check_output, check_uris},
    report::Outcome,
};
use crate::{
    context::Context,
    handler::{Execution, Failure, ProtocolError, ToolError},
    lower::{self, ListKind, Reply, ResultFrame},
    output::{OutputFault, Weight},
    page::{NotListed, Page},
    protocol::{CacheHints, CallToolResult, Completion, GetPromptResult, Meta, ResourceContents},
    refusal::Refusal,
    registry::{PromptEntry, ToolEntry},
    task::RunningTask,
    uri::AbsoluteUri,
    version::Feature,
};
use bytes::Bytes;
use std::{error::Error, fmt::Write as _, sync::PoisonError, time::Duration};

/// What a model reads when a tool failed with nothing but an error.
const FAILED: &str = "The tool failed. Details are in the server's log.";

pub(super) fn tool(
    context: &Context,
    tool: &ToolEntry,
    result: Result<CallToolResult, ToolError>,
) -> (Reply, Outcome) {
    let mut result = match result {
        Ok(result) => result,
        Err(ToolError(Failure::Protocol(error))) => match error.missing_capability_text(context.version()) {
            Some(text) => CallToolResult::error(text),
            None => return refuse(context, &error),
        },
        Err(ToolError(Failure::Execution(execution))) => failed(context, execution),
        Err(ToolError(Failure::Unfit(text))) if context.version().has(Feature::InputErrorsAsResults) => {
            CallToolResult::error(text)
        }
        Err(ToolError(Failure::Unfit(text))) => return refuse(context, &ProtocolError::invalid_params(text)),
    };
    let meta = merged_meta(context, std::mem::take(&mut result.meta));
    match check_output(context, tool, &mut result, &meta) {
        Ok(()) => {}
        Err(HeldBack::Bound(fault)) => return held_back(context, fault),
        Err(HeldBack::Unfit(problem)) => {
            tracing::error!(tool = &*tool.name, %problem, "a tool's result was held back");
            return internal(context);
        }
    }
    let outcome = if result.is_error { Outcome::Failed } else { Outcome::Completed };
    bounded(context, lower::call_tool(frame(context), &result, &meta), outcome)
}

/// What a call within another gives the model that asked for it: every failure is one that it can read.
pub(super) fn for_model(
    context: &Context,
    tool: &ToolEntry,
    result: Result<CallToolResult, ToolError>,
) -> CallToolResult {
    let mut result = match result {
        Ok(result) => result,
        Err(ToolError(Failure::Execution(execution))) => failed(context, execution),
        Err(ToolError(Failure::Unfit(text))) => CallToolResult::error(text),
        Err(ToolError(Failure::Protocol(error))) => {
            if let Some(cause) = error.cause() {
                tracing::warn!(target = context.target(), error = %chain(cause), "a handler failed");
            }
            let text = error.missing_capability_text(context.version());
            let text = text.unwrap_or_else(|| error.on_wire(Some(context.version())).message.into());
            CallToolResult::error(text)
        }
    };
    let meta = result.meta.clone();
    match check_output(context, tool, &mut result, &meta) {
        Ok(()) => result,
        Err(HeldBack::Bound(fault)) => {
            tracing::error!(tool = &*tool.name, %fault, "a tool's result was held back");
            CallToolResult::error(fault.to_string())
        }
        Err(HeldBack::Unfit(problem)) => {
            tracing::error!(tool = &*tool.name, %problem, "a tool's result was held back");
            CallToolResult::error(FAILED)
        }
    }
}

/// What a model reads of a tool that panicked, within the call of another.
pub(super) fn panicked_for_model() -> CallToolResult {
    CallToolResult::error(FAILED)
}

/// The result for the model; the cause goes to the log.
fn failed(context: &Context, execution: Execution) -> CallToolResult {
    let Execution { text, cause } = execution;
    if let Some(cause) = &cause {
        tracing::warn!(method = context.method(), target = context.target(), error = %chain(&**cause), "a tool failed");
    }
    let mut shown = text.unwrap_or_else(|| FAILED.to_owned());
    if let Some(cause) = cause.filter(|_| context.0.server.shows_errors()) {
        let _ = write!(shown, "\n{}", chain(&*cause));
    }
    CallToolResult::error(shown)
}

/// The reply that says that the call is a task from now on.
pub(super) fn task_created(context: &Context, task: &RunningTask, response: Option<Box<str>>) -> Reply {
    let record = task.record();
    let response = response.unwrap_or_else(|| {
        format!("The tool `{}` is working in the background; its result comes later.", record.tool).into()
    });
    lower::task_created(frame(context), &record, Some(&response))
}

pub(super) fn read(
    context: &Context,
    uri: &str,
    declared_type: Option<&str>,
    cache: CacheHints,
    result: Result<Vec<ResourceContents>, ProtocolError>,
) -> (Reply, Outcome) {
    match result {
        Ok(contents) if contents.is_empty() => refuse(context, &ProtocolError::resource_not_found(uri)),
        Ok(contents) => {
            let named = contents.iter().filter_map(|item| item.uri.as_deref());
            if let Some(fault) = named.map(AbsoluteUri::parse).find_map(Result::err) {
                tracing::error!(uri, %fault, "a resource's contents were held back");
                return internal(context);
            }
            let meta = merged_meta(context, Meta::new());
            let weighed = weigh(context, |weight| {
                contents.iter().try_for_each(|item| weight.contents(item))?;
                weight.meta(&meta)
            });
            if let Err(fault) = weighed {
                return held_back(context, fault);
            }
            let body = lower::read_resource(frame(context), &contents, uri, declared_type, cache, &meta);
            cached(context, bounded(context, body, Outcome::Completed), cache)
        }
        Err(error) => refuse(context, &error),
    }
}

pub(super) fn prompt(
    context: &Context,
    prompt: &PromptEntry,
    result: Result<GetPromptResult, ProtocolError>,
) -> (Reply, Outcome) {
    match result {
        Ok(mut result) => {
            if let Err(problem) = check_uris(result.messages.iter().map(|message| &message.content)) {
                tracing::error!(prompt = &*prompt.name, %problem, "a prompt's messages were held back");
                return internal(context);
            }
            let meta = merged_meta(context, std::mem::take(&mut result.meta));
            let weighed = weigh(context, |weight| {
                weight.prompt(&result)?;
                weight.meta(&meta)
            });
            if let Err(fault) = weighed {
                return held_back(context, fault);
            }
            let description = prompt.definition.description.as_deref();
            bounded(
                context,
                lower::prompt_result(frame(context), &result, description, &meta),
                Outcome::Completed,
            )
        }
        Err(error) => refuse(context, &error),
    }
}

pub(super) fn completion(context: &Context, result: Result<Completion, ProtocolError>) -> (Reply, Outcome) {
    match result {
        Ok(completion) => {
            let meta = merged_meta(context, Meta::new());
            let weighed = weigh(context, |weight| {
                completion.values.iter().try_for_each(|value| weight.text(value))?;
                weight.meta(&meta)
            });
            if let Err(fault) = weighed {
                return held_back(context, fault);
            }
            bounded(context, lower::completion(frame(context), &completion, &meta), Outcome::Completed)
        }
        Err(error) => refuse(context, &error),
    }
}

/// One page of a list that was made for this caller.
pub(super) fn list(context: &Context, kind: ListKind, result: Result<Page, NotListed>) -> (Reply, Outcome) {
    let page = match result {
        Ok(page) => page,
        Err(NotListed::Failed(error)) => return refuse(context, &error),
        Err(NotListed::Refused(refusal)) => return (refuse_by_table(context, &refusal), Outcome::Refused),
        Err(NotListed::HeldBack(fault)) => return held_back(context, fault),
    };
    let scope = &context.0;
    let next = page.next.map(|cursor| scope.server.seal_cursor(&cursor, kind, &scope.caller));
    let cache = scope.server.list_cache(kind, &scope.caller);
    let meta = merged_meta(context, Meta::new());
    let body = lower::list(frame(context), kind, &page.entries, next.as_deref(), cache, &meta);
    cached(context, bounded(context, body, Outcome::Completed), cache)
}

/// Adds to a result how long, and by whom, it may be reused; a refusal is nothing to keep.
fn cached(context: &Context, (reply, outcome): (Reply, Outcome), cache: CacheHints) -> (Reply, Outcome) {
    let kept = outcome == Outcome::Completed;
    (if kept { reply.cached(cache, context.version()) } else { reply }, outcome)
}

fn frame(context: &Context) -> ResultFrame<'_> {
    context.0.server.frame(&context.0.request.id, context.version())
}

/// The handler's own `_meta` over what was put into the context.
fn merged_meta(context: &Context, own: Meta) -> Meta {
    let mut meta = std::mem::take(&mut *context.0.result_meta.lock().unwrap_or_else(PoisonError::into_inner));
    if meta.is_empty() {
        return own;
    }
    meta.extend(own);
    meta
}

/// Lets a reply out only within the byte limit.
fn bounded(context: &Context, body: Vec<u8>, outcome: Outcome) -> (Reply, Outcome) {
    let limit = context.limits().output_bytes;
    if body.len() <= limit {
        return (Reply::new(Bytes::from(body), 200), outcome);
    }
    held_back(context, OutputFault::Bytes(limit))
}

/// Weighs a result before it is written.
fn weigh(
    context: &Context,
    add: impl FnOnce(&mut Weight<'_>) -> Result<(), OutputFault>,
) -> Result<(), OutputFault> {
    add(&mut Weight::new(context.limits()))
}

/// The error in the place of a result that exceeds a bound.
fn held_back(context: &Context, fault: OutputFault) -> (Reply, Outcome) {
    tracing::error!(method = context.method(), target = context.target(), %fault, "a result was held back");
    refuse(context, &ProtocolError::internal_because(fault.to_string()))
}

fn internal(context: &Context) -> (Reply, Outcome) {
    (refuse_by_table(context, &Refusal::Internal), Outcome::Refused)
}

/// The reply for a refusal, by the one table.
pub(super) fn refuse_by_table(context: &Context, refusal: &Refusal) -> Reply {
    let scope = &context.0;
    lower::refusal(Some(&scope.request.id), refusal, Some(scope.caller.version))
}

/// What is said of a tool that took too long.
pub(super) fn timed_out_text(after: Duration, setting: &str) -> String {
    format!("the tool was stopped: it took longer than {after:?} (setting: {setting})")
}

/// What a model reads of a tool that took too long.
pub(super) fn tool_timed_out(context: &Context, after: Duration, setting: &str) -> Reply {
    let text = timed_out_text(after, setting);
    tracing::warn!(target = context.target(), ?after, setting, "a tool took too long");
    let body = lower::call_tool(frame(context), &CallToolResult::error(text), &Meta::new());
    Reply::new(Bytes::from(body), 200)
}

fn refuse(context: &Context, error: &ProtocolError) -> (Reply, Outcome) {
    if let Some(cause) = error.cause() {
        tracing::warn!(method = context.method(), target = context.target(), error = %chain(cause), "a handler failed");
    }
    let wire = error.on_wire(Some(context.version()));
    let limit = context.limits().output_bytes;
    let mut reply = lower::error_reply_within(Some(&context.0.request.id), &wire, limit);
    reply.required_scopes = error.required_scopes().map(Box::from);
    (reply, Outcome::Refused)
}

/// An error with all its sources, for the log.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let _ = write!(text, ": {error}");
        source = error.source();
    }
    text
}
