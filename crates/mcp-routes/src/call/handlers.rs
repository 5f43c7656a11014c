//! Handlers of tools, resources and prompts that are routes.

use super::{
    Caps, Excluded, ResultForm,
    answer::Answer,
    arguments::{Preset, Written},
    drain::drain,
    mount::{Bound, InProcess},
    origin::Origin,
    request::request,
};
use crate::operation::{PathTemplate, Resolved};
use http::{HeaderName, Method, StatusCode};
use mcp_core::{
    handler::{Handler, PromptGet, ProtocolError, ReplyFuture, Request, ResourceRead, ToolCall, ToolError},
    protocol::{CallToolResult, GetPromptResult, PromptMessage, ResourceContents},
    schema::{InputSchema, OutputSchema, Presence},
    server::{Authorization, Connecting},
};
use std::sync::Arc;

/// Marks the handlers of this crate.
#[derive(Debug)]
pub(crate) struct Routed;

/// What every call of one mounted route needs.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) router: InProcess,
    pub(crate) method: Method,
    pub(crate) template: PathTemplate,
    /// The path parameters that the endpoint's URL binds.
    pub(crate) bound: Vec<Box<str>>,
    pub(crate) forwarded: Arc<[HeaderName]>,
    pub(crate) caps: Caps,
}

impl Target {
    /// Sends the request and waits for the whole of its response.
    async fn call(&self, origin: &Origin<'_>, written: Written) -> Result<Answer, ToolError> {
        let bound = Bound::of_head(origin.head.as_deref(), &self.bound);
        let url = written.url(&self.template, |name| bound.get(name));
        let url = url.map_err(|fault| ToolError::new(fault.to_string()))?;
        let request = request(origin, &self.method, url.clone(), written, &self.forwarded)?;
        let Some(response) = self.router.send(request).await else {
            return Err(ProtocolError::internal().caused_by(NotServed).into());
        };
        let (head, body) = response.into_parts();
        let body = drain(body, &head.headers, self.caps)
            .await
            .map_err(|fault| ToolError::new(format!("the route failed: {fault}")).caused_by(fault))?;
        Ok(Answer { status: head.status, headers: head.headers, body, url })
    }
}

impl Target {
    /// Asks the route for a text, without arguments.
    pub(crate) async fn ask(&self, connecting: &Connecting) -> Result<String, ProtocolError> {
        let origin = Origin::of_client(connecting);
        let answer = self.call(&origin, Written::default()).await;
        let answer = answer.map_err(|error| ProtocolError::new(-32603, error.to_string()))?;
        if is_challenge(&origin, &answer) {
            return Err(ProtocolError::unauthorized());
        }
        answer.into_text()
    }
}

/// Whether a route's 401 is to become the endpoint's challenge.
fn is_challenge(origin: &Origin<'_>, answer: &Answer) -> bool {
    answer.status == StatusCode::UNAUTHORIZED && origin.authorization == Authorization::On
}

#[derive(Debug, thiserror::Error)]
#[error("the application's router is not served yet: the routes were taken apart and their router dropped")]
struct NotServed;

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
    /// A good response without a body breaks what is published.
    pub(crate) promises_body: bool,
}

impl ToolTarget {
    async fn call(&self, call: &ToolCall) -> Result<CallToolResult, ToolError> {
        let written = Written::new(call.arguments(), &self.resolved, &self.preset);
        let written = written.map_err(|fault| ToolError::new(fault.to_string()))?;
        let origin = Origin::of_call(call.context());
        let answer = self.target.call(&origin, written).await?;
        if is_challenge(&origin, &answer) {
            return Err(ProtocolError::unauthorized().into());
        }
        let (is_empty, status) = (answer.body.is_empty(), answer.status);
        if self.promises_body && is_empty && status.is_success() {
            // What the published schema promises is not there.
            return Err(ToolError::new(format!("the route answered {status} without a body")));
        }
        answer.into_result(self.form, &self.excluded)
    }
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

/// A resource, or a family of them, that is a route.
#[derive(Clone, Debug)]
pub(crate) struct ResourceRoute(pub(crate) Arc<Target>);

impl Handler<ResourceRead, (), Routed> for ResourceRoute {
    fn call(&self, request: ResourceRead, _: &Arc<()>) -> ReplyFuture<ResourceRead> {
        let target = Arc::clone(&self.0);
        Box::pin(async move { read(&target, &request).await })
    }

    fn describe(&self, _: &mut InputSchema) {}

    fn output_schema(&self) -> Option<OutputSchema> {
        None
    }
}

async fn read(target: &Target, read: &ResourceRead) -> Result<Vec<ResourceContents>, ProtocolError> {
    let mut written = Written::default();
    for name in target.template.parameters() {
        if let Some(value) = read.variables().text(name) {
            written.path.insert(name.into(), value.to_owned());
        }
    }
    let in_path = |name: &str| target.template.parameters().any(|known| known == name);
    let others: Vec<(&str, &str)> = (read.variables().iter())
        .filter(|(name, _)| !in_path(name))
        .filter_map(|(name, _)| Some((name, read.variables().text(name)?)))
        .collect();
    written.query_of(others);
    let origin = Origin::of_call(read.context());
    let answer = target.call(&origin, written).await.map_err(|error| refused(read, error))?;
    if is_challenge(&origin, &answer) {
        return Err(ProtocolError::unauthorized());
    }
    match answer.status {
        StatusCode::NOT_FOUND | StatusCode::GONE => Err(ProtocolError::resource_not_found(read.uri())),
        status if status.is_success() => Ok(vec![answer.into_contents()]),
        status => Err(ProtocolError::new(-32603, format!("the route answered {status}"))),
    }
}

/// A value that cannot stand in the path names no resource.
fn refused(read: &ResourceRead, error: ToolError) -> ProtocolError {
    tracing::debug!(uri = read.uri(), %error, "a resource cannot be read");
    match error.into_protocol() {
        Ok(error) => error,
        Err(error) => ProtocolError::new(-32603, error.to_string()),
    }
}

/// A prompt that is made by a route.
#[derive(Clone, Debug)]
pub(crate) struct PromptRoute(pub(crate) Arc<PromptTarget>);

#[derive(Debug)]
pub(crate) struct PromptTarget {
    pub(crate) target: Target,
}

impl Handler<PromptGet, (), Routed> for PromptRoute {
    fn call(&self, request: PromptGet, _: &Arc<()>) -> ReplyFuture<PromptGet> {
        let prompt = Arc::clone(&self.0);
        Box::pin(async move { prompt.render(&request).await })
    }

    fn describe(&self, _: &mut InputSchema) {}

    fn output_schema(&self) -> Option<OutputSchema> {
        None
    }
}

impl PromptTarget {
    async fn render(&self, get: &PromptGet) -> Result<GetPromptResult, ProtocolError> {
        let mut written = Written::default();
        let in_path = |name: &str| self.target.template.parameters().any(|known| known == name);
        let (path, query): (Vec<_>, Vec<_>) = get.arguments().partition(|(name, _)| in_path(name));
        written.path = path.into_iter().map(|(name, value)| (name.into(), value.to_owned())).collect();
        written.query_of(query);
        let origin = Origin::of_call(get.context());
        let answer = self.target.call(&origin, written).await;
        let answer = answer.map_err(|error| match error.into_protocol() {
            Ok(error) => error,
            Err(error) => ProtocolError::invalid_params(error.to_string()),
        })?;
        if is_challenge(&origin, &answer) {
            return Err(ProtocolError::unauthorized());
        }
        let text = answer.into_text()?;
        Ok(GetPromptResult::new([PromptMessage::user(text)]))
    }
}
