//! Where the sessions of the handshake era live.

use super::{ListViewChange, ListViewUpdate, SessionKey, SessionRecord, StoreError};
use crate::{protocol::LogLevel, setting::SettingFaults};
use async_trait::async_trait;
use std::{
    fmt,
    time::{Duration, SystemTime},
};

/// Keeps the sessions that handshakes agreed on.
///
/// Each operation is one atomic step: of two callers at the same time, each sees the store before or after
/// the other, never between. All times come from the caller, and a session whose `idle_at` is not after
/// `now` does not exist, whether or not it has been removed yet.
///
/// A session at work is not idle. Whoever works for one (a call that runs, a stream that is open) touches
/// it when it begins, when it ends, and every [`SessionLimits::touch_interval`] between; when `touch` finds
/// nothing, the session has been ended elsewhere and the work is to be cancelled. A node that is killed
/// leaves nothing behind that would keep a session alive.
///
/// # Security
/// * One that finds a session for another owner or endpoint than it was created for lets whoever learns an id
///   act within a stranger's session, and read what is sent to it.
/// * One that finds a removed or expired session makes ending a session meaningless.
/// * One that counts and inserts in two steps lets a burst of handshakes go past the limits.
///
/// Spec: 2025-11-25, basic/transports#session-management.
#[async_trait]
pub trait SessionStore: fmt::Debug + Send + Sync {
    /// Stores a new session, if that goes beyond no limit.
    ///
    /// Expired sessions do not count. [`SessionLimits::per_principal`] counts the live sessions of the
    /// owner at all endpoints, and does not apply to [`Owner::Anonymous`](super::Owner::Anonymous), whose
    /// callers cannot be told apart.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when a session with this id is there, whoever owns it;
    /// [`StoreError::LimitReached`] with `SessionText`, `Subscriptions`, `SessionsOfPrincipal` or
    /// `Sessions`, in this order.
    async fn create(
        &self,
        record: SessionRecord,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<(), StoreError>;

    /// Gives the session, and moves its end away from `now`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] and [`StoreError::Corrupt`].
    async fn touch(&self, key: &SessionKey, now: SystemTime) -> Result<Option<SessionRecord>, StoreError>;

    /// Gives the session as it is.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] and [`StoreError::Corrupt`].
    async fn load(&self, key: &SessionKey, now: SystemTime) -> Result<Option<SessionRecord>, StoreError>;

    /// Records that the client has said `notifications/initialized`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] and [`StoreError::Corrupt`].
    async fn mark_initialized(&self, key: &SessionKey, now: SystemTime) -> Result<SessionUpdate, StoreError>;

    /// Records which messages the client wants to hear of.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] and [`StoreError::Corrupt`].
    async fn set_log_level(
        &self,
        key: &SessionKey,
        level: LogLevel,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError>;

    /// Adds a resource to those the client hears of.
    ///
    /// # Errors
    /// [`StoreError::LimitReached`] with `Subscriptions` or `SessionText`, in this order; never for a
    /// resource that is among them already.
    async fn subscribe(
        &self,
        key: &SessionKey,
        uri: &str,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError>;

    /// Takes a resource from those the client hears of.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] and [`StoreError::Corrupt`].
    async fn unsubscribe(
        &self,
        key: &SessionKey,
        uri: &str,
        now: SystemTime,
    ) -> Result<SessionUpdate, StoreError>;

    /// Changes what the lists of the session show and hide; gives what that was before and what is after.
    ///
    /// The new state is what [`ListView::changed_by`](super::ListView::changed_by) says; `None` when there is no such
    /// session.
    ///
    /// # Errors
    /// [`StoreError::LimitReached`] with `Hidden`, `OpenToolboxes` or `SessionText`, in this order; never for a change
    /// that hides and opens nothing more. [`ListViewUpdate::beyond`] judges the first two.
    async fn change_view(
        &self,
        key: &SessionKey,
        change: &ListViewChange,
        limits: &SessionLimits,
        now: SystemTime,
    ) -> Result<Option<ListViewUpdate>, StoreError>;

    /// Ends a session; tells whether there was one. Of several callers at once, one is told `true`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn remove(&self, key: &SessionKey, now: SystemTime) -> Result<bool, StoreError>;

    /// Frees what expired sessions occupy, and tells how many it freed.
    ///
    /// Called now and then. Nothing depends on it but memory; a store may free them by itself, too.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn expire(&self, now: SystemTime) -> Result<usize, StoreError>;

    /// Counts the live sessions.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn count(&self, now: SystemTime) -> Result<usize, StoreError>;
}

/// What became of a change to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a change happens, is not needed, or has nothing to happen to")]
pub enum SessionUpdate {
    /// The session is different now.
    Changed,
    /// It was that way already.
    Unchanged,
    /// There is no such session for this owner at this endpoint.
    Unknown,
}

/// How many sessions there may be, and how large; all with defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "settings are written as a struct with `..Default::default()`")]
pub struct SessionLimits {
    /// Sessions in the whole store, 1 to 10,000,000; 10,000 by default.
    pub total: usize,
    /// Sessions of one principal, 1 to 10,000,000; 100 by default.
    pub per_principal: usize,
    /// The bytes of the texts that one session keeps (capabilities, client info, subscribed URIs, what is hidden
    /// and open), 1,024 to 16,777,216; 64 KiB by default.
    pub text_bytes: usize,
    /// Resources one session is subscribed to, 0 to 1,000,000; 1,000 by default.
    pub subscriptions: usize,
    /// Names, URIs and tags that one session hides from its lists, 0 to 1,000,000; 1,000 by default.
    pub hidden: usize,
    /// Toolboxes that one session has open, 0 to 10,000; 100 by default.
    pub open_toolboxes: usize,
    /// How long a session may be idle, 1 s to 30 days; 30 minutes by default.
    pub idle_ttl: Duration,
    /// How long a session lasts when nothing follows its handshake, 1 s to 30 days; 2 minutes by default. Never
    /// longer than `idle_ttl`.
    pub opening_ttl: Duration,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            total: 10_000,
            per_principal: 100,
            text_bytes: 64 * 1024,
            subscriptions: 1_000,
            hidden: 1_000,
            open_toolboxes: 100,
            idle_ttl: Duration::from_secs(30 * 60),
            opening_ttl: Duration::from_secs(2 * 60),
        }
    }
}

impl SessionLimits {
    /// Checks that each setting lies within its range.
    ///
    /// # Errors
    /// [`SettingFaults`] with every setting that does not.
    pub fn check(&self) -> Result<(), SettingFaults> {
        let mut faults = SettingFaults::default();
        faults.within("total", self.total, &(1..=10_000_000));
        faults.within("per_principal", self.per_principal, &(1..=10_000_000));
        faults.within("text_bytes", self.text_bytes, &(1_024..=16 * 1024 * 1024));
        faults.within("subscriptions", self.subscriptions, &(0..=1_000_000));
        faults.within("hidden", self.hidden, &(0..=1_000_000));
        faults.within("open_toolboxes", self.open_toolboxes, &(0..=10_000));
        let ttl = Duration::from_secs(1)..=Duration::from_secs(30 * 24 * 3_600);
        faults.within("idle_ttl", self.idle_ttl, &ttl);
        faults.within("opening_ttl", self.opening_ttl, &ttl);
        faults.finish()
    }

    /// How often whoever works for a session touches it: a third of the time it may be idle.
    #[must_use]
    pub fn touch_interval(&self) -> Duration {
        self.idle_ttl / 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::SettingFault;

    #[test]
    fn the_defaults_are_within_their_ranges_and_a_setting_outside_is_named() {
        let limits = SessionLimits::default();
        assert_eq!(limits.check(), Ok(()));
        let faults =
            SessionLimits { total: 0, idle_ttl: Duration::from_millis(999), ..limits }.check().unwrap_err();
        assert_eq!(faults.iter().map(SettingFault::setting).collect::<Vec<_>>(), ["total", "idle_ttl"]);
        assert!(faults.to_string().ends_with("idle_ttl: 999ms is outside 1s to 2592000s"), "{faults}");
    }
}
