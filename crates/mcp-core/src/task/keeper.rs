//! What is done for tasks now and then: expired ones are cleared away, ones that ended elsewhere are stopped.

use super::{TaskHost, host::AT_ONCE};
use crate::server::Server;
use futures_util::{StreamExt as _, stream};
use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

/// The time between two rounds.
const INTERVAL: Duration = Duration::from_secs(15);

/// Starts the rounds with the first task that runs here; they end with the server.
pub(super) fn start(server: &Server, host: &TaskHost) {
    if host.keeping.swap(true, Ordering::AcqRel) {
        return;
    }
    let (runtime, weak) = (Arc::clone(server.runtime()), server.downgrade());
    server.runtime().spawn(Box::pin(async move {
        loop {
            runtime.sleep_until(runtime.now() + INTERVAL).await;
            let Some(server) = weak.upgrade() else { return };
            round(&server).await;
        }
    }));
}

async fn round(server: &Server) {
    let Some(host) = server.tasks() else { return };
    let (store, now) = (&host.settings.store, server.runtime().wall_time());
    // One after the other, many tasks in a store that takes its time would be looked at long after their turn.
    let all = stream::iter(host.all()).for_each_concurrent(AT_ONCE, |task| async move {
        match store.load(&task.owner, &task.id, now).await {
            Ok(Some(record)) if !record.is_settled() => {}
            // It was cancelled on another node, or its owner is gone.
            Ok(_) => task.stop(),
            Err(error) => tracing::warn!(%error, task = ?task.id, "a task could not be looked after"),
        }
    });
    all.await;
    if let Err(error) = store.expire(now).await {
        tracing::warn!(%error, "expired tasks could not be removed");
    }
}
