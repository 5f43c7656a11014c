//! The presentations that leave tools to search.

use super::{
    super::{Kind, Presentation},
    AutomaticSearch, ToolSearch,
};
use crate::registry::Faults;

/// Which tools are in the list of a catalogue, before connections have their say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolList {
    /// The author's.
    Whole,
    /// Those that the presentation adds, and the author's.
    WithOwn,
    /// Those that the presentation adds, and of the author's those that are root.
    RootOnly,
}

impl Presentation {
    /// Lists `search_tools`, `describe_tools` and `run_tools` in place of the tools, but for those that are
    /// [`root`](crate::registry::ToolBuilder::root); the rest is found by search.
    pub fn search(search: ToolSearch) -> Self {
        Self(Kind::Search(search))
    }

    /// Lists everything as long as that is short, and leaves tools to search as soon as it is not.
    ///
    /// Each catalogue is judged anew: a server that is [`dynamic`](crate::server::ServerBuilder::dynamic) changes
    /// over when [`Server::update`](crate::server::Server::update) makes its list too long, or short enough again, and
    /// who listens hears that the list has changed. The three names are taken in either case.
    pub fn automatic(automatic: AutomaticSearch) -> Self {
        Self(Kind::Automatic(automatic))
    }

    /// Which of so many tools are listed, whose whole list costs so many tokens.
    pub(crate) fn tool_list(&self, tools: usize, tokens: impl FnOnce() -> usize) -> ToolList {
        match &self.0 {
            Kind::Whole => ToolList::Whole,
            Kind::Toolboxes(_) => ToolList::WithOwn,
            Kind::Search(_) => ToolList::RootOnly,
            Kind::Automatic(automatic) if automatic.leaves_to_search(tools, tokens) => ToolList::RootOnly,
            Kind::Automatic(_) => ToolList::Whole,
        }
    }

    /// The settings of the search, where there may be one.
    pub(crate) fn as_search(&self) -> Option<&ToolSearch> {
        match &self.0 {
            Kind::Whole | Kind::Toolboxes(_) => None,
            Kind::Search(search) => Some(search),
            Kind::Automatic(automatic) => Some(&automatic.search),
        }
    }

    /// Adds a fault for every setting that lies outside its range.
    pub(crate) fn check(&self, faults: &mut Faults) {
        match &self.0 {
            Kind::Whole | Kind::Toolboxes(_) => {}
            Kind::Search(search) => search.check(faults),
            Kind::Automatic(automatic) => automatic.check(faults),
        }
    }
}
