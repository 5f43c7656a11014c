//! Settings of the four lists.

use crate::{
    context::Context,
    lower::ListKind,
    registry::Faults,
    setting::SettingFaults,
    view::{Filter, IntoVerdict, Listed, filter},
};
use std::{future::Future, time::Duration};

/// How many catalogues before the present one a cursor may come from.
pub const EARLIER_CATALOGUES: usize = 16;

/// How long a list that cannot change stays fresh unless something else is said.
const FIXED_TTL: Duration = Duration::from_secs(300);

/// Settings of the lists of tools, resources, templates and prompts.
///
/// ```
/// use mcp_core::{context::Context, page::Lists, view::Listed};
///
/// let lists = Lists::default()
///     .page_size(50)
///     // Tools that are marked experimental are listed for those who have the scope.
///     .tool_filter(|context: Context, tool: Listed| async move {
///         !tool.has_tag("experimental") || context.principal().is_some_and(|who| who.has_scope("beta"))
///     });
/// # let _ = lists;
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Lists {
    page_size: Option<usize>,
    ttl: Option<Duration>,
    per_connection: bool,
    tools: Option<Filter>,
    resources: Option<Filter>,
    prompts: Option<Filter>,
}

impl Lists {
    /// Cuts each list into pages of at most this many entries, 1 to 10,000; by default a list is one page.
    ///
    /// A client need not ask for further pages, and one that does not sees no more than the first.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.page_size = Some(entries);
        self
    }

    /// Says how long clients may go on using a list, 0 to 365 days; zero means: ask each time.
    ///
    /// By default 5 minutes where the list cannot change, and zero where it can: on a server that is
    /// [`dynamic`](crate::server::ServerBuilder::dynamic), since not every client listens for changes, and for
    /// resources that callbacks list. What a client holds is stale the moment it hears that the list has changed,
    /// whatever is said here.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = Some(ttl);
        self
    }

    /// Lets handlers hide and show entries for their own connection
    /// ([`Context::visibility`](crate::context::Context::visibility)), and tells clients with a connection that lists
    /// may change.
    ///
    /// Only handshake clients have one: on stdio, and over HTTP with sessions.
    pub fn per_connection(mut self) -> Self {
        self.per_connection = true;
        self
    }

    /// Lists only the tools for which the policy says so.
    ///
    /// The policy is asked for one tool after the other, each time that a list is made, with the context of the
    /// request; nothing is remembered between lists. What it needs for all of them it can keep in the
    /// [scratch state](crate::context::Context::put_scratch) of the request. It answers with a `bool` or a
    /// [`Verdict`](crate::view::Verdict), or a `Result` of one: an error means that it cannot tell, and then
    /// nothing is listed at all (`-32603`, on 2026-07-28 with HTTP status 500).
    ///
    /// **It is no access control.** A tool that is not listed can still be called by who knows its name.
    pub fn tool_filter<F, A>(mut self, policy: F) -> Self
    where
        F: Fn(Context, Listed) -> A + Send + Sync + 'static,
        A: Future<Output: IntoVerdict> + Send + 'static,
    {
        self.tools = Some(filter(policy));
        self
    }

    /// Lists only the resources and resource templates for which the policy says so, as
    /// [`tool_filter`](Self::tool_filter) does with tools.
    pub fn resource_filter<F, A>(mut self, policy: F) -> Self
    where
        F: Fn(Context, Listed) -> A + Send + Sync + 'static,
        A: Future<Output: IntoVerdict> + Send + 'static,
    {
        self.resources = Some(filter(policy));
        self
    }

    /// Lists only the prompts for which the policy says so, as [`tool_filter`](Self::tool_filter) does with tools.
    pub fn prompt_filter<F, A>(mut self, policy: F) -> Self
    where
        F: Fn(Context, Listed) -> A + Send + Sync + 'static,
        A: Future<Output: IntoVerdict> + Send + 'static,
    {
        self.prompts = Some(filter(policy));
        self
    }

    pub(crate) fn page(&self) -> Option<usize> {
        self.page_size
    }

    pub(crate) fn vary_by_connection(&self) -> bool {
        self.per_connection
    }

    /// How many earlier catalogues are to be remembered.
    pub(crate) fn earlier_catalogues(&self) -> usize {
        if self.page_size.is_some() { EARLIER_CATALOGUES } else { 0 }
    }

    /// How long a list stays fresh that can, or cannot, change.
    pub(crate) fn fresh_for(&self, changing: bool) -> Duration {
        self.ttl.unwrap_or(if changing { Duration::ZERO } else { FIXED_TTL })
    }

    pub(crate) fn filter_of(&self, kind: ListKind) -> Option<&Filter> {
        match kind {
            ListKind::Tools => self.tools.as_ref(),
            ListKind::Resources | ListKind::Templates => self.resources.as_ref(),
            ListKind::Prompts => self.prompts.as_ref(),
        }
    }

    /// Adds a fault for every setting that lies outside its range.
    pub(crate) fn check(&self, faults: &mut Faults) {
        let mut own = SettingFaults::default();
        if let Some(entries) = self.page_size {
            own.within("lists.page_size", entries, &(1..=10_000));
        }
        if let Some(ttl) = self.ttl {
            own.within("lists.ttl", ttl, &(Duration::ZERO..=Duration::from_secs(365 * 24 * 3_600)));
        }
        faults.add_settings(&own);
    }
}
