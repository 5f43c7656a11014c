//! Changing what is offered at run time, and announcing changes.

use super::Server;
use crate::{
    registry::{BuildFaults, CatalogueEdit, Faults},
    subscription::ListKindChanged,
};
use std::sync::{Arc, PoisonError};

impl Server {
    /// Changes what the server offers, all or nothing, checked like a build.
    ///
    /// Lists that really changed are announced to who listens. Updates wait for each other; calls do not.
    ///
    /// # Errors
    /// [`BuildFaults`] when the result could not be built, or the server was not built
    /// [`dynamic`](crate::server::ServerBuilder::dynamic); nothing is changed then.
    pub fn update(&self, change: impl FnOnce(&mut CatalogueEdit)) -> Result<(), BuildFaults> {
        if !self.is_dynamic() {
            let mut faults = Faults::default();
            faults.add("update", "the server's lists are fixed; build it with `.dynamic()`");
            return faults.finish();
        }
        let updating = self.0.updating.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.catalogue();
        let mut edit = old.edit();
        change(&mut edit);
        let new = Arc::new(edit.finish()?);
        let changed = new.changed_since(&old);
        *self.0.catalogue.write().unwrap_or_else(PoisonError::into_inner) = new;
        drop(updating);
        if changed.tools {
            self.notify_tools_changed();
        }
        if changed.resources {
            self.notify_resources_changed();
        }
        if changed.prompts {
            self.notify_prompts_changed();
        }
        Ok(())
    }

    /// Announces that the tool list changed, to who listens for that.
    pub fn notify_tools_changed(&self) {
        self.0.subscribers.list_changed(ListKindChanged::Tools);
    }

    /// Announces that the resource list changed: for lists made by callbacks.
    pub fn notify_resources_changed(&self) {
        self.0.subscribers.list_changed(ListKindChanged::Resources);
    }

    /// Announces that the prompt list changed.
    pub fn notify_prompts_changed(&self) {
        self.0.subscribers.list_changed(ListKindChanged::Prompts);
    }

    /// Announces that a resource changed, to those who subscribed to its URI.
    pub fn notify_resource_updated(&self, uri: &str) {
        self.0.subscribers.updated(&crate::uri::AbsoluteUri::normalize_lookup(uri));
    }
}
