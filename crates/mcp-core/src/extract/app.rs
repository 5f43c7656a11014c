//! Application state.

use super::Extract;
use crate::handler::Request;
use std::convert::Infallible;

/// The application's state, or a part of it, cloned for the call.
///
/// Give the state with [`McpRouter::with_state`](crate::registry::McpRouter::with_state).
#[derive(Clone, Copy, Debug)]
pub struct App<T>(pub T);

/// A part that can be taken from the state `S`.
pub trait FromRef<S> {
    /// Takes the part, by cloning it.
    fn from_ref(state: &S) -> Self;
}

impl<S: Clone> FromRef<S> for S {
    fn from_ref(state: &S) -> S {
        state.clone()
    }
}

impl<R: Request, S: Sync, T: FromRef<S> + Send> Extract<R, S> for App<T> {
    type Rejection = Infallible;

    async fn extract(_: &R, state: &S) -> Result<Self, Infallible> {
        Ok(Self(T::from_ref(state)))
    }
}
