//! Whether requests may come before the handshake is complete.

use super::LiveSession;
use crate::{
    ports::{BoxFuture, Runtime, SessionKey, SessionStore},
    registry::Faults,
    server::Server,
    setting::SettingFaults,
};
use futures_util::future::select;
use std::{sync::Arc, time::Duration};

/// How often it is looked up whether the client has said `notifications/initialized` to another process.
const LOOK: Duration = Duration::from_millis(250);

/// Whether handshake clients are held to the order of a handshake: `initialize`, its answer,
/// `notifications/initialized`, and only then requests.
///
/// Lenient by default: a request is served as soon as `initialize` has been answered. Enforced, every request but
/// `initialize` and `ping` that comes before `notifications/initialized` is refused with -32600 and a text that
/// says what to send. Notifications always pass. A request that only overtook `notifications/initialized` is not
/// refused: it waits for it, for [`Lifecycle::patience`] at most, because clients over HTTP send both at once, on
/// connections that keep no order among each other.
///
/// It holds on byte streams, in sessions over Streamable HTTP, and over HTTP+SSE. Where a server has no sessions
/// over Streamable HTTP, each request there stands alone and there is no order to enforce. Requests of 2026-07-28
/// have no handshake and are never affected.
///
/// ```
/// # use mcp_core::server::Lifecycle;
/// # use std::time::Duration;
/// let strict = Lifecycle::enforced().patience(Duration::from_millis(500));
/// # let _ = strict;
/// ```
///
/// Spec: 2025-11-25, basic/lifecycle#initialization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Lifecycle {
    /// How long a request waits; `None` when the order is not enforced.
    patience: Option<Duration>,
}

impl Lifecycle {
    /// How long a request waits for `notifications/initialized`, unless that is set.
    pub const DEFAULT_PATIENCE: Duration = Duration::from_secs(2);

    /// Requests are served as soon as `initialize` has been answered.
    pub const fn lenient() -> Self {
        Self { patience: None }
    }

    /// Requests are served once the client has said `notifications/initialized`.
    pub const fn enforced() -> Self {
        Self { patience: Some(Self::DEFAULT_PATIENCE) }
    }

    /// Sets how long a request that comes before `notifications/initialized` waits for it, 0 to 1 minute; 2 s by
    /// default, 0 for not at all. Enforces the order.
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience: Some(patience) }
    }

    /// Tells whether the order is enforced.
    #[must_use]
    pub const fn is_enforced(self) -> bool {
        self.patience.is_some()
    }

    /// Adds a fault when the setting lies outside its range.
    pub(crate) fn check(self, faults: &mut Faults) {
        let mut own = SettingFaults::default();
        let range = Duration::ZERO..=Duration::from_secs(60);
        own.within("lifecycle.patience", self.patience.unwrap_or_default(), &range);
        faults.add_settings(&own);
    }
}

/// What a request of the session has to wait for before it is served; it gives whether the client became
/// initialized in time. `None` when nothing is in the way.
///
/// With a record of the session, it counts too what the client said to another process.
pub(crate) fn until_initialized(
    server: &Server,
    live: &Arc<LiveSession>,
    record: Option<(Arc<dyn SessionStore>, SessionKey)>,
) -> Option<BoxFuture<bool>> {
    let patience = server.lifecycle().patience?;
    if live.is_initialized() {
        return None;
    }
    let (live, runtime) = (Arc::clone(live), Arc::clone(server.runtime()));
    Some(Box::pin(async move { initialized(&live, &*runtime, patience, record).await }))
}

async fn initialized(
    live: &LiveSession,
    runtime: &dyn Runtime,
    patience: Duration,
    record: Option<(Arc<dyn SessionStore>, SessionKey)>,
) -> bool {
    let deadline = runtime.now() + patience;
    while let Some(said) = live.initialized() {
        let look = if record.is_some() { deadline.min(runtime.now() + LOOK) } else { deadline };
        select(said, runtime.sleep_until(look)).await;
        if live.is_initialized() {
            return true;
        }
        if let Some((store, key)) = &record
            && let Ok(Some(record)) = store.load(key, runtime.wall_time()).await
            && record.initialized
        {
            live.mark_initialized();
            return true;
        }
        if runtime.now() >= deadline {
            return false;
        }
    }
    true
}
