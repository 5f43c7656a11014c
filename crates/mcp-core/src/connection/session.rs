//! What a handshake agreed on, and what changes it.

use crate::{
    context::{Caller, LogThreshold},
    dispatch::{self, InitializeParams},
    jsonrpc::IncomingRequest,
    lower,
    protocol::{ClientCapabilities, LogLevel, Method, SubscriptionFilter},
    refusal::Refusal,
    server::{Peer, Server, progress_token},
    subscription::{Pending, Registration, Subscriber},
    version::ProtocolVersion,
};
use bytes::Bytes;
use std::task::{Context, Poll};

/// The session of a handshake client on a byte stream; it lives as long as its connection.
#[derive(Debug)]
pub(super) struct Session {
    version: ProtocolVersion,
    capabilities: ClientCapabilities,
    client_info: Option<Bytes>,
    log: LogLevel,
    changes: Option<Registration>,
    /// The client said `notifications/initialized`: from now on it hears of changes.
    initialized: bool,
}

impl Session {
    /// A session of what was agreed on; before a level is set it hears every log message.
    pub(super) fn new(
        version: ProtocolVersion,
        params: InitializeParams,
        changes: Option<Registration>,
    ) -> Self {
        Self {
            version,
            capabilities: params.capabilities,
            client_info: params.client_info,
            log: LogLevel::Debug,
            changes,
            initialized: false,
        }
    }

    /// A place among those who hear of changes; `None` when all are taken.
    pub(super) fn hear_of_changes(server: &Server) -> Option<Registration> {
        let dynamic = server.is_dynamic();
        let filter = SubscriptionFilter {
            tools_list_changed: dynamic,
            prompts_list_changed: dynamic,
            resources_list_changed: dynamic,
            ..SubscriptionFilter::default()
        };
        server.subscribers().register(Subscriber::new(&filter))
    }

    pub(super) fn version(&self) -> ProtocolVersion {
        self.version
    }

    pub(super) fn initialized(&mut self) {
        self.initialized = true;
    }

    /// The caller of a request in this session.
    pub(super) fn caller(&self, request: &IncomingRequest, peer: Peer) -> Caller {
        Caller {
            version: self.version,
            transport: peer.transport,
            principal: peer.principal,
            capabilities: self.capabilities.clone(),
            client_info: self.client_info.clone(),
            progress_token: progress_token(request),
            log: LogThreshold::From(self.log),
            attachment: peer.attachment,
        }
    }

    /// Polls for the next change the client is to hear of.
    pub(super) fn poll_change(&self, context: &Context<'_>) -> Poll<Bytes> {
        let Some(registration) = self.changes.as_ref().filter(|_| self.initialized) else {
            return Poll::Pending;
        };
        match registration.subscriber().take(context.waker()) {
            Some(Pending::List(list)) => Poll::Ready(lower::list_changed(list.method(), None)),
            Some(Pending::Updated(uri)) => Poll::Ready(lower::resource_updated(&uri, None)),
            None => Poll::Pending,
        }
    }

    /// `logging/setLevel`; a level that does not exist leaves the session's as it is.
    pub(super) fn set_level(&mut self, request: &IncomingRequest) -> Result<(), Refusal> {
        let level = dispatch::member_text(request.params(), "level")?;
        self.log = LogLevel::parse(&level).ok_or_else(|| {
            Refusal::InvalidParams("`level` is no log level of RFC 5424, in lower case".into())
        })?;
        Ok(())
    }

    /// `resources/subscribe` and `resources/unsubscribe`.
    pub(super) fn subscribe(
        &self,
        server: &Server,
        request: &IncomingRequest,
        method: Method,
    ) -> Result<(), Refusal> {
        let Some(registration) = self.changes.as_ref().filter(|_| server.announces_updates()) else {
            return Err(Refusal::MethodNotFound);
        };
        let uri = dispatch::member_text(request.params(), "uri")?;
        if method == Method::Unsubscribe {
            registration.subscriber().unsubscribe(&uri);
            return Ok(());
        }
        if server.catalogue().resource(&uri).is_none() {
            return Err(Refusal::ResourceNotFound(uri));
        }
        registration.subscriber().subscribe(&uri, server.limits().subscription_uris)
    }
}
