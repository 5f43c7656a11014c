//! Progress reports to the client.

use super::Extract;
use crate::{context::Context, handler::Request, lower, version::Feature};
use std::convert::Infallible;

/// Reports progress to a client that asked for it.
///
/// Reporting never waits. Values must grow; one that does not, and NaN or infinity, is ignored, and
/// so is everything after the reply. Without a progress token nothing is sent.
///
/// A handler may report as often as it likes: `limits.progress_burst` reports go out at once, then one at each
/// `limits.progress_interval`. Of those between, the newest is sent when its time comes, and the last one before the
/// reply.
///
/// Spec: 2026-07-28, basic/patterns/progress.
#[derive(Clone, Debug)]
pub struct Progress(Context);

impl Progress {
    /// Reports how much is done, in the tool's own unit, and how much there is in all, when that is known.
    pub fn report(&self, done: f64, total: impl Into<Option<f64>>) {
        self.send(done, total.into(), None);
    }

    /// Reports progress with a sentence for people; clients of 2024-11-05 get it without.
    pub fn report_with(&self, done: f64, total: impl Into<Option<f64>>, message: &str) {
        self.send(done, total.into(), Some(message));
    }

    /// Tells whether the client asked for progress.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.0.0.caller.progress_token.is_some()
    }

    fn send(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let Some(token) = &self.0.0.caller.progress_token else { return };
        // A sentence that could not go out is not even written.
        let fits = |text: &&str| text.len() <= self.0.limits().notification_bytes;
        let message = message.filter(fits).filter(|_| self.0.version().has(Feature::ProgressMessage));
        let task = self.0.related_task();
        self.0.report_progress(done, || lower::progress(token, done, total, message, task.as_ref()));
    }
}

impl From<&Context> for Progress {
    /// That of the call: for what serves a call in another way than as a handler, such as a route of an application.
    fn from(context: &Context) -> Self {
        Self(context.clone())
    }
}

impl<R: Request, S: Sync> Extract<R, S> for Progress {
    type Rejection = Infallible;

    async fn extract(request: &R, _: &S) -> Result<Self, Infallible> {
        Ok(Self(request.context().clone()))
    }
}
