//! One message from the same process.

use super::{Peer, Server};
use crate::{
    admit,
    context::{Asking, Caller},
    dispatch,
    exchange::Exchange,
    jsonrpc::{Incoming, IncomingRequest, decode},
    lower::{self, Offer},
    ports::SessionId,
    protocol::{ClientCapabilities, Method},
    refusal::Refusal,
    version::ProtocolVersion,
    view::View,
};
use bytes::Bytes;
use std::sync::Arc;

/// What a caller in the same process adds to what its message says.
#[derive(Debug, Default)]
pub(crate) struct InProcess {
    /// What a handshake would have said that the client can do.
    pub(crate) capabilities: ClientCapabilities,
    /// How the client is asked; by what its revision does when there is nothing here.
    pub(crate) asking: Option<Asking>,
    /// What ties the client's requests together.
    pub(crate) scope: Option<SessionId>,
}

impl Server {
    /// Serves one message from the same process, without transport and handshake, as a caller of the
    /// given version; a modern request may leave its `_meta` out.
    ///
    /// For tests and for embedding. A notification gives `None`.
    #[must_use]
    pub fn dispatch(
        &self,
        version: ProtocolVersion,
        message: impl Into<Bytes>,
        peer: Peer,
    ) -> Option<Exchange> {
        self.dispatch_in_process(version, message.into(), peer, InProcess::default())
    }

    pub(crate) fn dispatch_in_process(
        &self,
        version: ProtocolVersion,
        message: Bytes,
        peer: Peer,
        more: InProcess,
    ) -> Option<Exchange> {
        match decode(message, &self.limits().message) {
            Ok(Incoming::Request(request)) => Some(self.request_in_process(version, request, peer, more)),
            Ok(Incoming::Notification(_) | Incoming::Response(_)) => None,
            Ok(Incoming::Batch(_)) => {
                Some(Exchange::ready(lower::refusal(None, &Refusal::Batch, Some(version))))
            }
            Err((id, refusal)) => Some(Exchange::ready(lower::refusal(id.as_ref(), &refusal, Some(version)))),
        }
    }

    fn request_in_process(
        &self,
        version: ProtocolVersion,
        request: IncomingRequest,
        peer: Peer,
        more: InProcess,
    ) -> Exchange {
        let refuse =
            |refusal: &Refusal| Exchange::ready(lower::refusal(Some(&request.id), refusal, Some(version)));
        let (method, mut caller) = match admit::modern_evidence(request.params()) {
            Some(named) => match admit::admit_modern(&request, named, self.versions()) {
                Ok(admitted) => (admitted.method, Caller::modern(admitted.meta, peer)),
                Err(refusal) => return refuse(&refusal),
            },
            None => {
                let method = request.method().as_str().and_then(|name| Method::parse(&name));
                let Some(method) = method.filter(|method| method.exists_in(version)) else {
                    return refuse(&Refusal::MethodNotFound);
                };
                let mut caller = Caller::plain(version, &request, peer);
                caller.capabilities = more.capabilities;
                (method, caller)
            }
        };
        caller.scope = more.scope;
        if let Some(asking) = more.asking {
            if let Asking::Live(live) = &asking {
                caller.view = View::Connection(Arc::clone(live));
            }
            caller.asking = asking;
        }
        if method == Method::Initialize {
            let instructions = self.instructions();
            return self.answer_handshake(&request, caller, instructions);
        }
        dispatch::dispatch(self, request, method, caller)
    }

    /// A handshake where nothing is remembered of it.
    pub(super) fn answer_handshake(
        &self,
        request: &IncomingRequest,
        mut caller: Caller,
        instructions: Option<&str>,
    ) -> Exchange {
        match self.handshake(request) {
            Ok((version, _)) => {
                caller.version = version;
                dispatch::answer(
                    request,
                    &caller,
                    self.welcome(request, version, Offer::No, Offer::No, instructions),
                )
            }
            Err(refusal) => dispatch::refuse(request, &refusal, &caller),
        }
    }
}
