//! Whom a request in process is made for.

use http::request::Parts;
use mcp_core::{
    context::Context,
    principal::Principal,
    server::{Authorization, Connecting},
};
use std::sync::Arc;

/// Whom a request in process is made for.
pub(crate) struct Origin<'a> {
    /// The head of the request to the endpoint; `None` on other transports.
    pub(crate) head: Option<Arc<Parts>>,
    pub(crate) principal: Option<Arc<Principal>>,
    /// The call; `None` for a client that only connects.
    pub(crate) context: Option<&'a Context>,
    /// Whether a 401 of the route can become a challenge.
    pub(crate) authorization: Authorization,
}

impl<'a> Origin<'a> {
    pub(crate) fn of_call(context: &'a Context) -> Self {
        let asks = context.asks_for_credentials();
        Self {
            head: context.attachment(),
            principal: context.principal().cloned(),
            context: Some(context),
            authorization: if asks { Authorization::On } else { Authorization::Off },
        }
    }

    pub(crate) fn of_client(connecting: &Connecting) -> Self {
        let peer = &connecting.peer;
        Self {
            head: peer.attachment.clone().and_then(|attached| attached.downcast().ok()),
            principal: peer.principal.clone(),
            context: None,
            authorization: peer.authorization,
        }
    }
}
