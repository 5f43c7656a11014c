//! `subscriptions/listen`.

use super::{answer, params, refuse};
use crate::{
    context::Caller,
    exchange::{Exchange, Listen},
    handler::ProtocolError,
    jsonrpc::IncomingRequest,
    lower,
    ports::Owner,
    protocol::{FilterBounds, SubscriptionFilter},
    refusal::Refusal,
    server::Server,
    subscription::Subscriber,
    task,
};

pub(super) fn listen(server: &Server, request: &IncomingRequest, caller: &Caller) -> Exchange {
    let mut wanted = match wanted(server, request) {
        Ok(filter) => filter,
        Err(refusal) => return refuse(request, &refusal, caller),
    };
    let tasks = std::mem::take(&mut wanted.task_ids);
    if !tasks.is_empty() && server.offers_tasks() && !caller.capabilities.supports(task::CAPABILITY) {
        let error = ProtocolError::missing_capability(task::CAPABILITY).on_wire(Some(caller.version));
        return answer(request, caller, lower::error_reply(Some(&request.id), &error));
    }
    let granted = grant(server, wanted);
    let owner = Owner::of(caller.principal.as_deref());
    match server.subscribers().register(Subscriber::new(&granted), owner) {
        Ok(registration) => {
            let mut listen = Listen::new(server.clone(), request.id.detached(), registration, granted);
            if !tasks.is_empty() && server.offers_tasks() {
                listen = listen.with_tasks(caller.task_owner(), tasks);
            }
            Exchange::listen(listen)
        }
        Err(full) => refuse(request, &Refusal::Limit { setting: full.setting() }, caller),
    }
}

fn wanted(server: &Server, request: &IncomingRequest) -> Result<SubscriptionFilter, Refusal> {
    let Some(filter) = params::member_object(request.params(), "notifications")? else {
        return Err(Refusal::InvalidParams("`notifications` must be an object".into()));
    };
    let limits = server.limits();
    let bounds = FilterBounds {
        entries: limits.subscription_uris,
        uri_bytes: limits.uri_bytes,
        text_bytes: limits.client_text_bytes,
    };
    SubscriptionFilter::from_node(filter, bounds).map_err(|problem| Refusal::InvalidParams(problem.into()))
}

/// What of a filter the server can honour: what it advertises.
fn grant(server: &Server, wanted: SubscriptionFilter) -> SubscriptionFilter {
    let dynamic = server.is_dynamic();
    SubscriptionFilter {
        tools_list_changed: wanted.tools_list_changed && dynamic,
        prompts_list_changed: wanted.prompts_list_changed && server.offers_prompts() && dynamic,
        resources_list_changed: wanted.resources_list_changed && dynamic,
        resource_subscriptions: if server.announces_updates() && server.offers_resources() {
            wanted.resource_subscriptions
        } else {
            Default::default()
        },
        task_ids: Default::default(),
    }
}
