//! Tools that a server adds to those of its author: what finds and calls what its lists do not show.

use super::{Faults, Rules, ToolBuilder, ToolEntry, encoded::EncodedList, index::Placed, tools::Tools};
use crate::{lower, presentation::ToolList, version::ProtocolVersion};

/// The number of an author's first registration; those before it are of tools that the server adds, so that they stand
/// first in the list, and stay the same when the catalogue changes.
pub(super) const FIRST_REGISTERED: u64 = 64;

/// A tool that the server adds, by name.
pub(crate) type OwnTool = (&'static str, ToolBuilder<()>);

/// The tools of a server as it presents them: its own, as the author's require them, and the author's.
///
/// A name of its own is taken: an author's tool of that name is a fault.
pub(super) fn presented(tools: Vec<Placed<ToolEntry>>, rules: &Rules, faults: &mut Faults) -> Tools {
    let own = rules.presentation.own_tools(&tools, rules);
    for (name, _) in &own {
        if tools.iter().any(|placed| *placed.entry.name == **name) {
            faults.add(
                format!("tool `{name}`"),
                "the server's presentation has a tool of this name; give this one another name",
            );
        }
    }
    let tools = Tools::new(tools, faults);
    let list = rules.presentation.tool_list(tools.named().entries().len(), || tokens(&tools));
    if list == ToolList::Whole {
        return tools;
    }
    // Where one clashes the catalogue is refused anyway; a second fault for the same name would only confuse.
    let free: Vec<_> = own
        .into_iter()
        .filter(|(name, _)| tools.named().get(name).is_none())
        .filter_map(|(name, tool)| tool.compile(name.into(), rules, faults))
        .collect();
    let own = (0..FIRST_REGISTERED).zip(free).map(|(born, entry)| Placed { born, entry });
    let tools = tools.behind(own.collect());
    match list {
        ToolList::RootOnly => {
            tools.listing_only(|placed| placed.born < FIRST_REGISTERED || placed.entry.is_root())
        }
        ToolList::WithOwn | ToolList::Whole => tools,
    }
}

/// The tools of the author alone.
pub(super) fn without_own(tools: Vec<Placed<ToolEntry>>) -> Vec<Placed<ToolEntry>> {
    tools.into_iter().filter(|placed| placed.born >= FIRST_REGISTERED).collect()
}

/// What the whole list costs a model's context: a token is about four bytes of JSON text.
fn tokens(tools: &Tools) -> usize {
    let encoded = EncodedList::of(tools.named().entries(), |writer, entry| {
        lower::tool(writer, entry, (tools.versions_of(&entry.name), None), ProtocolVersion::LATEST);
    });
    encoded.text().len() / 4
}
