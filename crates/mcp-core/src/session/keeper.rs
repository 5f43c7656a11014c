//! What is done for sessions now and then: those at work are kept alive, those that ended are cleared away.

use super::{HttpSession, SessionHost, find::notice_view};
use crate::{
    ports::{StoreError, StreamId, StreamKey, TaskOwner},
    server::Server,
};
use futures_util::{StreamExt as _, stream};
use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

/// The longest time between two rounds.
const LONGEST: Duration = Duration::from_secs(30);
/// How many sessions are looked after at once.
const AT_ONCE: usize = 64;
/// How long a session without work and without changes to wait for stays in this process, if it may be idle for so
/// long; the store has it anyway.
const LINGER: Duration = Duration::from_secs(60);

/// Starts the rounds with the first session that is begun or found here; they end with the server.
pub(super) fn start(server: &Server, host: &SessionHost) {
    if host.keeping.swap(true, Ordering::AcqRel) {
        return;
    }
    let settings = &host.settings;
    let shortest = settings.limits.touch_interval().min(settings.event_limits.touch_interval());
    let interval = shortest.min(settings.limits.opening_ttl).min(LONGEST);
    let (runtime, weak) = (Arc::clone(server.runtime()), server.downgrade());
    server.runtime().spawn(Box::pin(async move {
        loop {
            runtime.sleep_until(runtime.now() + interval).await;
            let Some(server) = weak.upgrade() else { return };
            round(&server).await;
        }
    }));
}

async fn round(server: &Server) {
    let Some(host) = server.sessions() else { return };
    let all = stream::iter(host.all());
    // One after the other, many sessions in a store that takes its time would expire before their turn.
    all.for_each_concurrent(AT_ONCE, |session| async move {
        if let Err(error) = look_after(server, host, &session).await {
            tracing::warn!(%error, "a session could not be looked after");
        }
    })
    .await;
    let (settings, now) = (&host.settings, server.runtime().wall_time());
    if let Err(error) = settings.store.expire(now).await {
        tracing::warn!(%error, "expired sessions could not be removed");
    }
    if let Err(error) = settings.events.expire(&settings.event_limits, now).await {
        tracing::warn!(%error, "expired events could not be removed");
    }
}

/// Tells whether tasks run that end with the session.
fn has_tasks(server: &Server, session: &HttpSession) -> bool {
    let owner = TaskOwner::Session(session.key.id.clone());
    server.tasks().is_some_and(|host| host.has_running(&owner))
}

async fn look_after(server: &Server, host: &SessionHost, session: &HttpSession) -> Result<(), StoreError> {
    let (settings, now) = (&host.settings, server.runtime().wall_time());
    let record = if session.is_at_work() {
        settings.store.touch(&session.key, now).await?
    } else if session.live.existing_registration().is_some() || has_tasks(server, session) {
        settings.store.load(&session.key, now).await?
    } else {
        let linger = LINGER.min(settings.limits.idle_ttl);
        if let Some(unused_since) = server.runtime().now().checked_sub(linger) {
            host.forget_unused(session, unused_since);
        }
        return Ok(());
    };
    let Some(record) = record else {
        tracing::debug!(session = ?session.key.id, "a session has ended");
        host.end(server, session).await;
        return Ok(());
    };
    notice_view(server, session, &record);
    let mut streams = session.holders.streams();
    // Between two connections of the client, too: begun anew, the stream would use ids that it has used before.
    if session.live.existing_registration().is_some() && !streams.contains(&StreamId::standalone()) {
        streams.push(StreamId::standalone());
    }
    for stream in streams {
        let key = StreamKey { session: session.key.clone(), stream };
        settings.events.touch_stream(&key, &settings.event_limits, now).await?;
    }
    Ok(())
}
