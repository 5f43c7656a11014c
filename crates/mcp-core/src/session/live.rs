//! What a process holds of a session beyond its record, on any transport.

use crate::{
    ask::Questions,
    exchange::InFlight,
    json::Node,
    jsonrpc::{Notification, RequestId},
    protocol::SubscriptionFilter,
    server::Server,
    subscription::{Registration, Subscriber},
};
use event_listener::{Event, EventListener};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// A handshake client as this process deals with it.
#[derive(Debug, Default)]
pub(crate) struct LiveSession {
    /// The client's requests that are being served.
    pub(crate) in_flight: Arc<InFlight>,
    /// The requests to the client that it has not answered.
    pub(crate) questions: Arc<Questions>,
    /// Its place among those who hear of changes, once it has one.
    registration: Mutex<Option<Arc<Registration>>>,
    /// The client has said `notifications/initialized`: from now on it may be asked, and hears of changes.
    initialized: AtomicBool,
    said_initialized: Event,
}

impl LiveSession {
    /// The client's place among those who hear of changes, taken with these resources when it has none; `None` when
    /// all places are taken.
    pub(crate) fn registration<'a>(
        &self,
        server: &Server,
        resources: impl IntoIterator<Item = &'a str>,
    ) -> Option<Arc<Registration>> {
        let mut registration = self.registration.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(registration) = &*registration {
            for uri in resources {
                // They are within the limits of the session, whose record they come from.
                let _ = registration.subscriber().subscribe(uri, usize::MAX);
            }
        } else {
            let dynamic = server.is_dynamic();
            let filter = SubscriptionFilter {
                tools_list_changed: dynamic,
                prompts_list_changed: dynamic,
                resources_list_changed: dynamic,
                resource_subscriptions: resources.into_iter().map(Box::from).collect(),
            };
            *registration = server.subscribers().register(Subscriber::new(&filter)).map(Arc::new);
        }
        registration.clone()
    }

    /// Its place among those who hear of changes, when it has one.
    pub(crate) fn existing_registration(&self) -> Option<Arc<Registration>> {
        self.registration.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells whether the client has said `notifications/initialized`.
    pub(crate) fn is_initialized(&self) -> bool {
        self.initialized.load(Ordering::Acquire)
    }

    /// Notes that the client has said `notifications/initialized`, here or to another process.
    pub(crate) fn mark_initialized(&self) {
        if !self.initialized.swap(true, Ordering::AcqRel) {
            self.said_initialized.notify(usize::MAX);
            if let Some(registration) = self.existing_registration() {
                registration.subscriber().wake();
            }
        }
    }

    /// What waits for `notifications/initialized`; it completes at once when that was said already.
    ///
    /// Spec: 2025-11-25, basic/lifecycle#initialization: before, a server sends nothing but pings and log messages.
    pub(crate) fn initialized(&self) -> Option<EventListener> {
        let listener = self.said_initialized.listen();
        (!self.is_initialized()).then_some(listener)
    }

    /// Cancels the request that `notifications/cancelled` names.
    ///
    /// Spec: 2026-07-28, basic/patterns/cancellation; 2025-11-25, basic/utilities/cancellation.
    pub(crate) fn cancel(&self, notification: &Notification) {
        let params = notification.params();
        let Some(id) = params.and_then(|params| params.get("requestId")).and_then(RequestId::from_node)
        else {
            return;
        };
        let reason = params.and_then(|params| params.get("reason")).and_then(Node::as_str);
        let reason: String = reason.unwrap_or_default().chars().take(200).collect();
        let found = self.in_flight.cancel(&id.key());
        tracing::debug!(%id, reason, found, "the client cancels a request");
    }

    /// Ends everything: requests in flight, questions, changes.
    pub(crate) fn end(&self) {
        self.in_flight.end_all();
        self.questions.close();
        self.said_initialized.notify(usize::MAX);
        self.registration.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}
