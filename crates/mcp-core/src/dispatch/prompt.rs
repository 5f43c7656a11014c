//! `prompts/get`.

use super::{params, scope, start};
use crate::{
    ask,
    context::{Caller, Context},
    exchange::{Exchange, Work},
    handler::{PromptGet, ProtocolError},
    jsonrpc::IncomingRequest,
    protocol::{GetPromptResult, Method},
    refusal::Refusal,
    registry::PromptEntry,
    server::Server,
};
use std::sync::Arc;

pub(super) fn get(server: &Server, request: IncomingRequest, caller: Caller) -> Exchange {
    if !server.offers_prompts() {
        return super::refuse(&request, &Refusal::MethodNotFound, &caller);
    }
    let context = scope(server, request, Method::GetPrompt, caller);
    let work = from_params(&context);
    start(context, work)
}

fn from_params(context: &Context) -> Result<Work, Refusal> {
    let params = context.0.request.params();
    let name = params::member_text(params, "name")?;
    let arguments = params::texts(params::member_object(params, "arguments")?, "arguments")?;
    let (prompt, request) = prepare(context, &name, arguments)?;
    ask::resume(context)?;
    Ok(Work::Prompt { future: (prompt.handler)(request), prompt })
}

fn prepare(
    context: &Context,
    name: &str,
    arguments: Vec<(Box<str>, String)>,
) -> Result<(Arc<PromptEntry>, PromptGet), Refusal> {
    let Some(prompt) = context.0.catalogue.prompt(name) else {
        return Err(Refusal::UnknownPrompt(name.into()));
    };
    let given = |name: &str| arguments.iter().any(|(given, _)| &**given == name);
    if let Some(missing) =
        prompt.arguments.iter().find(|argument| argument.required && !given(&argument.name))
    {
        return Err(Refusal::InvalidParams(format!("missing required argument `{}`", missing.name).into()));
    }
    let known = |name: &str| prompt.arguments.iter().any(|argument| &*argument.name == name);
    if let Some((stray, _)) = arguments.iter().find(|(name, _)| !known(name)) {
        let stray: String = stray.chars().take(64).collect();
        return Err(Refusal::InvalidParams(format!("unknown argument `{stray}`").into()));
    }
    let request = PromptGet { context: context.clone(), name: Arc::clone(&prompt.name), arguments };
    Ok((Arc::clone(prompt), request))
}

impl Context {
    /// Renders a prompt of this server, as this caller may.
    ///
    /// # Errors
    /// [`ProtocolError`] when there is no such prompt, its arguments do not fit, or its handler failed.
    pub async fn get_prompt<'a>(
        &self,
        name: &str,
        arguments: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<GetPromptResult, ProtocolError> {
        let arguments = arguments.into_iter().map(|(name, value)| (name.into(), value.to_owned())).collect();
        let (prompt, request) = prepare(self, name, arguments).map_err(super::as_error)?;
        (prompt.handler)(request).await
    }

    /// The names of this server's prompts, as this caller sees them, in the order they are listed.
    #[must_use]
    pub fn prompt_names(&self) -> Vec<&str> {
        self.0.catalogue.prompts().iter().map(|entry| &*entry.name).collect()
    }
}
