//! The machine of `subscriptions/listen`: acknowledge first, then what was asked for, then a graceful end.

use super::Outgoing;
use crate::{
    jsonrpc::RequestId,
    lower::{self, Reply},
    protocol::SubscriptionFilter,
    server::Server,
    subscription::{Pending, Registration},
};
use std::task::{Context, Poll};

/// A listen stream.
///
/// Spec: 2026-07-28, basic/patterns/subscriptions.
#[derive(Debug)]
pub(crate) struct Listen {
    server: Server,
    id: RequestId,
    registration: Registration,
    /// What is acknowledged; taken when the acknowledgement has gone out.
    granted: Option<SubscriptionFilter>,
}

impl Listen {
    pub(crate) fn new(
        server: Server,
        id: RequestId,
        registration: Registration,
        granted: SubscriptionFilter,
    ) -> Self {
        Self { server, id, registration, granted: Some(granted) }
    }

    pub(crate) fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
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
            // An elicitation belongs to a handshake client, which has no listen stream.
            Some(Pending::Elicited(_)) => self.poll_message(context),
            None if self.server.is_shutting_down() => Poll::Ready(Some(Outgoing::Reply(Reply::new(
                lower::listen_result(&self.id, self.server.identity()),
                200,
            )))),
            None => Poll::Pending,
        }
    }
}
