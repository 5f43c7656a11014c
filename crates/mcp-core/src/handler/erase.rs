//! From typed handlers to one shape per kind of request.

use super::{Handler, ReplyFuture, Request};
use std::sync::Arc;

/// A handler with its state applied.
pub(crate) type Erased<R> = Arc<dyn Fn(R) -> ReplyFuture<R> + Send + Sync>;

/// A handler that waits for its state.
pub(crate) type Binder<R, S> = Box<dyn FnOnce(Arc<S>) -> Erased<R> + Send + Sync>;

/// Erases a handler's type; its state is applied later.
pub(crate) fn bind<R: Request, S: Send + Sync + 'static, P, H: Handler<R, S, P>>(handler: H) -> Binder<R, S> {
    Box::new(move |state| Arc::new(move |request| handler.call(request, &state)))
}

/// A handler that waits for its state, and may be given it more than once.
pub(crate) type SharedBinder<R, S> = Arc<dyn Fn(Arc<S>) -> Erased<R> + Send + Sync>;

/// Erases a handler's type; its state is applied later, perhaps for several tools that share it.
pub(crate) fn bind_shared<R: Request, S: Send + Sync + 'static, P, H: Handler<R, S, P>>(
    handler: H,
) -> SharedBinder<R, S> {
    Arc::new(move |state| {
        let handler = handler.clone();
        Arc::new(move |request| handler.call(request, &state))
    })
}
