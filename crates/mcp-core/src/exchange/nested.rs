//! A tool that runs within another call: the same bounds, and a result in place of a reply.

use super::{
    clock::{Clock, Expiry},
    close::close_dependencies,
    finish,
};
use crate::{
    context::Context as CallContext,
    handler::{ReplyFuture, ToolCall},
    protocol::CallToolResult,
    registry::ToolEntry,
};
use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    task::Poll,
};

/// Runs a tool's handler to its end, or to the end of its time. Its panic costs its own call only.
///
/// Its dependencies are closed before its result is there. Dropped before, it leaves them to the outermost call.
pub(crate) async fn run_within(
    context: CallContext,
    future: ReplyFuture<ToolCall>,
    tool: Arc<ToolEntry>,
) -> CallToolResult {
    let leaving = Leaving(context);
    let context = &leaving.0;
    let mut clock = Clock::new(context, tool.definition.time);
    let mut running = Some(future);
    let result = poll_fn(|task| {
        let Some(future) = &mut running else { return Poll::Ready(finish::panicked_for_model()) };
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(task))) {
            Ok(Poll::Ready(result)) => Poll::Ready(finish::for_model(context, &tool, result)),
            Ok(Poll::Pending) => match clock.poll(context, task) {
                Poll::Ready(Expiry::Timeout { after, setting }) => {
                    tracing::warn!(target = context.target(), ?after, setting, "a tool took too long");
                    Poll::Ready(CallToolResult::error(finish::timed_out_text(after, setting)))
                }
                // The request's own deadline is watched where the request is served.
                Poll::Ready(Expiry::Deadline) | Poll::Pending => Poll::Pending,
            },
            Err(_) => {
                tracing::error!(target = context.target(), "a handler panicked");
                Poll::Ready(finish::panicked_for_model())
            }
        }
    })
    .await;
    // The handler's future goes first: it may still use what is closed next.
    let given_up = running.take();
    if catch_unwind(AssertUnwindSafe(|| drop(given_up))).is_err() {
        tracing::error!(target = context.target(), "a handler that was given up panicked in a drop");
    }
    if let Some(closing) = close_dependencies(context) {
        closing.await;
    }
    result
}

/// Whatever becomes of a call within another, what it opened is closed.
struct Leaving(CallContext);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.leave_teardown();
    }
}
