//! State of one call as a parameter.

use super::Extract;
use crate::handler::Request;
use std::convert::Infallible;

/// The call's own value of type `T`, made with `Default` when it is first asked for.
///
/// One store serves extractors and the handler; it is empty at each call. Share changes through a
/// type with inner mutability behind an `Arc`.
#[derive(Clone, Copy, Debug)]
pub struct CallState<T>(pub T);

impl<R: Request, S: Sync, T: Clone + Default + Send + Sync + 'static> Extract<R, S> for CallState<T> {
    type Rejection = Infallible;

    async fn extract(request: &R, _: &S) -> Result<Self, Infallible> {
        let context = request.context();
        if let Some(value) = context.scratch::<T>() {
            return Ok(Self(value));
        }
        let value = T::default();
        context.put_scratch(value.clone());
        Ok(Self(value))
    }
}
