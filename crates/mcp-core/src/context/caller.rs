//! Who calls, and how.

use super::Transport;
use crate::{
    admit::ModernMeta,
    ask::LocalRounds,
    jsonrpc::IncomingRequest,
    ports::{SessionId, TaskOwner},
    principal::Principal,
    protocol::{ClientCapabilities, LogLevel, ProgressToken, ProgressTokenTooLong, meta_key},
    server::{Authorization, Peer},
    session::LiveSession,
    version::{Era, ProtocolVersion},
    view::View,
};
use bytes::Bytes;
use std::{any::Any, fmt, sync::Arc};

/// Which log messages the caller wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogThreshold {
    /// None: a modern request that names no level.
    Nothing,
    /// Those at least this severe.
    From(LogLevel),
}

/// How the client can be asked for something while a request of it is served.
#[derive(Clone, Debug)]
pub(crate) enum Asking {
    /// Not at all: there is no channel for the question, or none for the answer. A client with a session can still
    /// be told later that its user is done with a page.
    Nobody(Option<Arc<LiveSession>>),
    /// By a request on the call's own stream; the answer comes in as a message of the session.
    Live(Arc<LiveSession>),
    /// By a result that says what is asked; the client repeats the request with the answers. Where the rounds are
    /// run in this process, what goes from one to the next is kept there.
    Rounds(Option<Arc<LocalRounds>>),
}

/// Who calls, and how: from `_meta` on each modern request, from the handshake before.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) version: ProtocolVersion,
    pub(crate) transport: Transport,
    pub(crate) principal: Option<Arc<Principal>>,
    pub(crate) capabilities: ClientCapabilities,
    pub(crate) client_info: Option<Bytes>,
    pub(crate) progress_token: Option<ProgressToken>,
    /// The request has a progress token, and it is too long: it is refused when it is dispatched.
    pub(crate) token_too_long: bool,
    pub(crate) log: LogThreshold,
    /// Whether the transport can ask for other credentials.
    pub(crate) authorization: Authorization,
    pub(crate) attachment: Option<Arc<dyn Any + Send + Sync>>,
    /// The HTTP session the request belongs to.
    pub(crate) session: Option<SessionId>,
    /// What ties the requests of a client without authentication together: its session or its connection.
    pub(crate) scope: Option<SessionId>,
    pub(crate) asking: Asking,
    /// What the lists of the caller's connection show and hide.
    pub(crate) view: View,
}

impl Caller {
    /// The caller of a modern request.
    pub(crate) fn modern(meta: ModernMeta, peer: Peer) -> Self {
        Self {
            version: meta.version,
            transport: peer.transport,
            principal: peer.principal,
            capabilities: meta.capabilities,
            client_info: meta.client_info,
            progress_token: meta.progress_token,
            token_too_long: false,
            log: meta.log,
            authorization: peer.authorization,
            attachment: peer.attachment,
            session: None,
            scope: None,
            asking: Asking::Rounds(None),
            view: View::Common,
        }
    }

    /// The caller of a request that says nothing about the caller but its progress token; what a handshake
    /// agreed on is added by whoever remembers it. A handshake client hears every log message.
    pub(crate) fn plain(version: ProtocolVersion, request: &IncomingRequest, peer: Peer) -> Self {
        let token = progress_token(request);
        Self {
            version,
            transport: peer.transport,
            principal: peer.principal,
            capabilities: ClientCapabilities::default(),
            client_info: None,
            token_too_long: token.is_err(),
            progress_token: token.unwrap_or_default(),
            log: match version.era() {
                Era::Handshake => LogThreshold::From(LogLevel::Debug),
                Era::Modern => LogThreshold::Nothing,
            },
            authorization: peer.authorization,
            attachment: peer.attachment,
            session: None,
            scope: None,
            asking: match version.era() {
                Era::Handshake => Asking::Nobody(None),
                Era::Modern => Asking::Rounds(None),
            },
            view: View::Common,
        }
    }
}

impl Caller {
    /// Whom a task that the caller begins belongs to.
    pub(crate) fn task_owner(&self) -> TaskOwner {
        TaskOwner::of(self.principal.as_deref(), self.scope.as_ref())
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Caller")
            .field("version", &self.version)
            .field("principal", &self.principal)
            .finish_non_exhaustive()
    }
}

fn progress_token(request: &IncomingRequest) -> Result<Option<ProgressToken>, ProgressTokenTooLong> {
    let meta = request.params().and_then(|params| params.get("_meta"));
    meta.and_then(|meta| meta.get(meta_key::PROGRESS_TOKEN)).map_or(Ok(None), ProgressToken::from_node)
}
