//! What a change of what is shown and hidden changes in the lists.

use super::{Listed, ListedKind};
use crate::{
    lower::ListKind,
    ports::{ListView, ListViewUpdate, Selection},
    presentation::Presentation,
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

impl ListView {
    /// Tells whether an entry is hidden.
    pub(crate) fn hides(&self, listed: &Listed) -> bool {
        if self.hidden.is_empty() {
            return false;
        }
        let name = Box::from(&*listed.key());
        let by_name = match listed.kind() {
            ListedKind::Tool => Selection::Tool(name),
            ListedKind::Resource | ListedKind::ResourceTemplate => Selection::Resource(name),
            ListedKind::Prompt => Selection::Prompt(name),
        };
        self.hidden.contains(&by_name)
            || listed.tags().any(|tag| self.hidden.contains(&Selection::Tag(tag.into())))
    }
}

/// Which entries a change shows or hides, list by list; lists in which nothing comes or goes are left out.
pub(crate) fn differences(
    catalogue: &Catalogue,
    presentation: &Presentation,
    update: &ListViewUpdate,
) -> Vec<Difference> {
    let ListViewUpdate { before, after } = update;
    if before.hidden == after.hidden && before.open == after.open {
        return Vec::new();
    }
    let shows = |view: &ListView, listed: &Listed| !view.hides(listed) && presentation.lists(listed, view);
    let toggled = |kind| {
        (0..)
            .map_while(|place| Listed::at(catalogue, kind, place))
            .filter(|listed| shows(before, listed) != shows(after, listed))
            .collect::<Vec<_>>()
    };
    let mut resources = toggled(ListKind::Resources);
    resources.extend(toggled(ListKind::Templates));
    let other_uri = |selection: &Selection| matches!(selection, Selection::Resource(uri) if catalogue.static_resource(uri).is_none() && catalogue.template(uri).is_none());
    let callbacks = !catalogue.listings().0.is_empty()
        && before.hidden.symmetric_difference(&after.hidden).any(other_uri);
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
