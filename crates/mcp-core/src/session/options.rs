//! How sessions are kept, and what they offer.

use crate::{
    ports::{EventLimits, EventLog, SessionLimits, SessionStore},
    registry::Faults,
    setting::SettingFaults,
};
use std::{sync::Arc, time::Duration};

/// Sessions of handshake clients over Streamable HTTP: where they are kept, their limits, and what they offer.
///
/// A server without them serves each handshake request by itself: no session id is issued, GET and DELETE
/// answer 405, no changes are announced, and the client cannot be asked for anything.
#[derive(Clone, Debug)]
#[must_use]
pub struct Sessions {
    pub(crate) store: Arc<dyn SessionStore>,
    pub(crate) events: Arc<dyn EventLog>,
    pub(crate) limits: SessionLimits,
    pub(crate) event_limits: EventLimits,
    pub(crate) get_stream: bool,
    pub(crate) resumption: bool,
    pub(crate) retry: Duration,
}

impl Sessions {
    /// How long a client is told to wait before it resumes a stream, unless that is set.
    pub const DEFAULT_RETRY: Duration = Duration::from_secs(1);

    /// Sessions in a store, their events in a log.
    pub fn new(store: Arc<dyn SessionStore>, events: Arc<dyn EventLog>) -> Self {
        Self {
            store,
            events,
            limits: SessionLimits::default(),
            event_limits: EventLimits::default(),
            get_stream: true,
            resumption: true,
            retry: Self::DEFAULT_RETRY,
        }
    }

    /// Sets how many sessions there may be, how large, and how long they may be idle.
    pub fn limits(mut self, limits: SessionLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how much is kept for resumption.
    pub fn event_limits(mut self, limits: EventLimits) -> Self {
        self.event_limits = limits;
        self
    }

    /// Sets how long a session may be idle; see [`SessionLimits::idle_ttl`].
    pub fn idle_ttl(mut self, ttl: Duration) -> Self {
        self.limits.idle_ttl = ttl;
        self
    }

    /// Offers no stream for GET: changes are neither advertised nor announced.
    pub fn without_get_stream(mut self) -> Self {
        self.get_stream = false;
        self
    }

    /// Keeps no events and issues no event ids: what a broken connection did not carry is lost.
    pub fn without_resumption(mut self) -> Self {
        self.resumption = false;
        self
    }

    /// Sets how long a client is told to wait before it resumes a stream, 1 ms to 1 hour; 1 s by default.
    pub fn retry(mut self, retry: Duration) -> Self {
        self.retry = retry;
        self
    }

    /// Adds a fault for every setting that lies outside its range.
    pub(crate) fn check(&self, faults: &mut Faults) {
        faults.add_group("sessions.limits", self.limits.check());
        faults.add_group("sessions.event_limits", self.event_limits.check());
        let mut own = SettingFaults::default();
        own.within("sessions.retry", self.retry, &(Duration::from_millis(1)..=Duration::from_secs(3_600)));
        faults.add_settings(&own);
    }
}
