//! One step of a pipeline.

use crate::registry::McpRouter;

/// A step of a pipeline: takes a router and gives another.
///
/// Everything that can be done to a router can be a step, and closures are steps. What cannot be done is noted with
/// [`McpRouter::fault`], and told when the server is built.
///
/// ```
/// use mcp_core::registry::{McpRouter, Step, keep, Which};
///
/// /// What the public sees of any service.
/// struct Public;
///
/// impl<S: Send + Sync + 'static> Step<S> for Public {
///     fn apply(self, router: McpRouter<S>) -> McpRouter<S> {
///         router.through(keep(Which::tagged("public"))).tag("listed")
///     }
/// }
///
/// let router = McpRouter::<()>::new().through(Public).through(|router: McpRouter| router.tag("today"));
/// # let _ = router;
/// ```
pub trait Step<S> {
    /// Applies the step.
    fn apply(self, router: McpRouter<S>) -> McpRouter<S>;

    /// This step, and another after it.
    fn then<N: Step<S>>(self, next: N) -> Then<Self, N>
    where
        Self: Sized,
    {
        Then(self, next)
    }
}

/// Two steps, one after the other; made by [`Step::then`].
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Then<A, B>(A, B);

impl<S, A: Step<S>, B: Step<S>> Step<S> for Then<A, B> {
    fn apply(self, router: McpRouter<S>) -> McpRouter<S> {
        self.1.apply(self.0.apply(router))
    }
}

impl<S, F: FnOnce(McpRouter<S>) -> McpRouter<S>> Step<S> for F {
    fn apply(self, router: McpRouter<S>) -> McpRouter<S> {
        self(router)
    }
}
