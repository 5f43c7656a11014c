//! Values a handler may take as parameters, in any order.
//!
//! Everything here borrows the request, so no parameter uses it up for another one. Names are chosen to
//! stand beside axum's in one file: [`App`] and not `State`, [`Vars`] and not `Path`.

mod app;
mod args;
mod attached;
mod cancelled;
mod client;
mod completion;
mod dependency;
mod log;
mod principal;
mod progress;
mod scratch;
mod vars;

pub use app::{App, FromRef};
pub use args::Args;
pub use attached::Attached;
pub use cancelled::Cancelled;
pub use client::Client;
pub use completion::{Siblings, Typed};
pub use dependency::{Dep, Dependency};
pub use log::Log;
pub use principal::Anonymous;
pub use progress::Progress;
pub use scratch::CallState;
pub use vars::Vars;

pub(crate) use args::argument;

use crate::{
    context::Context,
    handler::{IntoReply, Request},
    schema::InputSchema,
};
use std::{convert::Infallible, future::Future};

/// A handler parameter for requests of kind `R` in an application with state `S`.
///
/// Implement it for your own types to inject what handlers need; what is injected never shows in
/// a published schema unless [`Extract::describe`] says so.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter that a handler of `{R}` requests can take",
    note = "take arguments as `Args<T>`, template variables as `Vars<T>`, application state as `App<T>`, the call's context as `Context`"
)]
pub trait Extract<R: Request, S>: Sized + Send {
    /// What the caller gets when the value cannot be had.
    type Rejection: IntoReply<R> + Send;

    /// Whether the value can only be used by awaiting it in the handler, which a blocking function cannot.
    const WAITS: bool = false;

    /// Takes the value from the request.
    ///
    /// Dropped when the call is cancelled; must be cancel-safe like any future.
    fn extract(request: &R, state: &S) -> impl Future<Output = Result<Self, Self::Rejection>> + Send;

    /// Adds what the value reads from the arguments to the input schema.
    fn describe(inputs: &mut InputSchema) {
        let _ = inputs;
    }
}

/// Names the parameter at fault when a handler is refused:
/// `const _: () = parameter::<ToolCall, MyState, TheParameter>();`
pub const fn parameter<R: Request, S, T: Extract<R, S>>() {}

impl<R: Request, S: Sync> Extract<R, S> for Context {
    type Rejection = Infallible;

    async fn extract(request: &R, _: &S) -> Result<Self, Infallible> {
        Ok(request.context().clone())
    }
}
