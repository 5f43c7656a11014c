//! How a catalogue is presented: listed whole, or in part, with tools that find and call the rest.
//!
//! A presentation changes lists only. What is not listed can still be called, with the same checks.

mod search;
mod toolboxes;

pub use search::{AutomaticSearch, ToolSearch};
pub use toolboxes::{TOOLBOX_INSTRUCTIONS, Toolboxes};

pub(crate) use search::{SearchIndex, ToolList};
pub(crate) use toolboxes::Redirected;

use crate::{
    jsonrpc::IncomingRequest,
    lower::ListKind,
    ports::ListView,
    registry::{Catalogue, OwnTool, Placed, Rules, ToolEntry},
    view::Listed,
};

/// How the tools and prompts of a server are presented to clients.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Presentation(Kind);

#[derive(Clone, Debug, Default)]
enum Kind {
    /// Every list is whole.
    #[default]
    Whole,
    Toolboxes(Toolboxes),
    /// Tools are found by search.
    Search(ToolSearch),
    /// Tools are found by search where their list is long.
    Automatic(AutomaticSearch),
}

impl Presentation {
    /// Lists everything: the default.
    pub fn whole() -> Self {
        Self(Kind::Whole)
    }

    /// Lists what is in no toolbox, and what is marked as root; the rest is found in toolboxes.
    pub fn toolboxes(toolboxes: Toolboxes) -> Self {
        Self(Kind::Toolboxes(toolboxes))
    }

    /// Tells whether the list of a catalogue reads the same for everyone, as far as the presentation goes.
    pub(crate) fn is_whole(&self, kind: ListKind) -> bool {
        match self.0 {
            // What is left to search is in no list of its catalogue.
            Kind::Whole | Kind::Search(_) | Kind::Automatic(_) => true,
            Kind::Toolboxes(_) => matches!(kind, ListKind::Resources | ListKind::Templates),
        }
    }

    /// Tells whether an entry is listed to a connection, as far as the presentation goes.
    pub(crate) fn lists(&self, listed: &Listed, view: &ListView) -> bool {
        match self.0 {
            Kind::Whole | Kind::Search(_) | Kind::Automatic(_) => true,
            Kind::Toolboxes(_) => toolboxes::lists(listed, view),
        }
    }

    /// Tells whether a connection can have entries of a list added to those that everyone sees.
    pub(crate) fn opens(&self, catalogue: &Catalogue, kind: ListKind) -> bool {
        match self.0 {
            Kind::Whole | Kind::Search(_) | Kind::Automatic(_) => false,
            Kind::Toolboxes(_) => toolboxes::opens(catalogue, kind),
        }
    }

    /// The tools that the presentation adds to those of the author.
    pub(crate) fn own_tools(&self, tools: &[Placed<ToolEntry>], rules: &Rules) -> Vec<OwnTool> {
        match &self.0 {
            Kind::Whole => Vec::new(),
            Kind::Toolboxes(toolboxes) => toolboxes.own_tools(tools, rules),
            Kind::Search(search) => search.own_tools(),
            Kind::Automatic(automatic) => automatic.search.own_tools(),
        }
    }

    /// Tells whether an entry is one of those tools.
    pub(crate) fn is_own(&self, listed: &Listed) -> bool {
        match &self.0 {
            Kind::Whole => false,
            Kind::Toolboxes(toolboxes) => toolboxes.is_own(listed),
            Kind::Search(_) | Kind::Automatic(_) => search::is_own(listed),
        }
    }

    /// What models are told of the use of the server where its author says nothing.
    pub(crate) fn instructions(&self) -> Option<&'static str> {
        match &self.0 {
            Kind::Whole | Kind::Search(_) | Kind::Automatic(_) => None,
            Kind::Toolboxes(toolboxes) => Some(toolboxes.instructions()),
        }
    }

    /// The settings of the toolboxes, where the server has any.
    pub(crate) fn as_toolboxes(&self) -> Option<&Toolboxes> {
        match &self.0 {
            Kind::Whole | Kind::Search(_) | Kind::Automatic(_) => None,
            Kind::Toolboxes(toolboxes) => Some(toolboxes),
        }
    }

    /// What becomes of a request to call a tool, which may be one that calls another.
    pub(crate) fn redirect(&self, catalogue: &Catalogue, request: &IncomingRequest) -> Redirected {
        match &self.0 {
            Kind::Whole | Kind::Search(_) | Kind::Automatic(_) => Redirected::Unchanged,
            Kind::Toolboxes(toolboxes) => toolboxes.redirect(catalogue, request),
        }
    }
}
