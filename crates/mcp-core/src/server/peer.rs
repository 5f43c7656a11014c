//! Who a request comes from, as the transport knows it.

use crate::{context::Transport, principal::Principal};
use std::{any::Any, fmt, sync::Arc};

/// Whether the transport can ask a client for credentials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "it can or it cannot")]
pub enum Authorization {
    /// Nobody is asked.
    #[default]
    Off,
    /// Clients authenticate, and one whose credentials no longer do is asked again.
    On,
}

/// Who a request comes from, as the transport knows it.
#[derive(Clone)]
pub struct Peer {
    /// The transport.
    pub transport: Transport,
    /// The authenticated caller, when the transport authenticates.
    pub principal: Option<Arc<Principal>>,
    /// Whether the transport can ask the client for other credentials.
    pub authorization: Authorization,
    /// Whatever the transport attaches for extractors to find by type.
    pub attachment: Option<Arc<dyn Any + Send + Sync>>,
}

impl Peer {
    /// A peer without identity and attachment.
    #[must_use]
    pub fn anonymous(transport: Transport) -> Self {
        Self { transport, principal: None, authorization: Authorization::Off, attachment: None }
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
