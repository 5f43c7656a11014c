//! Resources that are routes.

use super::{
    Routed,
    arguments::Written,
    origin::Origin,
    target::{Target, challenge},
};
use http::StatusCode;
use mcp_core::{
    handler::{Handler, ProtocolError, ReplyFuture, Request, ResourceRead},
    protocol::ResourceContents,
    schema::{InputSchema, OutputSchema},
};
use std::sync::Arc;

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
    // A value that cannot stand in the path names no resource.
    let missing = || ProtocolError::resource_not_found(read.uri());
    let answer = target.call(&origin, written).await.map_err(|fault| fault.of_protocol(|_| missing()))?;
    challenge(&origin, &answer)?;
    match answer.status {
        StatusCode::NOT_FOUND | StatusCode::GONE => Err(missing()),
        status if status.is_success() => Ok(vec![answer.into_contents()]),
        status => Err(ProtocolError::new(-32603, format!("the route answered {status}"))),
    }
}
