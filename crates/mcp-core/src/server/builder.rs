//! Settings of a server, and the check of everything at once.

use super::{
    Elicitations, Limits, Server,
    extensions::check_extensions,
    handle::{Inner, Switches},
    instructions::{Connecting, Instructions},
};
use crate::{
    ask::{StateKey, StateKeys},
    handler::{Bulkhead, ProtocolError},
    lower,
    overflow::{Overflow, Store},
    page::Lists,
    ports::Runtime,
    presentation::Presentation,
    protocol::{Extension, Icon, Implementation},
    registry::{BuildFaults, CatalogueEdit, Faults, McpRouter, NameRule, Rules, check_icons},
    schema::{SchemaBounds, SchemaDialect},
    session::{Lifecycle, SessionHost, Sessions},
    skill::Skills,
    subscription::Subscribers,
    task::{TaskHost, Tasks},
    version::ServedVersions,
};
use event_listener::Event;
use std::{
    future::Future,
    sync::{
        Arc, Mutex, RwLock,
        atomic::{AtomicBool, AtomicUsize},
    },
    time::Duration,
};

/// A server on its way; name and version are required.
#[derive(Debug)]
#[must_use]
pub struct ServerBuilder {
    router: McpRouter<()>,
    runtime: Arc<dyn Runtime>,
    identity: Implementation,
    instructions: Instructions,
    versions: ServedVersions,
    limits: Limits,
    lists: Lists,
    rules: Rules,
    switches: Switches,
    sessions: Option<Sessions>,
    lifecycle: Lifecycle,
    tasks: Option<Tasks>,
    state_keys: Option<StateKeys>,
    overflow: Overflow,
    presentation: Presentation,
    extensions: Vec<Extension>,
    skills: Skills,
}

impl ServerBuilder {
    pub(super) fn new(router: McpRouter<()>, runtime: Arc<dyn Runtime>) -> Self {
        Self {
            router,
            runtime,
            identity: Implementation::default(),
            instructions: Instructions::Text(None),
            versions: ServedVersions::default(),
            limits: Limits::default(),
            lists: Lists::default(),
            rules: Rules::default(),
            switches: Switches::default(),
            sessions: None,
            lifecycle: Lifecycle::lenient(),
            tasks: None,
            state_keys: None,
            overflow: Overflow::default(),
            presentation: Presentation::default(),
            extensions: Vec::new(),
            skills: Skills::default(),
        }
    }

    /// Sets the server's name.
    pub fn name(mut self, name: impl Into<Box<str>>) -> Self {
        self.identity.name = name.into();
        self
    }

    /// Sets the server's version.
    pub fn version(mut self, version: impl Into<Box<str>>) -> Self {
        self.identity.version = version.into();
        self
    }

    /// Sets how one of several servers of an application is called: its name, its name for people, and its icons unless
    /// there are none.
    pub fn named(
        mut self,
        name: impl Into<Box<str>>,
        title: Option<Box<str>>,
        icons: impl IntoIterator<Item = Icon>,
    ) -> Self {
        self.identity.name = name.into();
        self.identity.title = title;
        let mut icons = icons.into_iter().peekable();
        if icons.peek().is_some() {
            self.identity.icons = icons.collect();
        }
        self
    }

    /// Sets name, version and looks at once.
    pub fn identity(mut self, identity: Implementation) -> Self {
        self.identity = identity;
        self
    }

    /// Tells models how to use the server; a blank text tells nothing.
    ///
    /// Where nothing is said, a server with toolboxes tells how to use those: see
    /// [`TOOLBOX_INSTRUCTIONS`](crate::presentation::TOOLBOX_INSTRUCTIONS), which may be part of the text here.
    pub fn instructions(mut self, instructions: impl Into<Box<str>>) -> Self {
        self.instructions = Instructions::Text(Some(instructions.into()));
        self
    }

