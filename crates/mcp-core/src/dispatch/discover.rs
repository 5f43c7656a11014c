//! `server/discover`.

use crate::{
    context::Caller,
    exchange::Exchange,
    jsonrpc::IncomingRequest,
    lower::{self, Offer},
    server::Server,
};

pub(crate) fn discover(
    server: &Server,
    request: &IncomingRequest,
    caller: &Caller,
    instructions: Option<&str>,
) -> Exchange {
    let cache = server.discovery_cache(caller);
    let reply = lower::discover(
        server.frame(&request.id, caller.version),
        server.versions(),
        &server.capabilities(Offer::Yes, Offer::Yes),
        instructions,
        cache,
    );
    super::answer(request, caller, reply.cached(cache, caller.version))
}
