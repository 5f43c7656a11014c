//! What is remembered of a handshake.

use super::{ListView, SessionKey};
use crate::{
    protocol::{ClientCapabilities, LogLevel},
    version::ProtocolVersion,
};
use bytes::Bytes;
use std::{
    collections::BTreeSet,
    time::{Duration, SystemTime},
};

/// A session as plain data: everything that any node needs in order to serve its next request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a store that leaves a field out must not compile")]
pub struct SessionRecord {
    /// What it is found by.
    pub key: SessionKey,
    /// The revision that was agreed on.
    pub version: ProtocolVersion,
    /// What the client can do.
    pub capabilities: ClientCapabilities,
    /// The client's `clientInfo` as JSON text.
    pub client_info: Option<Bytes>,
    /// Whether the client has said `notifications/initialized`.
    pub initialized: bool,
    /// The least severe message the client wants to hear of; `None` until it says so.
    pub log_level: Option<LogLevel>,
    /// The URIs of the resources it is subscribed to.
    pub subscriptions: BTreeSet<Box<str>>,
    /// What the lists of the session show and hide.
    pub view: ListView,
    /// When the session began.
    pub created_at: SystemTime,
    /// How long it may be idle.
    pub idle_ttl: Duration,
    /// When it ends unless it is touched before.
    pub idle_at: SystemTime,
}

impl SessionRecord {
    /// A session that begins now; the texts are copied, so that no request stays in memory for their sake.
    #[must_use]
    pub fn begin(
        key: SessionKey,
        version: ProtocolVersion,
        capabilities: &ClientCapabilities,
        client_info: Option<&[u8]>,
        idle_ttl: Duration,
        now: SystemTime,
    ) -> Self {
        Self {
            key,
            version,
            capabilities: ClientCapabilities::from_json(capabilities.as_json()).unwrap_or_default(),
            client_info: client_info.map(Bytes::copy_from_slice),
            initialized: false,
            log_level: None,
            subscriptions: BTreeSet::new(),
            view: ListView::default(),
            created_at: now,
            idle_ttl,
            idle_at: after(now, idle_ttl),
        }
    }

    /// Ends the session sooner unless a message follows the handshake within `ttl`.
    #[must_use]
    pub fn opening_until(mut self, ttl: Duration, now: SystemTime) -> Self {
        self.idle_at = self.idle_at.min(after(now, ttl));
        self
    }

    /// Tells whether the session has not been idle for too long.
    #[must_use]
    pub fn is_live(&self, now: SystemTime) -> bool {
        now < self.idle_at
    }

    /// Moves the end of the session away from `now`.
    ///
    /// Never brings it nearer, so that nodes whose clocks differ do not end each other's work.
    pub fn refresh(&mut self, now: SystemTime) {
        self.idle_at = self.idle_at.max(after(now, self.idle_ttl));
    }

    /// The bytes of all texts that the client chose, and of what its lists show and hide.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        let subscriptions: usize = self.subscriptions.iter().map(|uri| uri.len()).sum();
        self.capabilities.as_json().len()
            + self.client_info.as_ref().map_or(0, Bytes::len)
            + subscriptions
            + self.view.text_bytes()
    }
}

/// The time `duration` after `now`; `now` where time ends.
fn after(now: SystemTime, duration: Duration) -> SystemTime {
    now.checked_add(duration).unwrap_or(now)
}
