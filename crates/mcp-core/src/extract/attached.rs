//! What the transport attached to the call.

use super::Extract;
use crate::handler::{ProtocolError, Request};
use std::sync::Arc;

/// A value the transport attached to the call, by type and shared; the HTTP transport attaches the head of
/// the HTTP request.
///
/// A call over another transport is refused; take `Option<Attached<T>>` to serve it all the same.
#[derive(Debug)]
pub struct Attached<T>(pub Arc<T>);

impl<T> Clone for Attached<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<R: Request, S: Sync, T: Send + Sync + 'static> Extract<R, S> for Attached<T> {
    type Rejection = ProtocolError;

    async fn extract(request: &R, _: &S) -> Result<Self, ProtocolError> {
        match request.context().attachment::<T>() {
            Some(value) => Ok(Self(value)),
            None => Err(ProtocolError::internal().caused_by(NotAttached(std::any::type_name::<T>()))),
        }
    }
}

impl<R: Request, S: Sync, T: Send + Sync + 'static> Extract<R, S> for Option<Attached<T>> {
    type Rejection = std::convert::Infallible;

    async fn extract(request: &R, _: &S) -> Result<Self, std::convert::Infallible> {
        Ok(request.context().attachment::<T>().map(Attached))
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the transport attached no `{0}` to the call")]
struct NotAttached(&'static str);
