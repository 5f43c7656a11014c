//! What a handshake agreed on, and what changes it.

use crate::{
    context::{Asking, Caller, LogThreshold},
    dispatch::{self, InitializeParams},
    exchange::Exchange,
    jsonrpc::IncomingRequest,
    lower,
    ports::SessionId,
    protocol::{ClientCapabilities, LogLevel, Method},
    refusal::Refusal,
    server::{Peer, Server},
    session::{LiveSession, change_message},
    subscription::{Registration, Room},
    version::ProtocolVersion,
    view::View,
};
use bytes::Bytes;
use std::{
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

/// The session of a handshake client on a byte stream; it lives as long as its connection.
#[derive(Debug)]
pub(super) struct Session {
    version: ProtocolVersion,
    capabilities: ClientCapabilities,
    client_info: Option<Bytes>,
    log: Mutex<LogLevel>,
    changes: Option<Arc<Registration>>,
    /// Owns the tasks of a client without authentication.
    scope: SessionId,
}

impl Session {
    /// A session of what was agreed on; before a level is set it hears every log message.
    ///
    /// The texts are copied, so that no message stays in memory for their sake.
    pub(super) fn new(
        version: ProtocolVersion,
        params: &InitializeParams,
        changes: Option<Arc<Registration>>,
        scope: SessionId,
    ) -> Self {
        Self {
            version,
            capabilities: params.capabilities.detached(),
            client_info: params.client_info.as_deref().map(Bytes::copy_from_slice),
            log: Mutex::new(LogLevel::Debug),
            changes,
            scope,
        }
    }

    pub(super) fn version(&self) -> ProtocolVersion {
        self.version
    }

    /// Serves a request of a method that the session's revision has.
    pub(super) fn serve(
        &self,
        (server, live): (&Server, &Arc<LiveSession>),
        request: IncomingRequest,
        method: Method,
        peer: Peer,
    ) -> Exchange {
        let transport = peer.transport;
        let outcome = match method {
            Method::SetLevel => self.set_level(&request),
            Method::Subscribe | Method::Unsubscribe => self.subscribe(server, &request, method),
            _ => {
                let caller = self.caller(&request, peer, live);
                return dispatch::dispatch(server, request, method, caller);
            }
        };
        let version = self.version;
        match outcome {
            Ok(()) => {
                let reply = lower::empty(server.frame(&request.id, version));
                dispatch::answer_as(&request, version, transport, reply)
            }
            Err(refusal) => dispatch::refuse_as(&request, &refusal, Some(version), transport),
        }
    }

    /// The caller of a request in this session.
    fn caller(&self, request: &IncomingRequest, peer: Peer, live: &Arc<LiveSession>) -> Caller {
        Caller {
            capabilities: self.capabilities.clone(),
            client_info: self.client_info.clone(),
            log: LogThreshold::From(*self.log.lock().unwrap_or_else(PoisonError::into_inner)),
            asking: Asking::Live(Arc::clone(live)),
            view: View::Connection(Arc::clone(live)),
            scope: Some(self.scope.clone()),
            ..Caller::plain(self.version, request, peer)
        }
    }

    /// Polls for the next change the client is to hear of.
    pub(super) fn poll_change(&self, live: &LiveSession, context: &Context<'_>) -> Poll<Bytes> {
        let Some(registration) = &self.changes else { return Poll::Pending };
        // Before the look, so that a client which says just now that it is initialized wakes who waits.
        registration.subscriber().wake_later(context.waker());
        let change = live.is_initialized().then(|| registration.subscriber().take(context.waker())).flatten();
        change.map_or(Poll::Pending, |change| Poll::Ready(change_message(&change)))
    }

    /// `logging/setLevel`; a level that does not exist leaves the session's as it is.
    fn set_level(&self, request: &IncomingRequest) -> Result<(), Refusal> {
        let level = dispatch::log_level(request)?;
        *self.log.lock().unwrap_or_else(PoisonError::into_inner) = level;
        Ok(())
    }

    /// `resources/subscribe` and `resources/unsubscribe`.
    fn subscribe(&self, server: &Server, request: &IncomingRequest, method: Method) -> Result<(), Refusal> {
        let Some(registration) = self.changes.as_ref().filter(|_| server.announces_updates()) else {
            return Err(Refusal::MethodNotFound);
        };
        let uri = dispatch::member_text(request.params(), "uri")?;
        if method == Method::Unsubscribe {
            registration.subscriber().unsubscribe(&uri);
            return Ok(());
        }
        dispatch::check_uri(server.limits(), &uri)?;
        if server.catalogue().resource(&uri).is_none() {
            return Err(Refusal::ResourceNotFound(uri));
        }
        let limits = server.limits();
        let room = Room { uris: limits.subscription_uris, text_bytes: limits.client_text_bytes };
        registration.subscriber().subscribe(&uri, room)
    }
}
