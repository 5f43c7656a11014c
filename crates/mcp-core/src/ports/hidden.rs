//! What a connection does not want listed.

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

/// What a connection has hidden.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a store that leaves a field out must not compile")]
pub struct Hidden {
    /// Grows with every change, so that whoever holds two copies knows which is the newer one.
    pub revision: u64,
    /// What is hidden.
    pub selections: BTreeSet<Selection>,
}

/// A change of what is hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a store that leaves a change out must not compile")]
pub enum HiddenChange {
    /// Hides something.
    Hide(Selection),
    /// Takes one selection back; what another one hides stays hidden.
    Unhide(Selection),
    /// Takes everything back.
    Reset,
}

/// What was hidden before a change, and what is after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a change has a before and an after")]
pub struct HiddenUpdate {
    /// Before.
    pub before: Hidden,
    /// After; the same as before when nothing had to be changed.
    pub after: Hidden,
}

impl Hidden {
    /// What is hidden after a change, with the next revision if it changes something.
    #[must_use]
    pub fn changed_by(&self, change: &HiddenChange) -> Self {
        let mut selections = self.selections.clone();
        let changed = match change {
            HiddenChange::Hide(selection) => selections.insert(selection.clone()),
            HiddenChange::Unhide(selection) => selections.remove(selection),
            HiddenChange::Reset => !std::mem::take(&mut selections).is_empty(),
        };
        Self { revision: self.revision + u64::from(changed), selections }
    }

    /// The bytes of all names, URIs and tags.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        self.selections.iter().map(|selection| selection.as_str().len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_something_makes_a_new_revision() {
        let (tool, tag) = (Selection::tool("a"), Selection::tag("a"));
        let steps = [
            (HiddenChange::Reset, 0, 0),
            (HiddenChange::Unhide(tool.clone()), 0, 0),
            (HiddenChange::Hide(tool.clone()), 1, 1),
            (HiddenChange::Hide(tool.clone()), 1, 1),
            (HiddenChange::Hide(tag), 2, 2),
            (HiddenChange::Unhide(tool), 3, 1),
            (HiddenChange::Reset, 4, 0),
        ];
        let mut hidden = Hidden::default();
        for (change, revision, count) in steps {
            hidden = hidden.changed_by(&change);
            assert_eq!((hidden.revision, hidden.selections.len()), (revision, count), "{change:?}");
        }
    }
}
