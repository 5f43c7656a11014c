//! The messages of one peer, and the requests it has in flight.

use super::session::Session;
use crate::{
    admit,
    context::Caller,
    dispatch,
    exchange::Exchange,
    jsonrpc::{Batch, Incoming, IncomingRequest, Notification, RequestId, decode},
    lower::{self, Offer, Reply},
    ports::{Owner, SessionId, TaskOwner},
    protocol::Method,
    refusal::Refusal,
    server::{BatchOutcome, Peer, Posted, Server, serve_batch},
    session::{LiveSession, until_initialized},
    version::{Era, Feature, ProtocolVersion, ServedVersions},
};
use bytes::Bytes;
use std::{
    sync::Arc,
    task::{Context, Poll},
};

/// The state of one connection: the handshake, when there was one, and the requests in flight.
///
/// Every message goes through [`Connection::receive`], or [`Connection::post`] where each comes by itself; the
/// exchanges they give are polled by the transport, all at once. Modern requests take nothing from what came
/// before them.
#[derive(Debug)]
pub struct Connection {
    server: Server,
    /// What is served here: not every wire carries every revision of the server.
    versions: ServedVersions,
    peer: Peer,
    session: Option<Arc<Session>>,
    live: Arc<LiveSession>,
    /// Owns the tasks of a client without authentication.
    scope: SessionId,
}

impl Connection {
    /// A connection of a peer.
    #[must_use]
    pub fn new(server: Server, peer: Peer) -> Self {
        let versions = server.versions();
        let live = Arc::new(LiveSession::of(Owner::of(peer.principal.as_deref())));
        let mut random = [0; 32];
        server.runtime().fill_random(&mut random);
        Self { server, versions, peer, session: None, live, scope: SessionId::from_random(random) }
    }

    /// A connection over a wire that carries the handshake era only: a modern request is refused with the versions
    /// that are served here. `None` when the server serves no version of that era.
    #[must_use]
    pub fn of_handshakes(server: Server, peer: Peer) -> Option<Self> {
        let versions = ServedVersions::only(server.versions().of(Era::Handshake)).ok()?;
        let mut connection = Self::new(server, peer);
        connection.versions = versions;
        Some(connection)
    }

    /// Takes one message that came by itself, as a POST does, from the peer as it presents itself now.
    ///
    /// What cannot be read and has no id to answer is refused to whoever sent it; on the common stream nobody
    /// could tell what that answer belongs to.
    pub fn post(&mut self, message: Bytes, peer: Peer) -> Posted {
        self.peer = peer;
        let taken = match decode(message, &self.server.limits().message) {
            Ok(message) => self.message(message),
            Err((None, refusal)) => {
                refusal.log();
                return Posted::Refused(lower::refusal(None, &refusal, None));
            }
            Err((id, refusal)) => Some(self.refuse_message(id.as_ref(), &refusal)),
        };
        taken.map_or(Posted::Accepted, Posted::Exchange)
    }

    /// Takes one message; gives the exchange that answers it, `None` when nothing answers it.
    pub fn receive(&mut self, message: Bytes) -> Option<Exchange> {
        match decode(message, &self.server.limits().message) {
            Ok(message) => self.message(message),
            Err((id, refusal)) => Some(self.refuse_message(id.as_ref(), &refusal)),
        }
    }

    fn message(&mut self, message: Incoming) -> Option<Exchange> {
        match message {
            Incoming::Request(request) => Some(self.request(request)),
            Incoming::Notification(notification) => {
                self.notification(&notification);
                None
            }
            Incoming::Response(response) => {
                self.live.questions.answer(&response);
                None
            }
            Incoming::Batch(batch) => self.batch(batch),
        }
    }

    /// Serves a batch in a session whose revision has them; elsewhere it is refused as a whole.
    fn batch(&mut self, batch: Batch) -> Option<Exchange> {
        let version = self.session.as_deref().map(Session::version);
        let Some(version) = version.filter(|version| version.has(Feature::Batching)) else {
            return Some(self.refuse_message(None, &Refusal::Batch));
        };
        let (server, transport) = (self.server.clone(), self.peer.transport);
        match serve_batch(batch, server.limits(), version, transport, |message| self.message(message)) {
            BatchOutcome::Refused(refusal) => Some(self.refuse_message(None, &refusal)),
            BatchOutcome::Accepted => None,
            BatchOutcome::Exchange(exchange) => Some(exchange),
        }
    }

    /// Refuses what the transport itself could not take as a message.
    pub fn refuse_unreadable(&self, refusal: &Refusal) -> Exchange {
        self.refuse_message(None, refusal)
    }

