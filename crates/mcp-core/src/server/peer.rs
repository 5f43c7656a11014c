//! Who a request comes from, as the transport knows it.

use crate::{context::Transport, principal::Principal};
use std::{any::Any, fmt, sync::Arc};

/// Who a request comes from, as the transport knows it.
#[derive(Clone)]
pub struct Peer {
    /// The transport.
    pub transport: Transport,
    /// The authenticated caller, when the transport authenticates.
    pub principal: Option<Arc<Principal>>,
    /// Whatever the transport attaches for extractors to find by type.
    pub attachment: Option<Arc<dyn Any + Send + Sync>>,
}

impl Peer {
    /// A peer without identity and attachment.
    #[must_use]
    pub fn anonymous(transport: Transport) -> Self {
        Self { transport, principal: None, attachment: None }
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Peer")
            .field("transport", &self.transport)
            .field("principal", &self.principal)
            .finish_non_exhaustive()
    }
}
