//! Whose turn it is: an ask may be polled within its own handler's poll and nowhere else.

use crate::context::Context;
use std::{cell::Cell, sync::Arc};

thread_local! {
    /// The call whose handler is being polled on this thread, by the address of its scope.
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

/// While it is there, the handler of a call is being polled on this thread.
#[derive(Debug)]
pub(crate) struct Turn {
    before: usize,
}

impl Turn {
    pub(crate) fn begin(context: &Context) -> Self {
        Self { before: CURRENT.replace(address(context)) }
    }

    /// Tells whether the handler of this call is being polled here.
    pub(super) fn is_of(context: &Context) -> bool {
        CURRENT.get() == address(context)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        CURRENT.set(self.before);
    }
}

fn address(context: &Context) -> usize {
    Arc::as_ptr(&context.0).addr()
}
