//! What the lists of one connection show and hide, other than those of everyone.

use super::StoreLimit;
use std::collections::BTreeSet;

/// Some of what a server offers: one entry by name, or all that have a tag.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a store that leaves a kind out must not compile")]
pub enum Selection {
    /// The tool of this name.
    Tool(Box<str>),
    /// The prompt of this name.
    Prompt(Box<str>),
    /// The resource of this URI, or the resource template of this text.
    Resource(Box<str>),
    /// Everything that has this tag.
    Tag(Box<str>),
}

impl Selection {
    /// The tool of a name.
    #[must_use]
    pub fn tool(name: impl Into<Box<str>>) -> Self {
        Self::Tool(name.into())
    }

    /// The prompt of a name.
    #[must_use]
    pub fn prompt(name: impl Into<Box<str>>) -> Self {
        Self::Prompt(name.into())
    }

    /// The resource of a URI, or the resource template of a text.
    #[must_use]
    pub fn resource(uri: impl Into<Box<str>>) -> Self {
        Self::Resource(uri.into())
    }

    /// Everything that has a tag.
    #[must_use]
    pub fn tag(tag: impl Into<Box<str>>) -> Self {
        Self::Tag(tag.into())
    }

    /// The name, the URI or the tag.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Tool(text) | Self::Prompt(text) | Self::Resource(text) | Self::Tag(text) => text,
        }
    }
}

/// What the lists of one connection show and hide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a store that leaves a field out must not compile")]
pub struct ListView {
    /// Grows with every change, so that whoever holds two copies knows which is the newer one.
    pub revision: u64,
    /// What is hidden.
    pub hidden: BTreeSet<Selection>,
    /// The names of the toolboxes that are open.
    pub open: BTreeSet<Box<str>>,
}

/// A change of what is shown and hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a store that leaves a change out must not compile")]
pub enum ListViewChange {
    /// Hides something.
    Hide(Selection),
    /// Takes one selection back; what another one hides stays hidden.
    Unhide(Selection),
    /// Takes every selection back.
    ShowAll,
    /// Opens the toolbox of a name.
    Open(Box<str>),
    /// Closes the toolbox of a name.
    Close(Box<str>),
}

/// What was shown and hidden before a change, and what is after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a change has a before and an after")]
pub struct ListViewUpdate {
    /// Before.
    pub before: ListView,
    /// After; the same as before when nothing had to be changed.
    pub after: ListView,
}

impl ListView {
    /// What is after a change, with the next revision if it changes something.
    #[must_use]
    pub fn changed_by(&self, change: &ListViewChange) -> Self {
        let mut after = self.clone();
        let changed = match change {
            ListViewChange::Hide(selection) => after.hidden.insert(selection.clone()),
            ListViewChange::Unhide(selection) => after.hidden.remove(selection),
            ListViewChange::ShowAll => !std::mem::take(&mut after.hidden).is_empty(),
            ListViewChange::Open(toolbox) => after.open.insert(toolbox.clone()),
            ListViewChange::Close(toolbox) => after.open.remove(toolbox),
        };
        after.revision += u64::from(changed);
        after
    }

    /// The bytes of all names, URIs and tags.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        let hidden: usize = self.hidden.iter().map(|selection| selection.as_str().len()).sum();
        hidden + self.open.iter().map(|toolbox| toolbox.len()).sum::<usize>()
    }
}

impl ListViewUpdate {
    /// The limit that the change goes beyond: of selections that are hidden, or of toolboxes that are open. What takes
    /// something away goes beyond none.
    #[must_use]
    pub fn beyond(&self, most_hidden: usize, most_open: usize) -> Option<StoreLimit> {
        let Self { before, after } = self;
        let grows = |before: usize, after: usize, most: usize| after > before && after > most;
        if grows(before.hidden.len(), after.hidden.len(), most_hidden) {
            return Some(StoreLimit::Hidden);
        }
        grows(before.open.len(), after.open.len(), most_open).then_some(StoreLimit::OpenToolboxes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_something_makes_a_new_revision() {
        let (tool, tag) = (Selection::tool("a"), Selection::tag("a"));
        let steps = [
            (ListViewChange::ShowAll, 0, 0, 0),
            (ListViewChange::Unhide(tool.clone()), 0, 0, 0),
            (ListViewChange::Hide(tool.clone()), 1, 1, 0),
            (ListViewChange::Hide(tool.clone()), 1, 1, 0),
            (ListViewChange::Hide(tag), 2, 2, 0),
            (ListViewChange::Unhide(tool), 3, 1, 0),
            (ListViewChange::Close("a".into()), 3, 1, 0),
            (ListViewChange::Open("a".into()), 4, 1, 1),
            (ListViewChange::Open("a".into()), 4, 1, 1),
            (ListViewChange::ShowAll, 5, 0, 1),
            (ListViewChange::Close("a".into()), 6, 0, 0),
        ];
        let mut view = ListView::default();
        for (change, revision, hidden, open) in steps {
            view = view.changed_by(&change);
            assert_eq!(
                (view.revision, view.hidden.len(), view.open.len()),
                (revision, hidden, open),
                "{change:?}"
            );
        }
    }

    #[test]
    fn only_what_adds_something_can_go_beyond_a_limit() {
        let view = ListView {
            revision: 0,
            hidden: [Selection::tool("a"), Selection::tool("b")].into(),
            open: ["a".into(), "b".into()].into(),
        };
        let beyond = |change: ListViewChange, hidden, open| {
            ListViewUpdate { before: view.clone(), after: view.changed_by(&change) }.beyond(hidden, open)
        };
        assert_eq!(beyond(ListViewChange::Hide(Selection::tool("c")), 2, 9), Some(StoreLimit::Hidden));
        assert_eq!(beyond(ListViewChange::Hide(Selection::tool("c")), 3, 0), None);
        assert_eq!(beyond(ListViewChange::Hide(Selection::tool("a")), 0, 0), None);
        assert_eq!(beyond(ListViewChange::Open("c".into()), 0, 2), Some(StoreLimit::OpenToolboxes));
        assert_eq!(beyond(ListViewChange::Open("c".into()), 0, 3), None);
        assert_eq!(beyond(ListViewChange::Close("a".into()), 0, 0), None);
    }
}
