//! What a catalogue remembers of those before it, so that a walk through the pages of a list outlives changes.

use crate::lower::ListKind;
use std::{collections::VecDeque, sync::Arc};

/// The digest of what a catalogue lists.
pub(crate) type Digest = [u8; 32];

/// When the entries of each list were registered, list by list.
#[derive(Clone, Debug)]
pub(crate) struct Births([Arc<[u64]>; 4]);

impl Births {
    pub(crate) fn new(
        tools: &Arc<[u64]>,
        resources: &Arc<[u64]>,
        templates: &Arc<[u64]>,
        prompts: &Arc<[u64]>,
    ) -> Self {
        Self([tools, resources, templates, prompts].map(Arc::clone))
    }

    fn of(&self, kind: ListKind) -> &[u64] {
        let [tools, resources, templates, prompts] = &self.0;
        match kind {
            ListKind::Tools => tools,
            ListKind::Resources => resources,
            ListKind::Templates => templates,
            ListKind::Prompts => prompts,
        }
    }
}

/// The catalogues before this one, newest first, as far as they are remembered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Earlier(VecDeque<(Digest, Births)>);

impl Earlier {
    /// Remembers one more; the oldest are forgotten beyond `most`.
    pub(crate) fn push(&mut self, digest: Digest, births: Births, most: usize) {
        self.0.retain(|(known, _)| *known != digest);
        self.0.push_front((digest, births));
        self.0.truncate(most);
    }

    /// Where a walk goes on in the list of `now` that had passed `passed` entries in the list of an earlier catalogue.
    ///
    /// Entries keep their order and new ones come last, so nothing that was there all the time is skipped or doubled.
    /// `None` when that catalogue is not remembered.
    pub(crate) fn resume(&self, kind: ListKind, digest: &[u8], passed: usize, now: &Births) -> Option<usize> {
        let (_, births) = self.0.iter().find(|(known, _)| known.starts_with(digest))?;
        let Some(last) = passed.checked_sub(1) else { return Some(0) };
        let last = births.of(kind).get(last)?;
        Some(now.of(kind).partition_point(|born| born <= last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn births(tools: &[u64]) -> Births {
        let none: Arc<[u64]> = Arc::default();
        Births::new(&tools.into(), &none, &none, &none)
    }

    #[test]
    fn a_walk_goes_on_behind_what_it_has_passed() {
        let mut earlier = Earlier::default();
        earlier.push([1; 32], births(&[1, 2, 3, 4]), 2);
        let resume = |passed, now: &[u64]| earlier.resume(ListKind::Tools, &[1; 16], passed, &births(now));
        assert_eq!(resume(2, &[1, 2, 3, 4]), Some(2));
        assert_eq!(resume(2, &[2, 3, 4, 5]), Some(1), "one before was removed");
        assert_eq!(resume(2, &[1, 3, 4, 5]), Some(1), "the last one was removed");
        assert_eq!(resume(2, &[1, 3, 4, 6]), Some(1), "the last one was removed and added again");
        assert_eq!(resume(4, &[7]), Some(0), "everything was replaced");
        assert_eq!(resume(2, &[]), Some(0));
        assert_eq!(resume(0, &[1, 2]), Some(0));
        assert_eq!(resume(5, &[1, 2]), None, "it had no five entries");
        assert_eq!(earlier.resume(ListKind::Tools, &[2; 16], 1, &births(&[1])), None);
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut earlier = Earlier::default();
        for number in [1, 2, 1, 3] {
            earlier.push([number; 32], births(&[1]), 2);
        }
        let known = [1, 2, 3]
            .map(|number| earlier.resume(ListKind::Tools, &[number; 16], 1, &births(&[1])).is_some());
        assert_eq!(known, [true, false, true]);
    }
}
