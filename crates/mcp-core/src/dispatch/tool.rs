//! `tools/call`.

use super::{params, scope_with, start};
use crate::{
    ask,
    context::{Caller, Context},
    exchange::{Asked, Call, Exchange, Outcome, Work, run_within},
    handler::{Arguments, ToolCall, ToolError},
    json::{Document, JsonLimits, JsonWriter},
    jsonrpc::{Incoming, IncomingRequest, decode},
    lower,
    presentation::Redirected,
    protocol::{CallToolResult, Meta, Method, ToolUse},
    refusal::Refusal,
    registry::{ToolEntry, Untranslated, picked_version},
    schema::Checked,
    server::Server,
    task::{self, Chosen, TaskSupport},
    version::Feature,
};
use bytes::Bytes;
use std::{
    future::Future,
    panic::resume_unwind,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

pub(super) fn call(server: &Server, request: IncomingRequest, caller: Caller) -> Exchange {
    let catalogue = server.catalogue();
    let redirected = server.presentation().redirect(&catalogue, &request);
    let (request, unfit) = match redirected {
        Redirected::Unchanged => (request, None),
        Redirected::To(redirected) => (redirected, None),
        Redirected::Unfit(text) => (request, Some(Unfit::Arguments(text))),
        Redirected::Refused(text) => (request, Some(Unfit::Target(text))),
    };
    let context = scope_with(server, request, Method::CallTool, caller, catalogue);
    if let Some(unfit) = unfit {
        return answer_unfit(context, unfit);
    }
    let (tool, chosen) = match find(&context) {
        Ok(found) => found,
        Err(refusal) => return start(context, Err(refusal)),
    };
    match prepare(&context, &tool) {
        Ok(work) => begin(context, work, chosen),
        Err(unfit) => answer_unfit(context, unfit),
    }
}

/// Answers a call that does not reach its handler.
fn answer_unfit(context: Context, unfit: Unfit) -> Exchange {
    match unfit {
        Unfit::Refused(refusal) => start(context, Err(refusal)),
        // Who asks for a task on 2025-11-25 can read a task or an error, and no result.
        Unfit::Arguments(text) | Unfit::Target(text) if asks_for_task(&context) => {
            start(context, Err(Refusal::InvalidParams(text.into())))
        }
        Unfit::Arguments(text) => unfit_arguments(&context, &text),
        Unfit::Target(text) => in_band(&context, &text),
    }
}

/// Tells whether the client asks for a task the way of 2025-11-25, and the server takes notice of that.
fn asks_for_task(context: &Context) -> bool {
    let asked = context.0.request.params().and_then(|params| params.get("task"));
    context.version().has(Feature::CoreTasks)
        && context.0.server.offers_tasks()
        && asked.is_some_and(|task| !task.is_null())
}

/// The tool that is called, and whether its call is to be a task.
fn find(context: &Context) -> Result<(Arc<ToolEntry>, Chosen), Refusal> {
    let params = context.0.request.params();
    let name = params::member_text(params, "name")?;
    let version = picked_version(params)?;
    let tool = context.0.catalogue.tool(&name, version.as_deref())?;
    match task::choose(context, tool) {
        Chosen::Refused(refusal) => Err(refusal),
        chosen => Ok((Arc::clone(tool), chosen)),
    }
}

/// Begins the call as what it is to be.
fn begin(context: Context, work: Work, chosen: Chosen) -> Exchange {
    match chosen {
        Chosen::Incapable(error) => {
            let error = error.on_wire(Some(context.version()));
            let (request, caller) = (&context.0.request, &context.0.caller);
            super::answer(request, caller, lower::error_reply(Some(&request.id), &error))
        }
        Chosen::Task(wish) => Exchange::call(Call::as_task(context, work, wish)),
        Chosen::Maybe(wish) => {
            context.0.task.allow(wish);
            start(context, Ok(work))
        }
        Chosen::Call | Chosen::Refused(_) => start(context, Ok(work)),
    }
}

/// Why a call does not reach its handler.
enum Unfit {
    Refused(Refusal),
    /// The arguments do not fit; the text is for the model.
    Arguments(String),
    /// It was to call another tool, which it does not call; the text is for the model.
    Target(String),
}

fn prepare(context: &Context, tool: &Arc<ToolEntry>) -> Result<Work, Unfit> {
    let request = &context.0.request;
    let sent = params::member_object(request.params(), "arguments").map_err(Unfit::Refused)?;
    if context.depth() == 0 {
        ask::resume(context).map_err(Unfit::Refused)?;
    }
    let arguments = match (tool.input.check(sent), sent) {
        (Err(fault), _) => return Err(Unfit::Arguments(fault.text().to_owned())),
        (Ok(Checked::Rewritten(text)), _) => {
            // What is rewritten has been within the limits of a message already.
            let document = Document::parse(Bytes::from(text), &JsonLimits::widest())
                .map_err(|fault| Unfit::Arguments(fault.to_string()))?;
            Arguments::Rewritten(Box::new(document))
        }
        (Ok(Checked::AsSent), None) => Arguments::Absent,
        (Ok(Checked::AsSent), Some(node)) => Arguments::AsSent(node.id()),
    };
    let arguments = match &tool.derived {
        None => arguments,
        Some(derived) => match derived.translate(context, arguments) {
            Ok(arguments) => arguments,
            Err(Untranslated::Unfit(text)) => return Err(Unfit::Arguments(text)),
            Err(Untranslated::Failed(error)) => return Ok(failing(tool, async { Err(error) })),
            // It is the call's own panic, as if the handler had made the value.
            Err(Untranslated::Panicked(panic)) => return Ok(failing(tool, async { resume_unwind(panic) })),
        },
    };
    // What a call within another returns goes to a model that reads no resources.
    if context.depth() == 0 && (tool.definition.overflow || context.0.server.overflow().is_for_all_tools()) {
        context.0.overflows.store(true, Ordering::Relaxed);
    }
    let tool = Arc::clone(tool);
    let call = ToolCall { context: context.clone(), tool: Arc::clone(&tool), arguments };
    Ok(Work::Tool { future: (tool.handler)(call), tool })
}

/// A call that ends before its handler is asked.
fn failing(
    tool: &Arc<ToolEntry>,
    future: impl Future<Output = Result<CallToolResult, ToolError>> + Send + 'static,
) -> Work {
    Work::Tool { future: Box::pin(future), tool: Arc::clone(tool) }
}

/// Calls a tool within a call, as a model asked for it; what fails is a result, too, for the model to read.
pub(crate) async fn call_within(outer: &Context, path: &str, asked: &ToolUse) -> CallToolResult {
    let mut text = Vec::new();
    JsonWriter::new(&mut text).object(|message| {
        message.string("jsonrpc", "2.0");
        message.raw("id", outer.request_id().as_json());
        message.string("method", Method::CallTool.as_str());
        message.object("params", |params| {
            params.string("name", asked.name());
            params.raw("arguments", asked.input().get());
        });
    });
    // The arguments came in a message of the client, and were within its limits.
    let Ok(Incoming::Request(request)) = decode(Bytes::from(text), &JsonLimits::widest()) else {
        return CallToolResult::error("the arguments are no JSON object");
    };
    let request = match outer.0.server.presentation().redirect(&outer.0.catalogue, &request) {
        Redirected::Unchanged => request,
        Redirected::To(request) => request,
        Redirected::Unfit(text) | Redirected::Refused(text) => return CallToolResult::error(text),
    };
    let context = outer.within(path, request);
    let name = context.target().unwrap_or_default();
    // It runs within its caller's call, whether that is a task or not, and becomes none by itself.
    let tool = match context.0.catalogue.tool(&name, None) {
        Ok(tool) if tool.definition.task.support == TaskSupport::Required && !context.is_task() => {
            let refusal = Refusal::TaskRequired(tool.name.clone());
            return CallToolResult::error(refusal.on_wire(Some(context.version())).message);
        }
        Ok(tool) if !tool.definition.visibility.includes_model() => {
            return CallToolResult::error(format!("the tool `{}` is for cards only", tool.name));
        }
        Ok(tool) => Arc::clone(tool),
        Err(refusal) => return CallToolResult::error(super::as_error(refusal).to_string()),
    };
    match prepare(&context, &tool) {
        Ok(Work::Tool { future, tool }) => run_within(context, future, tool).await,
        Ok(_) => CallToolResult::error("this is no tool"),
        Err(Unfit::Refused(refusal)) => CallToolResult::error(super::as_error(refusal).to_string()),
        Err(Unfit::Arguments(text) | Unfit::Target(text)) => CallToolResult::error(text),
    }
}

/// Since 2025-11-25 the model reads what is wrong with its arguments; before it is a JSON-RPC error.
fn unfit_arguments(context: &Context, text: &str) -> Exchange {
    let request = &context.0.request;
    tracing::debug!(id = %request.id, text, "arguments do not fit the schema");
    if !context.version().has(Feature::InputErrorsAsResults) {
        return super::refuse(request, &Refusal::InvalidParams(text.into()), &context.0.caller);
    }
    in_band(context, text)
}

/// Answers with a failure that the model reads.
fn in_band(context: &Context, text: &str) -> Exchange {
    let request = &context.0.request;
    let frame = context.0.server.frame(&request.id, context.version());
    let body = lower::call_tool(frame, &CallToolResult::error(text), &Meta::new());
    let (version, transport) = (Some(context.version()), context.transport());
    Asked { request, version, transport }.report(Outcome::Failed, Duration::ZERO);
    Exchange::ready(frame.reply(body))
}
