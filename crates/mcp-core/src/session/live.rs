//! What a process holds of a session beyond its record, on any transport.

use crate::{
    ask::Questions,
    exchange::InFlight,
    protocol::SubscriptionFilter,
    server::Server,
    subscription::{Registration, Subscriber},
};
use std::sync::{Arc, Mutex, PoisonError};

/// A handshake client as this process deals with it.
#[derive(Debug, Default)]
pub(crate) struct LiveSession {
    /// The client's requests that are being served.
    pub(crate) in_flight: Arc<InFlight>,
    /// The requests to the client that it has not answered.
    pub(crate) questions: Arc<Questions>,
    /// Its place among those who hear of changes, once it has one.
    ear: Mutex<Option<Arc<Registration>>>,
}

impl LiveSession {
    /// The client's place among those who hear of changes, taken with these resources when it has none; `None` when
    /// all places are taken.
    pub(crate) fn ear<'a>(
        &self,
        server: &Server,
        resources: impl IntoIterator<Item = &'a str>,
    ) -> Option<Arc<Registration>> {
        let mut ear = self.ear.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ear) = &*ear {
            for uri in resources {
                // They are within the limits of the session, whose record they come from.
                let _ = ear.subscriber().subscribe(uri, usize::MAX);
            }
        } else {
            let dynamic = server.is_dynamic();
            let filter = SubscriptionFilter {
                tools_list_changed: dynamic,
                prompts_list_changed: dynamic,
                resources_list_changed: dynamic,
                resource_subscriptions: resources.into_iter().map(Box::from).collect(),
            };
            *ear = server.subscribers().register(Subscriber::new(&filter)).map(Arc::new);
        }
        ear.clone()
    }

    /// Its place among those who hear of changes, when it has one.
    pub(crate) fn existing_ear(&self) -> Option<Arc<Registration>> {
        self.ear.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends everything: requests in flight, questions, changes.
    pub(crate) fn end(&self) {
        self.in_flight.end_all();
        self.questions.close();
        self.ear.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}
