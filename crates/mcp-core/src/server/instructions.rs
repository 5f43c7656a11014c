//! How clients are told to use the server.

use super::{Peer, Server};
use crate::{
    handler::ProtocolError,
    jsonrpc::RequestId,
    lower::{self, Reply},
    ports::BoxFuture,
    version::ProtocolVersion,
};
use futures_util::{
    FutureExt,
    future::{Either, select},
};
use std::{borrow::Cow, fmt, future::Future, panic::AssertUnwindSafe, pin::pin, sync::Arc, time::Duration};

/// A client that connects: by `initialize`, or by `server/discover` on 2026-07-28.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Connecting {
    /// Who connects, with what the transport attached: over HTTP the head of the request.
    pub peer: Peer,
    /// The protocol version that the client speaks.
    pub version: ProtocolVersion,
}

/// How clients are told to use the server.
#[derive(Clone)]
pub(crate) enum Instructions {
    Text(Option<Box<str>>),
    /// Made for each client that connects.
    Made(Make),
}

type Make = Arc<dyn Fn(Connecting) -> BoxFuture<Result<String, ProtocolError>> + Send + Sync>;

/// How long making instructions may take at most: a client that connects does not wait as long as a call may take.
const LONGEST: Duration = Duration::from_secs(60);

impl Instructions {
    pub(super) fn made<F, A>(make: F) -> Self
    where
        F: Fn(Connecting) -> A + Send + Sync + 'static,
        A: Future<Output = Result<String, ProtocolError>> + Send + 'static,
    {
        Self::Made(Arc::new(move |connecting| Box::pin(make(connecting))))
    }
}

impl fmt::Debug for Instructions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.debug_tuple("Text").field(text).finish(),
            Self::Made(_) => formatter.write_str("Made"),
        }
    }
}

impl Server {
    /// Tells whether each client that connects is told something of its own, or may be refused.
    ///
    /// Only Streamable HTTP asks before it answers; a transport that cannot should not serve such a server.
    #[must_use]
    pub fn instructs_each_client(&self) -> bool {
        matches!(self.0.instructions, Instructions::Made(_))
    }

    /// What a client that connects is told.
    ///
    /// # Errors
    /// The reply that refuses it.
    pub(crate) async fn instruct(
        &self,
        id: &RequestId,
        peer: &Peer,
        version: ProtocolVersion,
    ) -> Result<Option<Cow<'_, str>>, Reply> {
        let make = match &self.0.instructions {
            Instructions::Text(text) => return Ok(text.as_deref().map(Cow::Borrowed)),
            Instructions::Made(make) => make,
        };
        let connecting = Connecting { peer: peer.clone(), version };
        let making = AssertUnwindSafe(async { make(connecting).await }).catch_unwind();
        let time = self.limits().call_timeout.map_or(LONGEST, |timeout| timeout.min(LONGEST));
        let late = self.runtime().sleep_until(self.runtime().now() + time);
        let made = match select(pin!(making), late).await {
            Either::Left((Ok(made), _)) => made,
            Either::Left((Err(_), _)) => {
                tracing::error!("making the instructions panicked");
                Err(ProtocolError::internal())
            }
            Either::Right(_) => {
                tracing::warn!(after = ?time, "making the instructions took too long");
                Err(ProtocolError::internal())
            }
        };
        match made {
            Ok(text) => Ok(Some(Cow::Owned(text))),
            Err(error) => {
                if let Some(cause) = error.cause() {
                    tracing::warn!(%cause, "the instructions could not be made");
                }
                tracing::info!(%error, "a client that connects is refused");
                let wire = error.on_wire(Some(version));
                let mut reply = lower::error_reply_within(Some(id), &wire, self.limits().output_bytes);
                reply.required_scopes = error.required_scopes().map(Box::from);
                Err(reply)
            }
        }
    }
}
