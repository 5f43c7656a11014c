//! A session at work is not idle.

use super::{HttpSession, Journal, Recorded, detached::DetachedCall};
use crate::{
    exchange::{EventSource, Events, Exchange, Outgoing},
    ports::StreamId,
    server::Server,
    version::{Feature, ProtocolVersion},
};
use std::{
    future::poll_fn,
    sync::{Arc, atomic::Ordering},
    task::{Poll, ready},
    time::Instant,
};

/// A call or a stream of a session; while it is there the session does not end by itself.
#[derive(Debug)]
pub(crate) struct Working {
    pub(crate) server: Server,
    pub(crate) session: Arc<HttpSession>,
    since: Instant,
}

impl Working {
    pub(crate) fn begin(server: &Server, session: Arc<HttpSession>) -> Self {
        session.at_work.fetch_add(1, Ordering::AcqRel);
        Self { since: server.runtime().now(), server: server.clone(), session }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        let now = self.server.runtime().now();
        self.session.used_at(now);
        self.session.at_work.fetch_sub(1, Ordering::AcqRel);
        // The request itself moved the session's end; only after longer work its end has to be moved again.
        let Some(host) = self.server.sessions() else { return };
        let interval = host.settings.limits.touch_interval() / 4;
        if now.saturating_duration_since(self.since) >= interval && !self.session.is_ended() {
            let (store, key) = (Arc::clone(&host.settings.store), self.session.key.clone());
            let time = self.server.runtime().wall_time();
            self.server.runtime().spawn(Box::pin(async move {
                if let Err(error) = store.touch(&key, time).await {
                    tracing::warn!(%error, "a session could not be kept alive");
                }
            }));
        }
    }
}

/// What makes an exchange one of a session: it goes on when the client leaves, and can be resumed.
#[derive(Debug)]
pub(crate) struct SessionWork {
    pub(super) working: Working,
    pub(super) version: ProtocolVersion,
}

impl SessionWork {
    pub(crate) fn new(working: Working, version: ProtocolVersion) -> Self {
        Self { working, version }
    }

    /// Tells whether streams of the session are recorded.
    pub(crate) fn is_resumable(&self) -> bool {
        let resumption = self.working.server.sessions().is_some_and(|host| host.settings.resumption);
        resumption && self.version.has(Feature::EventIds)
    }

    /// Serves the rest of an exchange whose client went away.
    pub(crate) fn finish(self: Box<Self>, mut rest: Exchange) {
        let runtime = Arc::clone(self.working.server.runtime());
        let detached = self.detached();
        runtime.spawn(Box::pin(async move {
            let _work = (self, detached);
            poll_fn(|context| {
                while ready!(rest.poll_message(context)).is_some() {}
                Poll::Ready(())
            })
            .await;
        }));
    }

    /// Counts the call among those that go on without their client.
    pub(super) fn detached(&self) -> Option<DetachedCall> {
        self.working.server.sessions().map(|host| host.detached.begin())
    }

    /// Carries an exchange as an event stream: recorded, where streams can be resumed.
    pub(crate) fn into_events(self: Box<Self>, exchange: Exchange, first: Option<Outgoing>) -> Events {
        let server = &self.working.server;
        // Where the reply is all there is, the stream ends with its first event: nothing is left to resume.
        let resumable = self.is_resumable() && !matches!(first, Some(Outgoing::Reply(_)));
        let Some(host) = server.sessions().filter(|_| resumable) else {
            return Events::of(EventSource::Plain { exchange: Box::new(exchange.in_session(*self)), first });
        };
        let mut random = [0; 12];
        server.runtime().fill_random(&mut random);
        let stream = StreamId::from_random(random);
        let journal = Journal::new(host, &self.working.session, stream, server.runtime());
        let retry = host.settings.retry;
        Events::of(EventSource::Recorded(Box::new(Recorded::new(self, exchange, first, journal, retry))))
    }
}