    /// Tells each client that connects how to use the server, in words made for it, or refuses it.
    ///
    /// Made when a client sends `initialize`, and for each `server/discover`, within a minute, or within
    /// `limits.call_timeout` where that is less. An error refuses the client:
    /// [`ProtocolError::unauthorized`](crate::handler::ProtocolError::unauthorized) challenges it where clients
    /// authenticate. It is no access control: on 2026-07-28 a client calls tools without connecting.
    ///
    /// Over Streamable HTTP only: other transports tell nothing.
    pub fn instructions_from<F, A>(mut self, make: F) -> Self
    where
        F: Fn(Connecting) -> A + Send + Sync + 'static,
        A: Future<Output = Result<String, ProtocolError>> + Send + 'static,
    {
        self.instructions = Instructions::made(make);
        self
    }

    /// Serves just these protocol versions; every known one by default.
    pub fn versions(mut self, versions: ServedVersions) -> Self {
        self.versions = versions;
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Lets the lists change at run time: [`Server::update`] works, and `listChanged` is advertised.
    pub fn dynamic(mut self) -> Self {
        self.switches.dynamic = true;
        self
    }

    /// Offers subscriptions to single resources, announced by [`Server::notify_resource_updated`].
    pub fn resource_updates(mut self) -> Self {
        self.switches.resource_updates = true;
        self
    }

    /// Gives handshake clients over HTTP sessions: they hear of changes, can be asked, and can resume streams.
    pub fn sessions(mut self, sessions: Sessions) -> Self {
        self.sessions = Some(sessions);
        self
    }

    /// Changes how sessions are kept, where there are any.
    pub fn configure_sessions(mut self, change: impl FnOnce(Sessions) -> Sessions) -> Self {
        self.sessions = self.sessions.map(change);
        self
    }

    /// Serves each handshake request over HTTP by itself.
    pub fn without_sessions(mut self) -> Self {
        self.sessions = None;
        self
    }

    /// Chooses whether handshake clients are held to the order of the handshake; they are not by default.
    pub fn lifecycle(mut self, lifecycle: Lifecycle) -> Self {
        self.lifecycle = lifecycle;
        self
    }

    /// Lets calls of tools that support it go on as tasks, which clients look at later.
    pub fn tasks(mut self, tasks: Tasks) -> Self {
        self.tasks = Some(tasks);
        self
    }

    /// Changes how tasks are kept, where there are any.
    pub fn configure_tasks(mut self, change: impl FnOnce(Tasks) -> Tasks) -> Self {
        self.tasks = self.tasks.map(change);
        self
    }

    /// Seals what clients carry from one round trip to the next; a random key of this process by default.
    ///
    /// With the same keys every node can take up what another began, and a restart interrupts nobody.
    pub fn state_keys(mut self, keys: StateKeys) -> Self {
        self.state_keys = Some(keys);
        self
    }

    /// Advertises an extension of the protocol that this server speaks; none is by default.
    pub fn extension(mut self, extension: Extension) -> Self {
        self.extensions.push(extension);
        self
    }

    /// Sets how results that are too large are kept as resources, and whether those of every tool are.
    pub fn overflow(mut self, overflow: Overflow) -> Self {
        self.overflow = overflow;
        self
    }

    /// Offers skills: their files become resources, `skills/list` and its kin exist, and the extension is advertised.
    ///
    /// They stay as they are while the server lives.
    pub fn skills(mut self, skills: impl Into<Skills>) -> Self {
        self.skills = skills.into();
        self
    }

    /// Chooses how tools and prompts are presented; everything is listed by default.
    pub fn presentation(mut self, presentation: Presentation) -> Self {
        self.presentation = presentation;
        self
    }

    /// Lists everything where toolboxes were chosen, as an endpoint does whose tools belong together anyway.
    pub fn without_toolboxes(mut self) -> Self {
        if self.presentation.as_toolboxes().is_some() {
            self.presentation = Presentation::whole();
        }
        self
    }

    /// Shows models the whole chain of an error that a tool returned with `?`.
    ///
    /// For development: causes may name files, hosts and secrets.
    pub fn show_errors(mut self) -> Self {
        self.switches.show_errors = true;
        self
    }

    /// Sets how lists are cut into pages, who sees what in them, and how long they stay fresh.
    pub fn lists(mut self, lists: Lists) -> Self {
        self.lists = lists;
        self
    }

    /// Says how long clients may go on using lists; see [`Lists::ttl`].
    pub fn list_ttl(mut self, ttl: Duration) -> Self {
        self.lists = self.lists.ttl(ttl);
        self
    }

    /// Chooses what names of tools and prompts may look like.
    pub fn names(mut self, rule: NameRule) -> Self {
        self.rules.names = rule;
        self
    }

    /// Chooses how published schemas say that a value may be null.
    pub fn schema_dialect(mut self, dialect: SchemaDialect) -> Self {
        self.rules.dialect = dialect;
        self
    }

    /// Bounds published schemas.
    pub fn schema_bounds(mut self, bounds: SchemaBounds) -> Self {
        self.rules.bounds = bounds;
        self
    }

    /// Checks everything and builds the server.
    ///
    /// # Errors
    /// [`BuildFaults`] with every fault there is, each naming the primitive or setting and what to write instead.
    pub fn build(self) -> Result<Server, BuildFaults> {
        let mut faults = Faults::default();
        for (setting, text) in [("name", &self.identity.name), ("version", &self.identity.version)] {
            if text.trim().is_empty() {
                faults.add(setting, format!("a server needs a {setting}; add `.{setting}(\"…\")`"));
            }
        }
        check_icons("icons", &self.identity.icons, &mut faults);
        self.limits.check(&mut faults);
        self.overflow.check(&mut faults);
        self.lifecycle.check(&mut faults);
        if let Some(sessions) = &self.sessions {
            sessions.check(&mut faults);
        }
        if let Some(tasks) = &self.tasks {
            tasks.check(&mut faults);
        }
        check_extensions(&self.extensions, &mut faults);
        self.lists.check(&mut faults);
        self.presentation.check(&mut faults);
        let (skills, files) = self.skills.compile(&self.limits, &mut faults);
        let rules = Rules {
            earlier: self.lists.earlier_catalogues(),
            tasks: self.tasks.is_some(),
            output_bytes: self.limits.output_bytes,
            presentation: self.presentation.clone(),
            ..self.rules
        };
        let mut edit = CatalogueEdit::new(rules, faults);
        edit.router(self.router).router(files);
        let catalogue = edit.finish()?;
        if catalogue.is_empty() && !self.switches.dynamic {
            tracing::warn!(
                server = &*self.identity.name,
                "the server offers nothing: no tool, resource or prompt is registered; was the right router given, and merged?"
            );
        }
        if self.presentation.as_toolboxes().is_some()
            && catalogue.toolboxes().is_empty()
            && !self.switches.dynamic
        {
            tracing::warn!(
                server = &*self.identity.name,
                "the server presents its tools in toolboxes and has none: put routers into some with `McpRouter::toolbox`"
            );
        }
        let state_keys = self.state_keys.unwrap_or_else(|| {
            let mut random = [0; 32];
            self.runtime.fill_random(&mut random);
            StateKeys::new(StateKey::from_bytes(random))
        });
        let instructions = match self.instructions {
            Instructions::Text(Some(own)) => {
                Instructions::Text(Some(own).filter(|own| !own.trim().is_empty()))
            }
            Instructions::Text(None) => Instructions::Text(self.presentation.instructions().map(Box::from)),
            made @ Instructions::Made(_) => made,
        };
        Ok(Server(Arc::new(Inner {
            state_keys,
            sessions: self.sessions.map(SessionHost::new),
            lifecycle: self.lifecycle,
            tasks: self.tasks.map(TaskHost::new),
            elicitations: Elicitations::default(),
            extensions: self.extensions,
            skills,
            signature: lower::signature(&self.identity),
            identity: self.identity,
            instructions,
            versions: self.versions,
            runtime: self.runtime,
            lists: self.lists,
            switches: self.switches,
            catalogue: RwLock::new(Arc::new(catalogue)),
            updating: Mutex::new(()),
            subscribers: Arc::new(Subscribers::new(
                self.limits.subscriptions,
                self.limits.subscriptions_per_principal,
            )),
            bulkhead: Bulkhead::new(self.limits.blocking_calls, self.limits.blocking_queue),
            overflow: Store::new(self.overflow),
            presentation: self.presentation,
            calls: AtomicUsize::new(0),
            shutting_down: AtomicBool::new(false),
            stopping: Event::new(),
            limits: self.limits,
        })))
    }
}
