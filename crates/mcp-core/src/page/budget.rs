//! What one page may still cost.

/// How many entries are looked at for each one that a page may hold.
const EXAMINED_PER_ENTRY: usize = 4;

/// A page ends when it is full, or when enough entries were looked at that are not for this caller.
///
/// The second bounds how many decisions one request can ask of a policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    to_show: usize,
    to_examine: usize,
}

impl Budget {
    /// The budget of a page of this size; without a size there is one page for everything.
    pub(crate) fn of(page_size: Option<usize>) -> Self {
        let to_show = page_size.unwrap_or(usize::MAX);
        Self { to_show, to_examine: to_show.saturating_mul(EXAMINED_PER_ENTRY) }
    }

    /// Tells whether the page ends before the next entry.
    pub(crate) fn is_spent(&self) -> bool {
        self.to_show == 0 || self.to_examine == 0
    }

    /// An entry was looked at.
    pub(crate) fn examined(&mut self) {
        self.to_examine -= 1;
    }

    /// An entry goes into the page.
    pub(crate) fn shown(&mut self) {
        self.to_show -= 1;
    }
}
