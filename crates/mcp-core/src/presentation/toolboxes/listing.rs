//! What is listed where there are toolboxes.

use crate::{lower::ListKind, ports::ListView, registry::Catalogue, view::Listed};

/// Tells whether an entry is listed to a connection.
pub(crate) fn lists(listed: &Listed, view: &ListView) -> bool {
    match listed.toolbox() {
        // Nothing would lead to it.
        None => true,
        Some(toolbox) => listed.is_root() || view.open.contains(toolbox),
    }
}

/// Tells whether entries of a list are in toolboxes, so that they are listed to who opens them.
pub(crate) fn opens(catalogue: &Catalogue, kind: ListKind) -> bool {
    let closed = ListView::default();
    (0..).map_while(|place| Listed::at(catalogue, kind, place)).any(|listed| !lists(&listed, &closed))
}
