//! What a process holds of a session beyond its record, on any transport.

use crate::{
    ask::Questions,
    exchange::InFlight,
    json::Node,
    jsonrpc::{Notification, RequestId},
    ports::{ListView, ListViewChange, ListViewUpdate, Owner, StoreLimit},
    protocol::SubscriptionFilter,
    server::{Limits, Server},
    subscription::{Registration, Room, Subscriber, TableFull},
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
    /// What the lists of the client's connection show and hide; for a session over HTTP, as last seen in its record.
    view: Mutex<Arc<ListView>>,
    /// Whose it is, where that is known: its changes count among the owner's.
    owner: Option<Owner>,
}

impl LiveSession {
    /// A client that is known to be somebody's.
    pub(crate) fn of(owner: Owner) -> Self {
        Self { owner: Some(owner), ..Self::default() }
    }

    /// The client's place among those who hear of changes, taken with these resources when it has none.
    ///
    /// # Errors
    /// [`TableFull`] when all places are taken, or all of the owner's.
    pub(crate) fn registration<'a>(
        &self,
        server: &Server,
        resources: impl IntoIterator<Item = &'a str>,
    ) -> Result<Arc<Registration>, TableFull> {
        let mut registration = self.registration.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(registration) = &*registration {
            for uri in resources {
                // They are within the limits of the session, whose record they come from.
                let _ = registration.subscriber().subscribe(uri, Room::UNBOUNDED);
            }
            return Ok(Arc::clone(registration));
        }
        let changing = server.lists_of_connections();
        let filter = SubscriptionFilter {
            tools_list_changed: changing.tools.is_made(),
            prompts_list_changed: changing.prompts.is_made(),
            resources_list_changed: changing.resources.is_made(),
            resource_subscriptions: resources.into_iter().map(Box::from).collect(),
            ..SubscriptionFilter::default()
        };
        let owner = self.owner.clone().unwrap_or(Owner::Anonymous);
        let new = Arc::new(server.subscribers().register(Subscriber::new(&filter), owner)?);
        *registration = Some(Arc::clone(&new));
        Ok(new)
    }

    /// Its place among those who hear of changes, when it has one.
    pub(crate) fn existing_registration(&self) -> Option<Arc<Registration>> {
        self.registration.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the lists show and hide.
    pub(crate) fn view(&self) -> Arc<ListView> {
        Arc::clone(&self.view.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes what the lists show and hide, where nothing but this knows of it.
    ///
    /// # Errors
    /// The setting that the change goes beyond.
    pub(crate) fn change_view(
        &self,
        change: &ListViewChange,
        limits: &Limits,
    ) -> Result<ListViewUpdate, &'static str> {
        let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        let update = ListViewUpdate { before: ListView::clone(&view), after: view.changed_by(change) };
        match update.beyond(limits.hidden_selections, limits.open_toolboxes) {
            None => {}
            Some(StoreLimit::OpenToolboxes) => return Err("limits.open_toolboxes"),
            Some(_) => return Err("limits.hidden_selections"),
        }
        *view = Arc::new(update.after.clone());
        Ok(update)
    }

    /// Notes what a record says is shown and hidden; gives the change when it is newer than what was known.
    pub(crate) fn saw_view(&self, now: &ListView) -> Option<ListViewUpdate> {
        let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        if now.revision <= view.revision {
            return None;
        }
        let before = ListView::clone(&view);
        *view = Arc::new(now.clone());
        Some(ListViewUpdate { before, after: now.clone() })
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
