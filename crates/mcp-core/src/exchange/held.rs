//! A request that waits for the handshake to be complete.

use super::{Exchange, serving::Kind};
use crate::{
    jsonrpc::{IncomingRequest, RequestId},
    ports::BoxFuture,
};
use std::{
    fmt,
    task::{Context, Poll, ready},
    time::Instant,
};

/// Serves the request, or refuses it when the wait was in vain.
type Serve = Box<dyn FnOnce(IncomingRequest, bool) -> Exchange + Send>;

/// A request that is served once something else has happened, or refused when it does not happen in time.
pub(super) struct Held {
    id: RequestId,
    happens: BoxFuture<bool>,
    /// When the request ends at the latest, once it is served; the wait itself is short.
    deadline: Option<Instant>,
    then: Option<(IncomingRequest, Serve)>,
}

impl Held {
    pub(super) fn request_id(&self) -> &RequestId {
        &self.id
    }

    pub(super) fn end_by(&mut self, deadline: Instant) {
        self.deadline = Some(deadline);
    }

    /// What the request has become, once that is known.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Kind> {
        let happened = ready!(self.happens.as_mut().poll(context));
        Poll::Ready(match self.then.take() {
            Some((request, serve)) => {
                let mut served = serve(request, happened);
                if let Some(deadline) = self.deadline {
                    served.end_by(deadline);
                }
                served.into_kind()
            }
            None => Kind::Over,
        })
    }
}

impl Exchange {
    /// An exchange that waits before it is served.
    pub(crate) fn held(
        request: IncomingRequest,
        happens: BoxFuture<bool>,
        serve: impl FnOnce(IncomingRequest, bool) -> Self + Send + 'static,
    ) -> Self {
        let id = request.id.clone();
        Self::of(Kind::Held(Box::new(Held {
            id,
            happens,
            deadline: None,
            then: Some((request, Box::new(serve))),
        })))
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Held").field("id", &self.id).finish_non_exhaustive()
    }
}
