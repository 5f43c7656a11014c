//! Every reason to refuse a message.

use crate::{admit::Reason, json::JsonFault, protocol::meta_key, version::ProtocolVersion};
use std::time::Duration;

/// A reason to answer with an error instead of a result.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The bytes are not one JSON text within the limits.
    Parse(JsonFault),
    /// The JSON text is not a JSON-RPC message; the reason goes to the log only.
    InvalidRequest(&'static str),
    /// Arrays of messages exist in another revision only.
    Batch,
    /// An array of messages has too many of them.
    BatchTooLong {
        /// How many messages it has.
        messages: usize,
        /// How many it may have.
        most: usize,
    },
    /// The method does not exist, or its capability is not advertised.
    MethodNotFound,
    /// A `_meta` key that every request of the revision must carry is missing.
    MissingMeta(&'static str),
    /// A `_meta` key has a value of the wrong shape.
    InvalidMeta {
        /// The key.
        key: &'static str,
        /// What its value must be.
        expected: &'static str,
    },
    /// A routing header is missing, repeated, undecodable, or disagrees with the body.
    Header {
        /// The header's name, lower case.
        header: Box<str>,
        /// What is wrong with it.
        reason: HeaderReason,
    },
    /// The protocol version is not served in this way.
    UnsupportedVersion {
        /// The version the request named.
        requested: Box<str>,
        /// What a client may choose instead, newest first.
        supported: Vec<ProtocolVersion>,
    },
    /// A handshake must come first.
    HandshakeNeeded {
        /// What the server serves, newest first.
        supported: Vec<ProtocolVersion>,
    },
    /// The order of the handshake is enforced, and `initialize` has not come.
    InitializeFirst,
    /// The order of the handshake is enforced, and `notifications/initialized` has not come in time.
    InitializedFirst,
    /// The parameters do not fit the method; the text says which and why.
    InvalidParams(Box<str>),
    /// No tool has this name.
    UnknownTool(Box<str>),
    /// The tool has no such version.
    UnknownToolVersion {
        /// The tool's name.
        tool: Box<str>,
        /// The version that was asked for.
        version: Box<str>,
        /// Those there are, highest first; none for a tool without versions.
        available: Vec<Box<str>>,
    },
    /// No prompt has this name.
    UnknownPrompt(Box<str>),
    /// No resource has this URI.
    ResourceNotFound(Box<str>),
    /// A list cursor that this server did not issue for this list and caller, or not for what is listed now.
    InvalidCursor,
    /// A policy that decides what is listed failed; the cause is in the log.
    PolicyFailed,
    /// A response came in where no request of the server can be open.
    UnexpectedResponse,
    /// The request belongs to a session and does not name it.
    SessionIdMissing,
    /// There is no such session: it never was, it has ended, or it is someone else's.
    UnknownSession,
    /// The event that a stream is to be resumed after is not known, or not any more.
    UnknownEvent,
    /// Sealed state was changed, is too old, or belongs to another request.
    InvalidRequestState,
    /// The store that remembers sessions cannot be reached.
    StoreUnavailable,
    /// There is no such task: it never was, it has expired, or it is someone else's.
    UnknownTask,
    /// The task has ended, and cannot be cancelled any more.
    TaskSettled,
    /// The task runs in another process, which alone can take what its client answers.
    TaskElsewhere,
    /// The tool of this name runs as a task only.
    TaskRequired(Box<str>),
    /// The tool of this name does not run as a task.
    TaskForbidden(Box<str>),
    /// A request with this id is still in flight on the connection.
    DuplicateId,
    /// A limit is reached; the text names the setting.
    Limit {
        /// The setting that governs it.
        setting: &'static str,
    },
    /// The handler did not end in time.
    TimedOut {
        /// How long it might take.
        after: Duration,
        /// The setting that says so.
        setting: &'static str,
    },
    /// The HTTP request took longer than it may as a whole.
    DeadlinePassed,
    /// The server is shutting down.
    ShuttingDown,
    /// The server failed; the cause is in the log.
    Internal,
}

/// What is wrong with a routing header.
///
/// Spec: 2026-07-28, basic/transports/streamable-http#server-validation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderReason {
    /// It is required and absent.
    Missing,
    /// It is there more than once.
    Repeated,
    /// Its value cannot be decoded.
    Malformed,
    /// Its value differs from the body's.
    Mismatch,
}

impl HeaderReason {
    /// The word for it: whatever is wrong with a header that is there, it does not agree with the body.
    pub(super) const fn on_wire(self) -> Reason {
        match self {
            Self::Missing => Reason::MissingHeader,
            Self::Repeated | Self::Malformed | Self::Mismatch => Reason::HeaderMismatch,
        }
    }
}

impl Refusal {
    /// More was asked for than a setting allows one client; to come back later would not help.
    pub(crate) fn beyond(setting: &str) -> Self {
        Self::InvalidParams(format!("this is more than `{setting}` allows").into())
    }

    /// A progress token is longer than tokens may be.
    pub(crate) const fn progress_token_too_long() -> Self {
        Self::InvalidMeta { key: meta_key::PROGRESS_TOKEN, expected: "at most 4,096 bytes long" }
    }

    /// The word for it, when versions, headers or `_meta` are what keeps the message from being served.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::Header { reason, .. } => Some(reason.on_wire()),
            Self::MissingMeta(_) => Some(Reason::MissingMeta),
            Self::InvalidMeta { .. } => Some(Reason::MetaShape),
            Self::UnsupportedVersion { .. } => Some(Reason::UnsupportedVersion),
            Self::HandshakeNeeded { .. } => Some(Reason::HandshakeNeeded),
            _ => None,
        }
    }

    /// The setting that governs a limit which is reached; `tasks` for anything else that keeps a task from beginning.
    pub(crate) fn setting(&self) -> &'static str {
        match self {
            Self::Limit { setting } => setting,
            _ => "tasks",
        }
    }
}
