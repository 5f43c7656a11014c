//! Settings of the search, and when it takes the place of the whole list.

use crate::{registry::Faults, setting::SettingFaults};

/// Settings of a catalogue that is served through search.
///
/// ```
/// use mcp_core::presentation::{Presentation, ToolSearch};
///
/// let presentation = Presentation::search(ToolSearch::default().plan_steps(50));
/// # let _ = presentation;
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ToolSearch {
    pub(super) examined: usize,
    pub(super) plan_steps: usize,
    pub(super) plan_bytes: usize,
    pub(super) plan_depth: u32,
}

impl Default for ToolSearch {
    fn default() -> Self {
        Self { examined: 200, plan_steps: 20, plan_bytes: 256 * 1024, plan_depth: 1 }
    }
}

impl ToolSearch {
    /// Sets how many of the tools that match, best first, are looked at for one search, 50 to 10,000; 200 by default.
    ///
    /// It bounds how many decisions one search asks of a policy. A search that reaches it says so.
    pub fn examined(mut self, tools: usize) -> Self {
        self.examined = tools;
        self
    }

    /// Sets how many steps one `run_tools` may have, 1 to 1,000; 20 by default.
    pub fn plan_steps(mut self, steps: usize) -> Self {
        self.plan_steps = steps;
        self
    }

    /// Sets how many bytes the results of all its steps may have together, 1,024 to 16,777,216; 256 KiB by default.
    ///
    /// Quiet ones count, because later steps may refer to them. Never more than a quarter of `limits.output_bytes`.
    pub fn plan_bytes(mut self, bytes: usize) -> Self {
        self.plan_bytes = bytes;
        self
    }

    /// Sets how many calls a `run_tools` may be within, 0 to 10; 1 by default, for a handler that lets the client's
    /// model call it ([`Client::sample_with_tools`](crate::extract::Client::sample_with_tools)).
    ///
    /// Within another `run_tools` none runs, whatever is said here.
    pub fn plan_depth(mut self, calls: u32) -> Self {
        self.plan_depth = calls;
        self
    }

    /// Adds a fault for every setting that lies outside its range.
    pub(in crate::presentation) fn check(&self, faults: &mut Faults) {
        let mut own = SettingFaults::default();
        own.within("tool_search.examined", self.examined, &(50..=10_000));
        own.within("tool_search.plan_steps", self.plan_steps, &(1..=1_000));
        own.within("tool_search.plan_bytes", self.plan_bytes, &(1_024..=16 << 20));
        own.within("tool_search.plan_depth", self.plan_depth, &(0..=10));
        faults.add_settings(&own);
    }
}

/// When search takes the place of the whole list; see
/// [`Presentation::automatic`](crate::presentation::Presentation::automatic).
#[derive(Clone, Debug)]
#[must_use]
pub struct AutomaticSearch {
    pub(in crate::presentation) search: ToolSearch,
    most_tools: usize,
    most_tokens: usize,
}

impl Default for AutomaticSearch {
    fn default() -> Self {
        Self { search: ToolSearch::default(), most_tools: 40, most_tokens: 8_000 }
    }
}

impl AutomaticSearch {
    /// Sets how many tools a list may have that is whole, 0 to 10,000; 40 by default.
    pub fn most_tools(mut self, tools: usize) -> Self {
        self.most_tools = tools;
        self
    }

    /// Sets how many tokens a list may have that is whole, 0 to 10,000,000; 8,000 by default.
    ///
    /// A token is reckoned as four bytes of the list's JSON text on 2026-07-28; models count differently, and none by
    /// far.
    pub fn most_tokens(mut self, tokens: usize) -> Self {
        self.most_tokens = tokens;
        self
    }

    /// Sets how the search is, where there is one.
    pub fn search(mut self, search: ToolSearch) -> Self {
        self.search = search;
        self
    }

    /// Tells whether search takes the place of a list of so many tools that costs so many tokens.
    pub(in crate::presentation) fn leaves_to_search(
        &self,
        tools: usize,
        tokens: impl FnOnce() -> usize,
    ) -> bool {
        tools > self.most_tools || tokens() > self.most_tokens
    }

    /// Adds a fault for every setting that lies outside its range.
    pub(in crate::presentation) fn check(&self, faults: &mut Faults) {
        let mut own = SettingFaults::default();
        own.within("automatic_search.most_tools", self.most_tools, &(0..=10_000));
        own.within("automatic_search.most_tokens", self.most_tokens, &(0..=10_000_000));
        faults.add_settings(&own);
        self.search.check(faults);
    }
}
