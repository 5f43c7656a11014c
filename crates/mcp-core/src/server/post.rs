//! One HTTP request, or one message from the same process.

use super::Server;
use crate::{
    admit::{self, Admission, RoutingHeaders},
    context::{Caller, LogThreshold, Transport},
    dispatch::{self, InitializeParams},
    exchange::{Exchange, Reply},
    jsonrpc::{Incoming, IncomingRequest, Notification, RequestId, decode},
    lower::{self, Offer},
    principal::Principal,
    protocol::{ClientCapabilities, Method},
    refusal::Refusal,
    version::{Era, ProtocolVersion},
};
use bytes::Bytes;
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

/// What became of an HTTP request's body.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a message is answered or it is not")]
pub enum Posted {
    /// A notification was taken: 202 without a body.
    Accepted,
    /// The body holds nothing that can be served: the error to answer with.
    Refused(Reply),
    /// A request is served.
    Exchange(Exchange),
}

impl Server {
    /// Serves the body of an HTTP POST, without a session.
    ///
    /// The transport has checked everything about HTTP itself before: method, origin, host, media types, size,
    /// authentication.
    #[must_use]
    pub fn post(&self, body: Bytes, headers: &dyn RoutingHeaders, peer: Peer) -> Posted {
        match decode(body, &self.limits().message) {
            Ok(Incoming::Request(request)) => Posted::Exchange(self.post_request(request, headers, peer)),
            Ok(Incoming::Notification(notification)) => {
                ignored(&notification);
                Posted::Accepted
            }
            // Nothing was asked, so no answer is awaited.
            Ok(Incoming::Response) => refused(None, &Refusal::InvalidRequest("a response to no request")),
            Ok(Incoming::Batch(_)) => refused(None, &Refusal::Batch),
            Err((id, refusal)) => refused(id.as_ref(), &refusal),
        }
    }

    fn post_request(&self, request: IncomingRequest, headers: &dyn RoutingHeaders, peer: Peer) -> Exchange {
        match admit::admit_http(&request, headers, &self.catalogue(), self.versions()) {
            Ok(Admission::Modern(admitted)) => {
                let caller = modern_caller(admitted.meta, peer);
                dispatch::dispatch(self, request, admitted.method, caller)
            }
            Ok(Admission::Handshake { method, version }) => self.sessionless(request, method, version, peer),
            Err((version, refusal)) => dispatch::refuse_as(&request, &refusal, version, Transport::Http),
        }
    }

    /// A handshake request where there are no sessions: each stands alone.
    fn sessionless(
        &self,
        request: IncomingRequest,
        method: Option<Method>,
        version: ProtocolVersion,
        peer: Peer,
    ) -> Exchange {
        let mut caller = Caller {
            version,
            transport: peer.transport,
            principal: peer.principal,
            capabilities: ClientCapabilities::default(),
            client_info: None,
            progress_token: progress_token(&request),
            log: LogThreshold::Nothing,
            attachment: peer.attachment,
        };
        match method {
            None => dispatch::refuse(&request, &Refusal::MethodNotFound, &caller),
            Some(Method::Initialize) => match self.handshake(&request) {
                Ok((version, _)) => {
                    caller.version = version;
                    // Without a session there is no channel for changes, and no level to set.
                    let capabilities = self.capabilities(Offer::No, Offer::No);
                    let frame = self.frame(&request.id, version);
                    let reply = lower::initialize(frame, &capabilities, self.instructions());
                    dispatch::answer(&request, &caller, reply)
                }
                Err(refusal) => dispatch::refuse(&request, &refusal, &caller),
            },
            Some(method) => dispatch::dispatch(self, request, method, caller),
        }
    }

    /// Negotiates a handshake.
    pub(crate) fn handshake(
        &self,
        request: &IncomingRequest,
    ) -> Result<(ProtocolVersion, InitializeParams), Refusal> {
        if self.is_shutting_down() {
            return Err(Refusal::ShuttingDown);
        }
        let params = InitializeParams::read(request)?;
        match self.versions().negotiate(&params.version) {
            Some(version) => Ok((version, params)),
            None => Err(Refusal::UnsupportedVersion {
                requested: params.version,
                supported: self.versions().newest_first().collect(),
            }),
        }
    }

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
        let refuse = |id: Option<&RequestId>, refusal: &Refusal| {
            Some(Exchange::ready(lower::refusal(id, refusal, Some(version))))
        };
        let request = match decode(message.into(), &self.limits().message) {
            Ok(Incoming::Request(request)) => request,
            Ok(Incoming::Notification(_) | Incoming::Response) => return None,
            Ok(Incoming::Batch(_)) => return refuse(None, &Refusal::Batch),
            Err((id, refusal)) => return refuse(id.as_ref(), &refusal),
        };
        if let Some(named) = admit::modern_evidence(request.params()) {
            return match admit::admit_modern(&request, named, self.versions()) {
                Ok(admitted) => Some(dispatch::dispatch(
                    self,
                    request,
                    admitted.method,
                    modern_caller(admitted.meta, peer),
                )),
                Err(refusal) => refuse(Some(&request.id), &refusal),
            };
        }
        let method = request.method().as_str().and_then(|name| Method::parse(&name));
        let Some(method) = method.filter(|method| method.exists_in(version)) else {
            return refuse(Some(&request.id), &Refusal::MethodNotFound);
        };
        let lowest = crate::protocol::LogLevel::Debug;
        let caller = Caller {
            version,
            transport: peer.transport,
            principal: peer.principal,
            capabilities: ClientCapabilities::default(),
            client_info: None,
            progress_token: progress_token(&request),
            log: if version.era() == Era::Handshake {
                LogThreshold::From(lowest)
            } else {
                LogThreshold::Nothing
            },
            attachment: peer.attachment,
        };
        if method == Method::Initialize {
            return Some(self.sessionless(
                request,
                Some(method),
                version,
                Peer {
                    transport: caller.transport,
                    principal: caller.principal,
                    attachment: caller.attachment,
                },
            ));
        }
        Some(dispatch::dispatch(self, request, method, caller))
    }
}

/// The caller of a modern request.
pub(crate) fn modern_caller(meta: admit::ModernMeta, peer: Peer) -> Caller {
    Caller {
        version: meta.version,
        transport: peer.transport,
        principal: peer.principal,
        capabilities: meta.capabilities,
        client_info: meta.client_info,
        progress_token: meta.progress_token,
        log: meta.log,
        attachment: peer.attachment,
    }
}

/// The progress token of a handshake request.
pub(crate) fn progress_token(request: &IncomingRequest) -> Option<crate::protocol::ProgressToken> {
    let token = request.params()?.get("_meta")?.get(crate::protocol::meta_key::PROGRESS_TOKEN)?;
    crate::protocol::ProgressToken::from_node(token)
}

fn refused(id: Option<&RequestId>, refusal: &Refusal) -> Posted {
    tracing::debug!(?refusal, "a message is refused");
    Posted::Refused(lower::refusal(id, refusal, None))
}

fn ignored(notification: &Notification) {
    tracing::trace!(method = notification.method().as_str().as_deref(), "a notification without effect");
}
