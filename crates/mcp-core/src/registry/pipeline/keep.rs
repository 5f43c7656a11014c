//! Steps that keep or leave out what is chosen.

use super::{Step, Which, which::RouterEntry};
use crate::{registry::McpRouter, view::ListedKind};

/// Keeps what is chosen and leaves out everything else of the kinds that the choice is about.
///
/// Callbacks that list resources have no names and no tags: they go when the choice is about resources.
pub fn keep(which: Which) -> Keep {
    Keep(which)
}

/// Leaves out what is chosen.
///
/// What callbacks list has no names and no tags, and stays.
pub fn leave_out(which: Which) -> LeaveOut {
    LeaveOut(which)
}

/// The step that [`keep`] makes.
#[derive(Clone, Debug)]
#[must_use]
pub struct Keep(Which);

/// The step that [`leave_out`] makes.
#[derive(Clone, Debug)]
#[must_use]
pub struct LeaveOut(Which);

impl<S> Step<S> for Keep {
    fn apply(self, mut router: McpRouter<S>) -> McpRouter<S> {
        note_missing(&self.0, "keep", &mut router);
        if self.0.is_about(ListedKind::Resource) {
            router.listings.clear();
        }
        retain(router, |entry| !self.0.is_about(entry.kind()) || self.0.picks(entry))
    }
}

impl<S> Step<S> for LeaveOut {
    fn apply(self, mut router: McpRouter<S>) -> McpRouter<S> {
        note_missing(&self.0, "leave_out", &mut router);
        retain(router, |entry| !self.0.picks(entry))
    }
}

/// Notes names that a step asks for and that are not there.
pub(super) fn note_missing<S>(which: &Which, step: &str, router: &mut McpRouter<S>) {
    let mut faults = std::mem::take(&mut router.faults);
    which.note_missing(step, router, &mut faults);
    router.faults = faults;
}

fn retain<S>(mut router: McpRouter<S>, stays: impl Fn(&RouterEntry<'_>) -> bool) -> McpRouter<S> {
    router.tools.retain(|(name, tool)| stays(&RouterEntry::of_tool(name, tool)));
    router.resources.retain(|(uri, resource)| stays(&RouterEntry::of_resource(uri, resource)));
    router.prompts.retain(|(name, prompt)| stays(&RouterEntry::of_prompt(name, prompt)));
    router
}
