//! How calls of handlers start.

use super::refuse;
use crate::{
    context::{Caller, Cancellation, Context, Outbox, Scope},
    exchange::{Call, Exchange, Work},
    jsonrpc::IncomingRequest,
    protocol::Method,
    refusal::Refusal,
    registry::Catalogue,
    server::Server,
};
use std::sync::Arc;

/// The scope of a call that is about to start.
pub(super) fn scope(server: &Server, request: IncomingRequest, method: Method, caller: Caller) -> Context {
    scope_with(server, request, method, caller, server.catalogue())
}

/// The scope of a call of something that was found in this catalogue.
pub(super) fn scope_with(
    server: &Server,
    request: IncomingRequest,
    method: Method,
    caller: Caller,
    catalogue: Arc<Catalogue>,
) -> Context {
    Context(Arc::new(Scope {
        catalogue,
        outbox: Outbox::new(server.limits().outbox_messages, server.limits().notification_bytes),
        asks: Default::default(),
        pace: Default::default(),
        task: Default::default(),
        cancelled: Cancellation::default(),
        scratch: Default::default(),
        teardown: Default::default(),
        result_meta: Default::default(),
        started: server.runtime().now(),
        nested: None,
        overflows: Default::default(),
        runs_plan: Default::default(),
        server: server.clone(),
        request,
        method,
        caller,
    }))
}

/// Starts a call, or refuses it.
pub(super) fn start(context: Context, work: Result<Work, Refusal>) -> Exchange {
    match work {
        Ok(work) => Exchange::call(Call::new(context, work)),
        Err(refusal) => refuse(&context.0.request, &refusal, &context.0.caller),
    }
}
