//! Prompts that are made by routes.

use super::{
    Routed,
    arguments::Written,
    origin::Origin,
    target::{Target, challenge},
};
use mcp_core::{
    handler::{Handler, PromptGet, ProtocolError, ReplyFuture, Request},
    protocol::{GetPromptResult, PromptMessage},
    schema::{InputSchema, OutputSchema},
};
use std::sync::Arc;

/// A prompt that is made by a route.
#[derive(Clone, Debug)]
pub(crate) struct PromptRoute(pub(crate) Arc<PromptTarget>);

#[derive(Debug)]
pub(crate) struct PromptTarget {
    pub(crate) target: Target,
    /// The arguments that go to the query string; those of other names go nowhere.
    pub(crate) query: Vec<Box<str>>,
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
        let (path, others): (Vec<_>, Vec<_>) = get.arguments().partition(|(name, _)| in_path(name));
        let in_query = |(name, _): &(&str, &str)| self.query.iter().any(|known| **known == **name);
        written.path = path.into_iter().map(|(name, value)| (name.into(), value.to_owned())).collect();
        written.query_of(others.into_iter().filter(in_query));
        let origin = Origin::of_call(get.context());
        let answer = self.target.call(&origin, written).await;
        let answer = answer.map_err(|fault| fault.of_protocol(ProtocolError::invalid_params))?;
        challenge(&origin, &answer)?;
        let text = answer.into_text()?;
        Ok(GetPromptResult::new([PromptMessage::user(text)]))
    }
}
