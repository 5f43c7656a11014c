//! `resources/read`.

use super::{params, scope, start};
use crate::{
    ask,
    context::{Caller, Context},
    exchange::{Exchange, Work},
    handler::{ProtocolError, Request as _, ResourceRead},
    json::Node,
    jsonrpc::IncomingRequest,
    overflow,
    protocol::{CacheHints, Method, ResourceContents},
    refusal::Refusal,
    registry::{Found, TimeLimit},
    server::Server,
    uri::{AbsoluteUri, Variables},
};

pub(super) fn read(server: &Server, request: IncomingRequest, caller: Caller) -> Exchange {
    if !server.offers_resources() {
        return super::refuse(&request, &Refusal::MethodNotFound, &caller);
    }
    let context = scope(server, request, Method::ReadResource, caller);
    let work = params::member_text(context.0.request.params(), "uri")
        .and_then(|uri| prepare(&context, &uri))
        .and_then(|work| ask::resume(&context).map(|()| work));
    start(context, work)
}

fn prepare(context: &Context, uri: &str) -> Result<Work, Refusal> {
    params::check_uri(context.limits(), uri)?;
    let key: Box<str> = AbsoluteUri::normalize_lookup(uri).into();
    if let Err(fault) = AbsoluteUri::parse(&key) {
        return Err(Refusal::InvalidParams(format!("`uri` is not an absolute URI: {fault}").into()));
    }
    if let Some(contents) = overflow::read(context, &key)? {
        let future = Box::pin(async { Ok(vec![contents]) });
        // It is for this caller, and ends.
        let cache = CacheHints::default();
        let time = TimeLimit::Server;
        return Ok(Work::Read { future, uri: uri.into(), declared_type: None, time, cache });
    }
    let (handler, declared_type, time, variables, cache, card) = match context.0.catalogue.resource(&key) {
        Some(Found::Static(entry)) => {
            let declared_type = entry.resource.mime_type.clone();
            let card = entry.card.clone();
            let cache = card.as_ref().map_or(entry.cache, |card| card.cache(&key, entry.cache));
            (entry.handler.clone(), declared_type, entry.time, Variables::default(), cache, card)
        }
        Some(Found::Template(entry, variables)) => {
            let definition = &entry.definition;
            let declared_type = definition.mime_type.clone();
            let card = entry.card.clone();
            (entry.handler.clone(), declared_type, definition.time, variables, definition.cache, card)
        }
        None => return Err(Refusal::ResourceNotFound(uri.into())),
    };
    let request = ResourceRead { context: context.clone(), uri: key, variables };
    // The URI goes back as the client wrote it, so that it recognises it.
    let cache = if answers(context) { CacheHints::default() } else { cache };
    let mut future = handler(request);
    if let Some(card) = card {
        let read = future;
        future = Box::pin(async move {
            let mut contents = read.await?;
            card.complete(&mut contents);
            Ok(contents)
        });
    }
    Ok(Work::Read { future, uri: uri.into(), declared_type, time, cache })
}

/// Tells whether the request brings answers, on which its result may depend: nobody may keep that.
fn answers(context: &Context) -> bool {
    let brings = |params: Node<'_>| {
        ["inputResponses", "requestState"]
            .iter()
            .any(|name| params.get(name).is_some_and(|node| !node.is_null()))
    };
    context.0.request.params().is_some_and(brings)
}

impl Context {
    /// Reads a resource of this server, as this caller may.
    ///
    /// # Errors
    /// [`ProtocolError`] when there is no such resource, or its handler failed.
    pub async fn read_resource(&self, uri: &str) -> Result<Vec<ResourceContents>, ProtocolError> {
        match prepare(self, uri).map_err(super::as_error)? {
            Work::Read { future, declared_type, .. } => {
                let mut contents = future.await?;
                if contents.is_empty() {
                    return Err(ProtocolError::resource_not_found(uri));
                }
                for item in &mut contents {
                    item.uri.get_or_insert_with(|| uri.into());
                    item.mime_type = declared_type.clone().or(item.mime_type.take());
                }
                Ok(contents)
            }
            _ => ResourceRead::refused(ProtocolError::internal()),
        }
    }
}
