//! The machine of `subscriptions/listen`: acknowledge first, then what was asked for, then a graceful end.

use super::Outgoing;
use crate::{
    jsonrpc::RequestId,
    lower::{self, Reply},
    ports::{BoxFuture, TaskId, TaskOwner, TaskRecord},
    protocol::SubscriptionFilter,
    server::Server,
    subscription::{Pending, Registration},
};
use std::{
    collections::BTreeSet,
    fmt,
    task::{Context, Poll, ready},
};

/// A listen stream.
///
/// Spec: 2026-07-28, basic/patterns/subscriptions.
pub(crate) struct Listen {
    server: Server,
    id: RequestId,
    registration: Registration,
    /// What is acknowledged; taken when the acknowledgement has gone out.
    granted: Option<SubscriptionFilter>,
    /// Which of the tasks that are listened to are the caller's; nothing is acknowledged before that is known.
    tasks: Option<BoxFuture<Vec<TaskRecord>>>,
}

impl Listen {
    pub(crate) fn new(
        server: Server,
        id: RequestId,
        registration: Registration,
        granted: SubscriptionFilter,
    ) -> Self {
        Self { server, id, registration, granted: Some(granted), tasks: None }
    }

    /// Listens to those of these tasks that belong to the caller; others look unknown.
    pub(crate) fn with_tasks(mut self, owner: TaskOwner, ids: BTreeSet<TaskId>) -> Self {
        // From now on, so that no change is missed while it is found out whose they are.
        self.registration.subscriber().listen_to_tasks(ids.clone());
        let server = self.server.clone();
        self.tasks = Some(Box::pin(async move {
            let Some(host) = server.tasks() else { return Vec::new() };
            let mut known = Vec::new();
            for id in ids {
                known.extend(host.get(&server, &owner, &id).await.ok());
            }
            known
        }));
        self
    }

    fn poll_tasks(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(tasks) = &mut self.tasks else { return Poll::Ready(()) };
        let known = ready!(tasks.as_mut().poll(context));
        self.tasks = None;
        if let Some(granted) = &mut self.granted {
            granted.task_ids = known.iter().map(|task| task.id.clone()).collect();
            self.registration.subscriber().keep_tasks(known);
        }
        Poll::Ready(())
    }

    pub(crate) fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        ready!(self.poll_tasks(context));
        if let Some(granted) = self.granted.take() {
            return Poll::Ready(Some(Outgoing::Notification(lower::acknowledged(&self.id, &granted))));
        }
        // The waker is registered before the look at the shutdown, so that neither is missed.
        let pending = self.registration.subscriber().take(context.waker());
        match pending {
            Some(Pending::List(list)) => {
                let message = lower::list_changed(list.method(), Some(&self.id));
                Poll::Ready(Some(Outgoing::Notification(message)))
            }
            Some(Pending::Updated(uri)) => {
                let message = lower::resource_updated(&uri, Some(&self.id));
                Poll::Ready(Some(Outgoing::Notification(message)))
            }
            Some(Pending::Task(task)) => {
                Poll::Ready(Some(Outgoing::Notification(lower::task_changed(&task, &self.id))))
            }
            // They belong to handshake clients, which have no listen streams.
            Some(Pending::Elicited(_) | Pending::OfTask(_)) => self.poll_message(context),
            None if self.server.is_shutting_down() => Poll::Ready(Some(Outgoing::Reply(Reply::new(
                lower::listen_result(&self.id, self.server.identity()),
                200,
            )))),
            None => Poll::Pending,
        }
    }
}

impl fmt::Debug for Listen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Listen").field("id", &self.id).finish_non_exhaustive()
    }
}
