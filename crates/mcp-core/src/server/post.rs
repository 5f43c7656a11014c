//! The body of one HTTP POST.

use super::{BatchOutcome, Peer, Server, serve_batch};
use crate::{
    admit::{self, Admission, RequestHead},
    context::{Caller, LogThreshold, Transport},
    dispatch,
    exchange::{Exchange, Reply},
    jsonrpc::{Batch, Incoming, IncomingRequest, RequestId, decode},
    lower,
    protocol::Method,
    refusal::Refusal,
    session,
    version::{Feature, ProtocolVersion},
};
use bytes::Bytes;

/// What became of an HTTP request's body.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a message is answered or it is not")]
pub enum Posted {
    /// Nothing in it is answered, and all of it was taken: 202 without a body.
    Accepted,
    /// The body holds nothing that can be served: the error to answer with.
    Refused(Reply),
    /// A request is served.
    Exchange(Exchange),
}

impl Server {
    /// Serves the body of an HTTP POST.
    ///
    /// The transport has checked everything about HTTP itself before: method, origin, host, media types, size,
    /// authentication. Cancel-safe: what was begun when the future is dropped ends or is not begun at all.
    pub async fn post(&self, body: Bytes, head: &dyn RequestHead, peer: Peer) -> Posted {
        match decode(body, &self.limits().message) {
            Ok(Incoming::Request(request)) => self.post_request(request, head, peer).await,
            Ok(Incoming::Batch(batch)) => self.post_batch(batch, head, peer).await,
            Ok(message) => self.post_unanswered(message, head, peer).await,
            Err((id, refusal)) => refused(id.as_ref(), &refusal, None),
        }
    }

    async fn post_request(&self, request: IncomingRequest, head: &dyn RequestHead, peer: Peer) -> Posted {
        let admission = admit::admit_http(&request, head, &self.catalogue(), self.versions());
        Posted::Exchange(match admission {
            Ok(Admission::Modern(admitted)) => {
                let version = admitted.meta.version;
                let instructions = match admitted.method {
                    Method::Discover if self.instructs_each_client() => {
                        self.instruct(&request.id, &peer, version).await
                    }
                    _ => Ok(None),
                };
                let caller = Caller::modern(admitted.meta, peer);
                match instructions {
                    Ok(None) => dispatch::dispatch(self, request, admitted.method, caller),
                    Ok(Some(text)) => dispatch::discover(self, &request, &caller, Some(&*text)),
                    Err(reply) => dispatch::answer(&request, &caller, reply),
                }
            }
            Ok(Admission::Handshake { named }) => match self.sessions() {
                Some(host) => session::serve(self, host, request, head, peer).await,
                None => self.sessionless_request(request, named, peer).await,
            },
            Err((version, refusal)) => dispatch::refuse_as(&request, &refusal, version, Transport::Http),
        })
    }

    /// A handshake request where there are no sessions, whose client may be told something of its own.
    async fn sessionless_request(
        &self,
        request: IncomingRequest,
        named: Option<ProtocolVersion>,
        peer: Peer,
    ) -> Exchange {
        if !self.instructs_each_client() || !request.method().str_eq(Method::Initialize.as_str()) {
            return self.sessionless(request, named, peer);
        }
        // Nothing is made for a handshake that is refused anyway.
        let instructions = match self.handshake(&request) {
            Ok((version, _)) => match self.instruct(&request.id, &peer, version).await {
                Ok(text) => text,
                Err(reply) => return dispatch::answer_as(&request, version, peer.transport, reply),
            },
            Err(_) => None,
        };
        let caller = Caller::plain(ProtocolVersion::LATEST_HANDSHAKE, &request, peer);
        self.answer_handshake(&request, caller, instructions.as_deref())
    }

    /// A handshake request where there are no sessions: each stands alone.
    fn sessionless(&self, request: IncomingRequest, named: Option<ProtocolVersion>, peer: Peer) -> Exchange {
        let method = request.method().as_str().and_then(|name| Method::parse(&name));
        if method == Some(Method::Initialize) {
            let caller = Caller::plain(ProtocolVersion::LATEST_HANDSHAKE, &request, peer);
            return self.answer_handshake(&request, caller, self.instructions());
        }
        let version = named.unwrap_or(ProtocolVersion::ASSUMED_WITHOUT_HEADER);
        // No level can be set where nothing is remembered.
        let caller = Caller { log: LogThreshold::Nothing, ..Caller::plain(version, &request, peer) };
        match method.filter(|method| method.exists_in(version)) {
            Some(method) => dispatch::dispatch(self, request, method, caller),
            None => dispatch::refuse(&request, &Refusal::MethodNotFound, &caller),
        }
    }

    /// Messages in an array, which one revision has.
    async fn post_batch(&self, batch: Batch, head: &dyn RequestHead, peer: Peer) -> Posted {
        let named = match admit::handshake_version(head, self.versions()) {
            Ok(named) => named,
            Err(refusal) => return refused(None, &refusal, None),
        };
        let outcome = match self.sessions() {
            Some(host) => match session::serve_batch(self, host, batch, head, peer).await {
                Ok(outcome) => outcome,
                Err(refusal) => return refused(None, &refusal, None),
            },
            None => {
                let version = named.unwrap_or(ProtocolVersion::ASSUMED_WITHOUT_HEADER);
                if !version.has(Feature::Batching) {
                    return refused(None, &Refusal::Batch, Some(version));
                }
                serve_batch(batch, self.limits(), version, Transport::Http, |message| match message {
                    Incoming::Request(request) => {
                        Some(self.sessionless(request, Some(version), peer.clone()))
                    }
                    _ => None,
                })
            }
        };
        match outcome {
            BatchOutcome::Refused(refusal) => refused(None, &refusal, None),
            BatchOutcome::Accepted => Posted::Accepted,
            BatchOutcome::Exchange(exchange) => Posted::Exchange(exchange),
        }
    }

    /// A notification or a response.
    async fn post_unanswered(&self, message: Incoming, head: &dyn RequestHead, peer: Peer) -> Posted {
        let modern = match &message {
            Incoming::Notification(notification) => admit::modern_evidence(notification.params()).is_some(),
            _ => false,
        };
        let modern = modern || admit::names_modern_version(head);
        match (&message, self.sessions()) {
            (Incoming::Notification(notification), _) if modern => {
                tracing::trace!(
                    method = notification.method().as_str().as_deref(),
                    "a notification without effect"
                );
                Posted::Accepted
            }
            (Incoming::Response(_), _) if modern => refused(None, &Refusal::UnexpectedResponse, None),
            (_, Some(host)) => match session::take(self, host, &message, head, peer).await {
                Ok(()) => Posted::Accepted,
                Err(refusal) => refused(None, &refusal, None),
            },
            (Incoming::Response(_), None) => refused(None, &Refusal::UnexpectedResponse, None),
            (_, None) => Posted::Accepted,
        }
    }
}

fn refused(id: Option<&RequestId>, refusal: &Refusal, version: Option<ProtocolVersion>) -> Posted {
    refusal.log();
    Posted::Refused(lower::refusal(id, refusal, version))
}
