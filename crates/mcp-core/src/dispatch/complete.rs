//! `completion/complete`.

use super::{params, scope, start};
use crate::{
    context::{Caller, Context},
    exchange::{Exchange, Work},
    handler::CompletionRequest,
    jsonrpc::IncomingRequest,
    protocol::{Completion, CompletionReference, Method},
    refusal::Refusal,
    server::Server,
    version::Feature,
};

pub(super) fn complete(server: &Server, request: IncomingRequest, caller: Caller) -> Exchange {
    if !server.offers_completions() {
        return super::refuse(&request, &Refusal::MethodNotFound, &caller);
    }
    let context = scope(server, request, Method::Complete, caller);
    let work = prepare(&context);
    start(context, work)
}

fn prepare(context: &Context) -> Result<Work, Refusal> {
    let params = context.0.request.params();
    let required = |name: &str| {
        params::member_object(params, name)?
            .ok_or_else(|| Refusal::InvalidParams(format!("`{name}` must be an object").into()))
    };
    let reference = required("ref")?;
    let argument = required("argument")?;
    let name = params::member_text(Some(argument), "name")?;
    let value = params::member_text(Some(argument), "value")?.into_string();
    let siblings = if context.version().has(Feature::CompletionContext) {
        let context = params::member_object(params, "context")?;
        params::texts(params::member_object(context, "arguments")?, "context.arguments")?
    } else {
        Vec::new()
    };
    let kind = params::member_text(Some(reference), "type")?;
    let catalogue = &context.0.catalogue;
    let (reference, completer) = match &*kind {
        "ref/prompt" => {
            let prompt = params::member_text(Some(reference), "name")?;
            let Some(entry) = catalogue.prompt(&prompt) else { return Err(Refusal::UnknownPrompt(prompt)) };
            (CompletionReference::Prompt(prompt), entry.completers.get(&name).cloned())
        }
        "ref/resource" => {
            let uri = params::member_text(Some(reference), "uri")?;
            match catalogue.template(&uri) {
                Some(entry) => (CompletionReference::Template(uri), entry.completers.get(&name).cloned()),
                // A static resource is known and has nothing to complete.
                None if catalogue.resource(&uri).is_some() => (CompletionReference::Template(uri), None),
                None => return Err(Refusal::InvalidParams("`ref.uri` names no resource template".into())),
            }
        }
        _ => return Err(Refusal::InvalidParams("`ref.type` must be `ref/prompt` or `ref/resource`".into())),
    };
    let Some(completer) = completer else {
        let nothing: Vec<String> = Vec::new();
        return Ok(Work::Complete { future: Box::pin(async { Ok(Completion::new(nothing)) }) });
    };
    let request = CompletionRequest { context: context.clone(), reference, argument: name, value, siblings };
    Ok(Work::Complete { future: completer(request) })
}
