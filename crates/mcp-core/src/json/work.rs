//! How much work explaining a value's faults may be.

use super::document::Node;
use std::sync::atomic::{AtomicU32, Ordering};

/// How much may still be looked at to explain what is wrong with a value.
///
/// jsonschema cannot be stopped while it collects faults, but it follows nothing into a value that is
/// a text: once the work is used up, every part looks like one, and the end is near.
#[derive(Debug)]
pub(super) struct Work(AtomicU32);

/// Looks at parts of any value, however small.
const LEAST_LOOKS: u32 = 20_000;

/// Looks at parts for each value in a document.
const LOOKS_PER_VALUE: u32 = 16;

impl Work {
    pub(super) fn for_value(node: Node<'_>) -> Self {
        let values = LOOKS_PER_VALUE.saturating_mul(count_values(node));
        Self(AtomicU32::new(LEAST_LOOKS.saturating_add(values)))
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// Takes a look; `false` when none is left.
    pub(super) fn look(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed).saturating_sub(1);
        self.0.store(left, Ordering::Relaxed);
        left > 0
    }
}

/// Counts the values in a value, itself included.
fn count_values(node: Node<'_>) -> u32 {
    let elements = node.elements().map(count_values);
    elements.chain(node.members().map(|(_, member)| count_values(member))).fold(1, u32::saturating_add)
}
