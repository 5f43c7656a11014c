//! Dependencies that live for one call.

use super::Extract;
use crate::{
    context::Context,
    handler::{ProtocolError, Request},
};
use std::{error::Error, future::Future, sync::PoisonError};

/// Something a call opens before its handler and closes after it: a transaction, a lease, a span.
pub trait Dependency<S>: Clone + Send + Sync + Sized + 'static {
    /// Why it could not be opened; goes to the log only.
    type Error: Into<Box<dyn Error + Send + Sync>>;

    /// Opens it, at most once per call.
    fn open(context: &Context, state: &S) -> impl Future<Output = Result<Self, Self::Error>> + Send;

    /// Closes it, exactly once, in the reverse order of opening.
    ///
    /// Runs when the handler has returned, failed or panicked, and when the call was cancelled;
    /// then in the background. In every case `limits.teardown` bounds it.
    fn close(self) -> impl Future<Output = ()> + Send + 'static {
        async {}
    }
}

/// A [`Dependency`] as a parameter; the same one wherever the call asks for it.
#[derive(Clone, Copy, Debug)]
pub struct Dep<T>(pub T);

impl<R: Request, S: Sync, T: Dependency<S>> Extract<R, S> for Dep<T> {
    type Rejection = ProtocolError;

    async fn extract(request: &R, state: &S) -> Result<Self, ProtocolError> {
        let context = request.context();
        if let Some(open) = context.scratch::<T>() {
            return Ok(Self(open));
        }
        let opened =
            T::open(context, state).await.map_err(|error| ProtocolError::internal().caused_by(error))?;
        context.put_scratch(opened.clone());
        // `close` is asked for at the end: what it does before its future is polled must not happen now.
        let closing = opened.clone();
        let mut teardown = context.0.teardown.lock().unwrap_or_else(PoisonError::into_inner);
        teardown.push(Box::pin(async move { closing.close().await }));
        drop(teardown);
        Ok(Self(opened))
    }
}
