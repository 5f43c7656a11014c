//! Whether anybody still waits for the call.

use super::Extract;
use crate::{context::Context, handler::Request};
use std::convert::Infallible;

/// Tells work that was started elsewhere, or that blocks a thread, that the call is cancelled.
///
/// An async handler needs it rarely: its future is dropped at its next `await`.
#[derive(Clone, Debug)]
pub struct Cancelled(Context);

impl Cancelled {
    /// Tells whether the call is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.root().0.cancelled.is_set()
    }

    /// Completes when the call is cancelled; never when it ends well. Cancel-safe.
    pub async fn cancelled(&self) {
        self.0.root().0.cancelled.wait().await;
    }
}

impl<R: Request, S: Sync> Extract<R, S> for Cancelled {
    type Rejection = Infallible;

    async fn extract(request: &R, _: &S) -> Result<Self, Infallible> {
        Ok(Self(request.context().clone()))
    }
}
