//! `server/discover`.

use crate::{
    context::Caller,
    exchange::Exchange,
    jsonrpc::IncomingRequest,
    lower::{self, Offer},
    server::Server,
};

pub(super) fn discover(server: &Server, request: &IncomingRequest, caller: &Caller) -> Exchange {
    let cache = server.discovery_cache(caller);
    let reply = lower::discover(
        server.frame(&request.id, caller.version),
        server.versions(),
        &server.capabilities(Offer::Yes, Offer::Yes),
        server.instructions(),
        cache,
    );
    super::answer(request, caller, reply.cached(cache, caller.version))
}
