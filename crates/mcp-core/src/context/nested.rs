//! Calls that run within another call, for its caller and on its stream.

use super::{Cancellation, Context, Outbox, scope::Scope};
use crate::{jsonrpc::IncomingRequest, protocol::Method, task::TaskSlot};
use std::sync::{Arc, PoisonError, atomic::Ordering};

/// Where a call runs within another.
pub(crate) struct Nested {
    /// The call that a client made.
    root: Context,
    /// Which of the calls within it this is: what stands before the keys of its asks.
    path: Box<str>,
    /// How many calls this one is within.
    depth: u32,
    /// One of those runs a plan.
    in_plan: bool,
}

impl Context {
    /// The context of a call of a tool within this call.
    ///
    /// It has the caller's rights and the catalogue of this call, speaks on its stream and is cancelled with it.
    /// Progress it reports is its own, not that of the call which the client's token belongs to: it goes nowhere.
    pub(crate) fn within(&self, path: &str, request: IncomingRequest) -> Self {
        let outer = &self.0;
        let (root, path) = self.rooted(path);
        let mut caller = outer.caller.clone();
        caller.progress_token = None;
        Self(Arc::new(Scope {
            nested: Some(Nested {
                root: root.clone(),
                path,
                depth: self.depth() + 1,
                in_plan: self.is_in_plan() || outer.runs_plan.load(Ordering::Relaxed),
            }),
            server: outer.server.clone(),
            catalogue: Arc::clone(&outer.catalogue),
            // The outermost call's are used in their place.
            outbox: Outbox::new(0, 0),
            cancelled: Cancellation::default(),
            task: TaskSlot::default(),
            pace: Default::default(),
            asks: Default::default(),
            scratch: Default::default(),
            teardown: Default::default(),
            result_meta: Default::default(),
            started: outer.server.runtime().now(),
            overflows: Default::default(),
            runs_plan: Default::default(),
            method: Method::CallTool,
            request,
            caller,
        }))
    }

    /// The call that a client made: this one, or the outermost of those that it runs within.
    pub(crate) fn root(&self) -> &Self {
        self.0.nested.as_ref().map_or(self, |nested| &nested.root)
    }

    /// The outermost call, and a key of this call as it is called there.
    pub(crate) fn rooted(&self, key: &str) -> (&Self, Box<str>) {
        match &self.0.nested {
            None => (self, key.into()),
            Some(nested) => (&nested.root, format!("{}/{key}", nested.path).into()),
        }
    }

    /// How many calls this one runs within.
    pub(crate) fn depth(&self) -> u32 {
        self.0.nested.as_ref().map_or(0, |nested| nested.depth)
    }

    /// Tells whether one of the calls that this one is within runs a plan.
    pub(crate) fn is_in_plan(&self) -> bool {
        self.0.nested.as_ref().is_some_and(|nested| nested.in_plan)
    }

    /// Leaves what a call within another has not closed to the outermost one, which closes it at its end.
    pub(crate) fn leave_teardown(&self) {
        if self.0.nested.is_none() {
            return;
        }
        let left = std::mem::take(&mut *self.0.teardown.lock().unwrap_or_else(PoisonError::into_inner));
        self.root().0.teardown.lock().unwrap_or_else(PoisonError::into_inner).extend(left);
    }
}
