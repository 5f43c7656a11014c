//! One step of a pipeline.

use crate::registry::McpRouter;

/// A step of a pipeline: takes a router and gives another.
///
/// Everything that can be done to a router can be a step. A function of a router is one, so several steps are put
/// together by `fn public(router: McpRouter) -> McpRouter { router.through(one).through(other) }`. What cannot be done is noted with
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
}

impl<S, F: FnOnce(McpRouter<S>) -> McpRouter<S>> Step<S> for F {
    fn apply(self, router: McpRouter<S>) -> McpRouter<S> {
        self(router)
    }
}
