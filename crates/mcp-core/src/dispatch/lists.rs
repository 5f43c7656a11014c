//! The four lists.

use super::{scope, start};
use crate::{
    context::{Caller, Context},
    exchange::{Exchange, Work},
    handler::{ProtocolError, ResourceListing},
    jsonrpc::IncomingRequest,
    lower::{self, ListKind, Reply},
    protocol::{Meta, Method, Resource},
    refusal::Refusal,
    server::Server,
};
use bytes::Bytes;

pub(super) fn list(server: &Server, request: IncomingRequest, method: Method, caller: Caller) -> Exchange {
    let catalogue = server.catalogue();
    let (kind, offered) = match method {
        Method::ListResources => (ListKind::Resources, server.offers_resources()),
        Method::ListResourceTemplates => (ListKind::Templates, server.offers_resources()),
        Method::ListPrompts => (ListKind::Prompts, server.offers_prompts()),
        _ => (ListKind::Tools, true),
    };
    if !offered {
        return super::refuse(&request, &Refusal::MethodNotFound, &caller);
    }
    if let Err(refusal) = check_cursor(&request) {
        return super::refuse(&request, &refusal, &caller);
    }
    if kind == ListKind::Resources && !catalogue.listings().0.is_empty() {
        let context = scope(server, request, method, caller);
        let work = Work::ListResources { future: Box::pin(listed(context.clone())) };
        return start(context, Ok(work));
    }
    let frame = server.frame(&request.id, caller.version);
    let entries = catalogue.entries(kind, caller.version);
    let body = lower::list(frame, kind, entries, server.list_cache(), &Meta::new());
    super::answer(&request, &caller, Reply::new(Bytes::from(body), 200))
}

/// Every list is one page, so no cursor was ever issued.
fn check_cursor(request: &IncomingRequest) -> Result<(), Refusal> {
    match request.params().and_then(|params| params.get("cursor")) {
        Some(cursor) if !cursor.is_null() => Err(Refusal::InvalidCursor),
        _ => Ok(()),
    }
}

/// What the callbacks list, one after the other.
async fn listed(context: Context) -> Result<Vec<Resource>, ProtocolError> {
    let mut all = Vec::new();
    for listing in &context.0.catalogue.listings().0 {
        all.extend(listing(ResourceListing { context: context.clone() }).await?);
    }
    Ok(all)
}

impl Context {
    /// The resources of this server, static ones and those of callbacks, as this caller sees them.
    ///
    /// # Errors
    /// [`ProtocolError`] when a callback failed.
    pub async fn list_resources(&self) -> Result<Vec<Resource>, ProtocolError> {
        let mut all: Vec<Resource> =
            self.0.catalogue.static_resources().iter().map(|entry| entry.resource.clone()).collect();
        all.extend(listed(self.clone()).await?);
        Ok(all)
    }
}
