//! The authenticated caller as a parameter.

use super::Extract;
use crate::{
    handler::{IntoFailure, IntoReply, ProtocolError, Request},
    principal::Principal,
};
use std::{convert::Infallible, sync::Arc};

/// The refusal of a call that needs an authenticated caller and has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Anonymous;

impl<R: Request> IntoReply<R> for Anonymous {
    fn into_reply(self, _: &crate::context::Context) -> R::Reply {
        R::refused(ProtocolError::forbidden(Vec::<Box<str>>::new()))
    }
}

impl<R: Request> IntoFailure<R> for Anonymous {
    fn into_failure(self, context: &crate::context::Context) -> R::Reply {
        IntoReply::<R>::into_reply(self, context)
    }
}

impl<R: Request, S: Sync> Extract<R, S> for Arc<Principal> {
    type Rejection = Anonymous;

    async fn extract(request: &R, _: &S) -> Result<Self, Anonymous> {
        request.context().principal().cloned().ok_or(Anonymous)
    }
}

impl<R: Request, S: Sync> Extract<R, S> for Option<Arc<Principal>> {
    type Rejection = Infallible;

    async fn extract(request: &R, _: &S) -> Result<Self, Infallible> {
        Ok(request.context().principal().cloned())
    }
}
