//! The server: a catalogue, its settings, and the ways requests come in.
//!
//! [`Server::post`] takes an HTTP request's body, [`Connection`](crate::connection::Connection) the
//! messages of a byte stream, [`Server::dispatch`] one message from the same process.

mod builder;
mod limits;
mod post;

pub use builder::ServerBuilder;
pub use limits::Limits;
pub use post::{Peer, Posted};
pub(crate) use post::{modern_caller, progress_token};

use crate::{
    handler::Bulkhead,
    jsonrpc::RequestId,
    lower::{Offer, ResultFrame, ServerCapabilities},
    ports::Runtime,
    protocol::{CacheHints, CacheScope, Implementation},
    registry::{BuildFaults, Catalogue, CatalogueEdit, Faults, McpRouter},
    subscription::{ListKindChanged, Subscribers},
    version::{ProtocolVersion, ServedVersions},
};
use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// An MCP server, independent of any transport; cloning is cheap, and clones are the same server.
#[derive(Clone)]
pub struct Server(Arc<Inner>);

struct Inner {
    identity: Implementation,
    instructions: Option<Box<str>>,
    versions: ServedVersions,
    limits: Limits,
    runtime: Arc<dyn Runtime>,
    list_ttl: Duration,
    switches: Switches,
    catalogue: RwLock<Arc<Catalogue>>,
    updating: Mutex<()>,
    subscribers: Arc<Subscribers>,
    bulkhead: Bulkhead,
    shutting_down: AtomicBool,
}

/// What the builder switched on.
#[derive(Clone, Copy, Debug, Default)]
struct Switches {
    dynamic: bool,
    resource_updates: bool,
    show_errors: bool,
}

impl Server {
    /// Begins a server that offers what the router has, on a runtime.
    pub fn builder(router: McpRouter<()>, runtime: Arc<dyn Runtime>) -> ServerBuilder {
        ServerBuilder::new(router, runtime)
    }

    /// What the server offers now. A call keeps the catalogue it began with.
    #[must_use]
    pub fn catalogue(&self) -> Arc<Catalogue> {
        Arc::clone(&self.0.catalogue.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes what the server offers, all or nothing, checked like a build.
    ///
    /// Lists that really changed are announced to who listens. Updates wait for each other; calls do not.
    ///
    /// # Errors
    /// [`BuildFaults`] when the result could not be built, or the server was not built
    /// [`dynamic`](ServerBuilder::dynamic); nothing is changed then.
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

    /// Begins the shutdown: listen streams end with their result, new requests are refused, running
    /// calls go on. The transports wait for those, within their grace.
    pub fn shut_down(&self) {
        self.0.shutting_down.store(true, Ordering::Release);
        self.0.subscribers.wake_all();
    }

    /// Tells whether the shutdown has begun.
    #[must_use]
    pub fn is_shutting_down(&self) -> bool {
        self.0.shutting_down.load(Ordering::Acquire)
    }

    /// The server's name, version and looks.
    #[must_use]
    pub fn identity(&self) -> &Implementation {
        &self.0.identity
    }

    /// What the server tells models about its use.
    #[must_use]
    pub fn instructions(&self) -> Option<&str> {
        self.0.instructions.as_deref()
    }

    /// The protocol versions that are served.
    #[must_use]
    pub fn versions(&self) -> ServedVersions {
        self.0.versions
    }

    /// The limits that hold.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// The runtime the server runs on.
    #[must_use]
    pub fn runtime(&self) -> &Arc<dyn Runtime> {
        &self.0.runtime
    }

    pub(crate) fn bulkhead(&self) -> &Bulkhead {
        &self.0.bulkhead
    }

    pub(crate) fn subscribers(&self) -> &Arc<Subscribers> {
        &self.0.subscribers
    }

    /// Lists may change at run time.
    pub(crate) fn is_dynamic(&self) -> bool {
        self.0.switches.dynamic
    }

    pub(crate) fn announces_updates(&self) -> bool {
        self.0.switches.resource_updates
    }

    pub(crate) fn shows_errors(&self) -> bool {
        self.0.switches.show_errors
    }

    pub(crate) fn offers_resources(&self) -> bool {
        self.is_dynamic() || self.catalogue().has_resources()
    }

    pub(crate) fn offers_prompts(&self) -> bool {
        self.is_dynamic() || self.catalogue().has_prompts()
    }

    pub(crate) fn offers_completions(&self) -> bool {
        self.is_dynamic() || self.catalogue().has_completers()
    }

    /// What is offered to a caller that has, or has not, a channel for changes and for log messages.
    ///
    /// Identical for every caller of one kind, whatever they may use.
    pub(crate) fn capabilities(&self, channel: Offer, logging: Offer) -> ServerCapabilities {
        ServerCapabilities {
            resources: Offer::when(self.offers_resources()),
            prompts: Offer::when(self.offers_prompts()),
            completions: Offer::when(self.offers_completions()),
            logging,
            list_changed: Offer::when(channel.is_made() && self.is_dynamic()),
            subscribe: Offer::when(channel.is_made() && self.announces_updates()),
        }
    }

    /// How long lists stay fresh. Without authorization decisions in them they are the same for every caller.
    pub(crate) fn list_cache(&self) -> CacheHints {
        CacheHints { ttl: self.0.list_ttl, scope: CacheScope::Public }
    }

    pub(crate) fn frame<'a>(&'a self, id: &'a RequestId, version: ProtocolVersion) -> ResultFrame<'a> {
        ResultFrame { id, version, server: &self.0.identity }
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Server")
            .field("identity", &self.0.identity)
            .field("versions", &self.0.versions)
            .finish_non_exhaustive()
    }
}
