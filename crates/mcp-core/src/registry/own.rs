//! Tools that a server adds to those of its author: what finds and calls what its lists do not show.

use super::{Faults, Rules, ToolBuilder, ToolEntry, index::Placed};

/// The number of an author's first registration; those before it are of tools that the server adds, so that they stand
/// first in the list, and stay the same when the catalogue changes.
pub(super) const FIRST_REGISTERED: u64 = 64;

/// A tool that the server adds, by name.
pub(crate) type OwnTool = (&'static str, ToolBuilder<()>);

/// The tools of a server: its own, as the author's require them, and the author's.
///
/// A name of its own is taken: an author's tool of that name is a fault.
pub(super) fn with_own(
    mut tools: Vec<Placed<ToolEntry>>,
    rules: &Rules,
    faults: &mut Faults,
) -> Vec<Placed<ToolEntry>> {
    let own = rules.presentation.own_tools(&tools, rules);
    for (name, _) in &own {
        if tools.iter().any(|placed| *placed.entry.name == **name) {
            faults.add(
                format!("tool `{name}`"),
                "the server's presentation has a tool of this name; give this one another name",
            );
        }
    }
    // Where one clashes the catalogue is refused anyway; a second fault for the same name would only confuse.
    let free: Vec<_> = own
        .into_iter()
        .filter(|(name, _)| tools.iter().all(|placed| *placed.entry.name != **name))
        .filter_map(|(name, tool)| tool.compile(name.into(), rules, faults))
        .collect();
    let own = (0..FIRST_REGISTERED).zip(free).map(|(born, entry)| Placed { born, entry });
    tools.splice(0..0, own);
    tools
}

/// The tools of the author alone.
pub(super) fn without_own(tools: Vec<Placed<ToolEntry>>) -> Vec<Placed<ToolEntry>> {
    tools.into_iter().filter(|placed| placed.born >= FIRST_REGISTERED).collect()
}
