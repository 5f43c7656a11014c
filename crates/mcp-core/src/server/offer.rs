//! What the server says it offers: the same for every caller of one kind.

use super::Server;
use crate::{
    card,
    context::Caller,
    lower::{ListChanges, ListKind, Offer, ServerCapabilities},
    page::{Cursor, CursorBinding, Lists},
    ports::{Owner, SessionId},
    presentation::Presentation,
    protocol::{CacheHints, CacheScope, Extension},
    skill, task,
    version::Feature,
};

impl Server {
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
        let catalogue = self.catalogue();
        self.is_dynamic()
            || catalogue.has_resources()
            || self.overflow().is_for_all_tools()
            || catalogue.overflows()
    }

    pub(crate) fn offers_prompts(&self) -> bool {
        self.is_dynamic() || self.catalogue().has_prompts()
    }

    pub(crate) fn offers_completions(&self) -> bool {
        self.is_dynamic() || self.catalogue().has_completers()
    }

    /// Calls of some tool may go on as tasks.
    pub(crate) fn offers_tasks(&self) -> bool {
        self.tasks().is_some() && self.catalogue().has_task_tools()
    }

    /// Tells whether a caller without authentication and without session could begin a task that anyone may look at
    /// who knows its id, in an era where clients expect to be told apart.
    ///
    /// A transport refuses to serve such a server: see [`ServerBuilder::tasks`](super::ServerBuilder::tasks).
    #[must_use]
    pub fn needs_sessions_for_tasks(&self) -> bool {
        let served = self.versions().newest_first().any(|version| version.has(Feature::CoreTasks));
        served && self.offers_tasks() && !self.has_sessions()
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
            list_changed: ListChanges::all(Offer::when(channel.is_made() && self.is_dynamic())),
            subscribe: Offer::when(channel.is_made() && self.announces_updates()),
            tasks: Offer::when(self.offers_tasks()),
            extensions: self.extensions(),
        }
    }

    /// The lists that may change for a client with a connection: everyone's, and those that differ from connection to
    /// connection.
    pub(crate) fn lists_of_connections(&self) -> ListChanges {
        if self.is_dynamic() || self.lists().vary_by_connection() {
            return ListChanges::all(Offer::Yes);
        }
        let catalogue = self.catalogue();
        let opens = |kind| Offer::when(self.presentation().opens(&catalogue, kind));
        ListChanges { tools: opens(ListKind::Tools), resources: Offer::No, prompts: opens(ListKind::Prompts) }
    }

    /// The extensions that are advertised: the author's, then those of the server's own that have something to serve.
    fn extensions(&self) -> Vec<Extension> {
        let mut all = self.0.extensions.clone();
        if self.skills().is_some() {
            all.push(skill::extension());
        }
        if self.catalogue().has_cards() {
            all.push(card::extension());
        }
        if self.offers_tasks() {
            all.push(Extension::new(task::EXTENSION).modern_only());
        }
        all
    }

    /// How long a list stays fresh, and who may share it: nobody where it can differ from caller to caller.
    ///
    /// What is made for an authenticated caller is for nobody else, even if it reads the same: whoever shares it
    /// would show it to callers that are refused here. Every page of a list has the same scope, because neither the
    /// policies nor who asks changes on the way.
    pub(crate) fn list_cache(&self, kind: ListKind, caller: &Caller) -> CacheHints {
        let callbacks = kind == ListKind::Resources && !self.catalogue().listings().0.is_empty();
        let common = !callbacks && self.lists().filter_of(kind).is_none() && caller.principal.is_none();
        CacheHints {
            ttl: self.lists().fresh_for(callbacks || self.is_dynamic()),
            scope: if common { CacheScope::Public } else { CacheScope::Private },
        }
    }

    /// How long what the server says of itself stays fresh; the same for every caller.
    pub(crate) fn discovery_cache(&self, caller: &Caller) -> CacheHints {
        let own = self.instructs_each_client();
        let common = caller.principal.is_none() && !own;
        let scope = if common { CacheScope::Public } else { CacheScope::Private };
        CacheHints { ttl: self.lists().fresh_for(own || self.is_dynamic()), scope }
    }

    /// How tools and prompts are presented.
    pub(crate) fn presentation(&self) -> &Presentation {
        &self.0.presentation
    }

    /// The settings of the lists.
    pub(crate) fn lists(&self) -> &Lists {
        &self.0.lists
    }

    /// A cursor as the caller carries it.
    pub(crate) fn seal_cursor(&self, cursor: &Cursor, kind: ListKind, caller: &Caller) -> String {
        self.with_binding(kind, caller, |binding| cursor.seal(self.state_keys(), binding))
    }

    /// The cursor that a caller sent; `None` when it is not one for this list and caller.
    pub(crate) fn open_cursor(&self, text: &str, kind: ListKind, caller: &Caller) -> Option<Cursor> {
        self.with_binding(kind, caller, |binding| Cursor::open(text, self.state_keys(), binding))
    }

    fn with_binding<T>(
        &self,
        kind: ListKind,
        caller: &Caller,
        act: impl FnOnce(&CursorBinding<'_>) -> T,
    ) -> T {
        let owner = Owner::of(caller.principal.as_deref());
        act(&CursorBinding {
            server: &self.identity().name,
            version: caller.version,
            kind,
            owner: &owner,
            session: caller.session.as_ref().map(SessionId::as_str),
        })
    }
}