    /// How many requests are in flight.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.live.in_flight.len()
    }

    /// Tells whether a handshake has been done.
    #[must_use]
    pub fn has_session(&self) -> bool {
        self.session.is_some()
    }

    /// Ends the session: calls are cancelled, questions closed, changes no longer waited for.
    ///
    /// A transport calls it when the peer is gone but others may still hold the connection for a moment.
    pub fn end(&mut self) {
        self.session = None;
        self.live.end();
    }

    /// Ends what only the peer could carry on: nothing more comes in, so no question is answered any more.
    pub fn end_of_input(&mut self) {
        self.live.questions.close();
    }

    /// Polls for the next change that a handshake client is to hear of; pending while there is none.
    pub fn poll_change(&mut self, context: &mut Context<'_>) -> Poll<Bytes> {
        match &self.session {
            Some(session) => session.poll_change(&self.live, context),
            None => Poll::Pending,
        }
    }

    /// Refuses a request by the session's rules, when there is a session.
    fn refuse(&self, request: &IncomingRequest, refusal: &Refusal) -> Exchange {
        let version = self.session.as_deref().map(Session::version);
        dispatch::refuse_as(request, refusal, version, self.peer.transport)
    }

    /// Answers a request of the handshake itself, or of the session's own methods.
    fn answer(&self, request: &IncomingRequest, version: ProtocolVersion, reply: Reply) -> Exchange {
        dispatch::answer_as(request, version, self.peer.transport, reply)
    }

    /// Refuses what is no request: it cannot be read, or it is many messages.
    fn refuse_message(&self, id: Option<&RequestId>, refusal: &Refusal) -> Exchange {
        refusal.log();
        let version = self.session.as_deref().map(Session::version);
        Exchange::ready(lower::message_refusal(id, refusal, version))
    }

    fn request(&mut self, request: IncomingRequest) -> Exchange {
        let place = match self.live.in_flight.take(&request, self.server.limits()) {
            Ok(place) => place,
            Err(refusal) => return self.refuse(&request, &refusal),
        };
        // The client may not cancel the handshake: its reply would be lost and the session there.
        let handshake = request.method().str_eq(Method::Initialize.as_str());
        let place = if handshake { place.shielded() } else { place };
        self.serve(request).keep_place(place)
    }

    fn serve(&mut self, request: IncomingRequest) -> Exchange {
        if let Some(named) = admit::modern_evidence(request.params()) {
            return match admit::admit_modern(&request, named, self.versions) {
                Ok(admitted) => {
                    let mut caller = Caller::modern(admitted.meta, self.peer.clone());
                    caller.scope = Some(self.scope.clone());
                    dispatch::dispatch(&self.server, request, admitted.method, caller)
                }
                Err(refusal) => {
                    let version = Some(ProtocolVersion::LATEST);
                    dispatch::refuse_as(&request, &refusal, version, self.peer.transport)
                }
            };
        }
        let method = request.method().as_str().and_then(|name| Method::parse(&name));
        match (method, &self.session) {
            (Some(Method::Initialize), None) => self.initialize(&request),
            (Some(Method::Initialize), Some(_)) => {
                self.refuse(&request, &Refusal::InvalidRequest("the handshake is done already"))
            }
            (Some(Method::Ping), None) => {
                let version = ProtocolVersion::LATEST_HANDSHAKE;
                self.answer(&request, version, lower::empty(self.server.frame(&request.id, version)))
            }
            (Some(Method::Discover | Method::Listen), None) => {
                self.refuse(&request, &Refusal::MissingMeta(crate::protocol::meta_key::PROTOCOL_VERSION))
            }
            (_, None) if self.server.lifecycle().is_enforced() => {
                self.refuse(&request, &Refusal::InitializeFirst)
            }
            (_, None) => {
                let supported = self.versions.newest_first().collect();
                self.refuse(&request, &Refusal::HandshakeNeeded { supported })
            }
            (method, Some(session)) => {
                let version = session.version();
                match method.filter(|method| method.exists_in(version)) {
                    Some(method) => self.in_session(Arc::clone(session), request, method),
                    None => self.refuse(&request, &Refusal::MethodNotFound),
                }
            }
        }
    }

    fn initialize(&mut self, request: &IncomingRequest) -> Exchange {
        let (version, params) = match self.server.handshake(request) {
            Ok(agreed) => agreed,
            Err(refusal) => return self.refuse(request, &refusal),
        };
        if params.text_bytes() > self.server.limits().client_text_bytes {
            return self.refuse(request, &Refusal::beyond("limits.client_text_bytes"));
        }
        let changes = self.live.registration(&self.server, []).ok();
        let welcome = self.server.welcome(
            request,
            version,
            Offer::when(changes.is_some()),
            Offer::Yes,
            self.server.instructions(),
        );
        self.session = Some(Arc::new(Session::new(version, &params, changes, self.scope.clone())));
        self.answer(request, version, welcome)
    }

    /// Serves a request of the session, at once or when the handshake is complete.
    fn in_session(&self, session: Arc<Session>, request: IncomingRequest, method: Method) -> Exchange {
        let (server, live, peer) = (self.server.clone(), Arc::clone(&self.live), self.peer.clone());
        let complete = if method == Method::Ping { None } else { until_initialized(&server, &live, None) };
        let Some(complete) = complete else {
            return session.serve((&server, &live), request, method, peer);
        };
        Exchange::held(request, complete, move |request, initialized| {
            if initialized {
                session.serve((&server, &live), request, method, peer)
            } else {
                let (version, refusal) = (session.version(), Refusal::InitializedFirst);
                dispatch::refuse_as(&request, &refusal, Some(version), peer.transport)
            }
        })
    }

    fn notification(&mut self, notification: &Notification) {
        let method = notification.method();
        if method.str_eq("notifications/cancelled") {
            self.live.cancel(notification);
        } else if method.str_eq("notifications/initialized") && self.session.is_some() {
            self.live.mark_initialized();
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.server.tasks().is_none() {
            return;
        }
        let (server, owner) = (self.server.clone(), TaskOwner::Session(self.scope.clone()));
        self.server.runtime().spawn(Box::pin(async move {
            if let Some(host) = server.tasks() {
                host.end_owner(&server, &owner).await;
            }
        }));
    }
}
