//! One stream's part of the event log.

use super::{HttpSession, SessionHost};
use crate::ports::{
    Appended, BoxFuture, EventId, EventLimits, EventLog, Replay, Runtime, StoreError, StreamId, StreamKey,
};
use bytes::Bytes;
use event_listener::Event;
use std::sync::Arc;

/// The events of one stream on their way into the log, and out of it.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    log: Arc<dyn EventLog>,
    key: Arc<StreamKey>,
    limits: EventLimits,
    runtime: Arc<dyn Runtime>,
    appended: Arc<Event>,
}

impl Journal {
    pub(crate) fn new(
        host: &SessionHost,
        session: &HttpSession,
        stream: StreamId,
        runtime: &Arc<dyn Runtime>,
    ) -> Self {
        Self {
            log: Arc::clone(&host.settings.events),
            key: Arc::new(StreamKey { session: session.key.clone(), stream }),
            limits: host.settings.event_limits,
            runtime: Arc::clone(runtime),
            appended: Arc::clone(&session.appended),
        }
    }

    pub(super) fn stream(&self) -> &StreamId {
        &self.key.stream
    }

    /// Begins the stream; one that is there already goes on.
    pub(super) fn open(&self) -> BoxFuture<Result<(), StoreError>> {
        let this = self.clone();
        Box::pin(async move {
            match this.log.open_stream(&this.key, &this.limits, this.runtime.wall_time()).await {
                Ok(()) | Err(StoreError::Conflict) => Ok(()),
                Err(error) => Err(error),
            }
        })
    }

    /// Adds an event; gives its id unless the stream is gone.
    pub(super) fn append(&self, payload: Bytes) -> BoxFuture<Result<Option<EventId>, StoreError>> {
        let this = self.clone();
        Box::pin(async move {
            let now = this.runtime.wall_time();
            let appended = this.log.append_event(&this.key, payload, &this.limits, now).await?;
            this.appended.notify(usize::MAX);
            Ok(match appended {
                Appended::Event(id) => Some(id),
                Appended::Closed | Appended::Unknown => None,
            })
        })
    }

    /// Ends the stream; what is on it can still be replayed.
    pub(super) fn close(&self) -> BoxFuture<()> {
        let this = self.clone();
        Box::pin(async move {
            let now = this.runtime.wall_time();
            if let Err(error) = this.log.close_stream(&this.key, &this.limits, now).await {
                tracing::warn!(%error, "a stream could not be closed in the event log");
            }
            this.appended.notify(usize::MAX);
        })
    }

    /// What follows the event of a number; `None` when the session has no such stream.
    pub(crate) fn replay(&self, after: u64) -> BoxFuture<Result<Option<Replay>, StoreError>> {
        let this = self.clone();
        Box::pin(async move {
            let after = EventId { stream: this.key.stream.clone(), number: after };
            this.log.replay(&this.key.session, &after, &this.limits, this.runtime.wall_time()).await
        })
    }

    /// Notified whenever something was added to a stream of the session.
    pub(super) fn appended(&self) -> &Event {
        &self.appended
    }
}
