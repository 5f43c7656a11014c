//! The server itself: everything it was built from, behind one cheap handle.

use super::{Elicitations, Limits, ServerBuilder, instructions::Instructions};
use crate::{
    ask::StateKeys,
    handler::Bulkhead,
    jsonrpc::RequestId,
    lower::ResultFrame,
    overflow::Store,
    page::Lists,
    ports::{Runtime, SessionLimits},
    presentation::Presentation,
    protocol::{Extension, Implementation},
    registry::{Catalogue, McpRouter},
    session::{Lifecycle, SessionHost},
    skill::SkillIndex,
    subscription::Subscribers,
    task::TaskHost,
    version::{ProtocolVersion, ServedVersions},
};
use event_listener::Event;
use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError, RwLock, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// An MCP server, independent of any transport; cloning is cheap, and clones are the same server.
#[derive(Clone)]
pub struct Server(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) identity: Implementation,
    /// How results are signed, encoded once because every one of them is.
    pub(super) signature: Box<[u8]>,
    pub(super) instructions: Instructions,
    pub(super) versions: ServedVersions,
    pub(super) limits: Limits,
    pub(super) runtime: Arc<dyn Runtime>,
    pub(super) lists: Lists,
    pub(super) switches: Switches,
    pub(super) catalogue: RwLock<Arc<Catalogue>>,
    pub(super) updating: Mutex<()>,
    pub(super) subscribers: Arc<Subscribers>,
    pub(super) sessions: Option<SessionHost>,
    pub(super) lifecycle: Lifecycle,
    pub(super) tasks: Option<TaskHost>,
    pub(super) state_keys: StateKeys,
    pub(super) elicitations: Elicitations,
    /// What the author said is spoken besides the protocol itself.
    pub(super) extensions: Vec<Extension>,
    pub(super) skills: Option<SkillIndex>,
    pub(super) bulkhead: Bulkhead,
    pub(super) overflow: Store,
    pub(super) presentation: Presentation,
    /// Calls that are not over.
    pub(super) calls: AtomicUsize,
    pub(super) shutting_down: AtomicBool,
    /// Notified when the shutdown begins.
    pub(super) stopping: Event,
}

/// What the builder switched on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Switches {
    pub(super) dynamic: bool,
    pub(super) resource_updates: bool,
    pub(super) show_errors: bool,
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

    /// Begins the shutdown: listen streams end with their result, new requests are refused, running
    /// calls go on. The transports wait for those, within their grace.
    pub fn shut_down(&self) {
        self.0.shutting_down.store(true, Ordering::Release);
        self.0.stopping.notify(usize::MAX);
        self.0.subscribers.wake_all();
        if let Some(host) = &self.0.sessions {
            host.shut_down();
        }
        if let Some(host) = &self.0.tasks {
            host.shut_down();
        }
    }

    /// Completes when no call runs any more whose client does not wait for it: one of an HTTP session whose client
    /// went away, or one that is a task. Cancel-safe.
    ///
    /// A transport waits for it within its grace, after its connections are closed.
    pub async fn detached_calls_ended(&self) {
        if let Some(host) = &self.0.sessions {
            host.detached.ended().await;
        }
        if let Some(host) = &self.0.tasks {
            host.all_left().await;
        }
    }

    /// Ends every task that still runs in this process, as failed, and tells the task store.
    ///
    /// A transport calls it when its grace is over, and gives it a moment: otherwise a store that outlives the process
    /// would show such a task as working until its time is over. Cancel-safe; tasks it did not get to are not ended.
    pub async fn give_up_tasks(&self) {
        if let Some(host) = &self.0.tasks {
            host.give_up_all(self).await;
        }
    }

    /// Tells whether the shutdown has begun.
    #[must_use]
    pub fn is_shutting_down(&self) -> bool {
        self.0.shutting_down.load(Ordering::Acquire)
    }

    /// Completes when the shutdown begins, at once when it has begun. Cancel-safe.
    pub async fn shutdown_begun(&self) {
        let begins = self.0.stopping.listen();
        if !self.is_shutting_down() {
            begins.await;
        }
    }

    /// The server's name, version and looks.
    #[must_use]
    pub fn identity(&self) -> &Implementation {
        &self.0.identity
    }

    /// What the server tells models about its use.
    #[must_use]
    pub fn instructions(&self) -> Option<&str> {
        match &self.0.instructions {
            Instructions::Text(text) => text.as_deref(),
            Instructions::Made(_) => None,
        }
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

    /// The sessions of handshake clients over HTTP, where there are any.
    pub(crate) fn sessions(&self) -> Option<&SessionHost> {
        self.0.sessions.as_ref()
    }

    /// The tasks of this server, where it has any.
    pub(crate) fn tasks(&self) -> Option<&TaskHost> {
        self.0.tasks.as_ref()
    }

    /// Tells whether handshake clients over HTTP get sessions.
    #[must_use]
    pub fn has_sessions(&self) -> bool {
        self.0.sessions.is_some()
    }

    /// The limits of sessions, also where handshake clients over Streamable HTTP get none.
    #[must_use]
    pub fn session_limits(&self) -> SessionLimits {
        self.sessions().map(|host| host.settings.limits).unwrap_or_default()
    }

    /// Whether handshake clients are held to the order of the handshake.
    pub fn lifecycle(&self) -> Lifecycle {
        self.0.lifecycle
    }

    /// The skills, where there are any.
    pub(crate) fn skills(&self) -> Option<&SkillIndex> {
        self.0.skills.as_ref()
    }

    pub(crate) fn state_keys(&self) -> &StateKeys {
        &self.0.state_keys
    }

    pub(crate) fn elicitations(&self) -> &Elicitations {
        &self.0.elicitations
    }

    /// A handle that does not keep the server.
    pub(crate) fn downgrade(&self) -> WeakServer {
        WeakServer(Arc::downgrade(&self.0))
    }

    pub(crate) fn bulkhead(&self) -> &Bulkhead {
        &self.0.bulkhead
    }

    /// Where results are kept that are too large.
    pub(crate) fn overflow(&self) -> &Store {
        &self.0.overflow
    }

    pub(crate) fn subscribers(&self) -> &Arc<Subscribers> {
        &self.0.subscribers
    }

    pub(crate) fn frame<'a>(&'a self, id: &'a RequestId, version: ProtocolVersion) -> ResultFrame<'a> {
        ResultFrame {
            id,
            version,
            server: &self.0.identity,
            signature: &self.0.signature,
            most_bytes: self.0.limits.output_bytes,
        }
    }
}

/// A server that may be gone.
#[derive(Clone, Debug)]
pub(crate) struct WeakServer(Weak<Inner>);

impl WeakServer {
    pub(crate) fn upgrade(&self) -> Option<Server> {
        self.0.upgrade().map(Server)
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Inner").field("identity", &self.identity).finish_non_exhaustive()
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
