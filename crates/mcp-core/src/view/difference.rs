//! What a change of what is hidden changes in the lists.

use super::{Listed, ListedKind};
use crate::{
    lower::ListKind,
    ports::{Hidden, HiddenUpdate, Selection},
    registry::Catalogue,
    subscription::ListKindChanged,
};

/// The entries of one list that come or go.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) list: ListKindChanged,
    /// Those that are registered.
    pub(crate) entries: Vec<Listed>,
    /// Entries of callbacks may come or go, which only the callbacks know.
    pub(crate) callbacks: bool,
}

impl Hidden {
    /// Tells whether an entry is hidden.
    pub(crate) fn hides(&self, listed: &Listed) -> bool {
        if self.selections.is_empty() {
            return false;
        }
        let name = Box::from(&*listed.key());
        let by_name = match listed.kind() {
            ListedKind::Tool => Selection::Tool(name),
            ListedKind::Resource | ListedKind::ResourceTemplate => Selection::Resource(name),
            ListedKind::Prompt => Selection::Prompt(name),
        };
        self.selections.contains(&by_name)
            || listed.tags().any(|tag| self.selections.contains(&Selection::Tag(tag.into())))
    }
}

/// Which entries a change shows or hides, list by list; lists in which nothing comes or goes are left out.
pub(crate) fn differences(catalogue: &Catalogue, update: &HiddenUpdate) -> Vec<Difference> {
    let HiddenUpdate { before, after } = update;
    if before.selections == after.selections {
        return Vec::new();
    }
    let toggled = |kind| {
        (0..)
            .map_while(|place| Listed::at(catalogue, kind, place))
            .filter(|listed| before.hides(listed) != after.hides(listed))
            .collect::<Vec<_>>()
    };
    let mut resources = toggled(ListKind::Resources);
    resources.extend(toggled(ListKind::Templates));
    let other_uri = |selection: &Selection| matches!(selection, Selection::Resource(uri) if catalogue.static_resource(uri).is_none() && catalogue.template(uri).is_none());
    let callbacks = !catalogue.listings().0.is_empty()
        && before.selections.symmetric_difference(&after.selections).any(other_uri);
    let all = [
        (ListKindChanged::Tools, toggled(ListKind::Tools), false),
        (ListKindChanged::Prompts, toggled(ListKind::Prompts), false),
        (ListKindChanged::Resources, resources, callbacks),
    ];
    all.into_iter()
        .filter(|(_, entries, callbacks)| !entries.is_empty() || *callbacks)
        .map(|(list, entries, callbacks)| Difference { list, entries, callbacks })
        .collect()
}
