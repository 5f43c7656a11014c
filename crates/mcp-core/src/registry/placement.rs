//! Where an entry stands when a catalogue is not listed whole.

/// Whether an entry is listed where others are found by search or in toolboxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Root {
    /// Nobody said: what hosts need to see in the list is, everything else is not.
    #[default]
    Unsaid,
    /// It is always listed.
    Yes,
    /// It is never listed for its kind alone.
    No,
}

/// Where an entry stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    pub(crate) root: Root,
    /// The toolbox it is in, by name.
    pub(crate) toolbox: Option<Box<str>>,
}

impl Placement {
    /// Tells whether the entry is always listed; `unsaid` is what holds where nobody said.
    #[expect(dead_code, reason = "no presentation asks yet")]
    pub(crate) fn is_root(&self, unsaid: bool) -> bool {
        match self.root {
            Root::Unsaid => unsaid,
            Root::Yes => true,
            Root::No => false,
        }
    }
}
