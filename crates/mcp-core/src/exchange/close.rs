//! The end of what a call opened.

use crate::{context::Context, ports::BoxFuture};
use futures_util::{
    FutureExt as _,
    future::{Either, select},
};
use std::{panic::AssertUnwindSafe, sync::PoisonError};

/// Closes the call's dependencies, last opened first, within `limits.teardown`.
pub(super) fn close_dependencies(context: &Context) -> Option<BoxFuture<()>> {
    let scope = &context.0;
    let open = std::mem::take(&mut *scope.teardown.lock().unwrap_or_else(PoisonError::into_inner));
    if open.is_empty() {
        return None;
    }
    let runtime = scope.server.runtime();
    let deadline = runtime.sleep_until(runtime.now() + scope.server.limits().teardown);
    Some(Box::pin(async move {
        let all = Box::pin(async move {
            for closing in open.into_iter().rev() {
                if AssertUnwindSafe(closing).catch_unwind().await.is_err() {
                    tracing::error!("a dependency panicked while it was closed");
                }
            }
        });
        if let Either::Right(_) = select(all, deadline).await {
            tracing::warn!("a call's dependencies did not close in time (setting: limits.teardown)");
        }
    }))
}
