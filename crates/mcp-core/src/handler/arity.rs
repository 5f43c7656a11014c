//! Async functions of up to eight parameters as handlers.

use super::{IntoReply, ReplyFuture, Request};
use crate::{
    extract::Extract,
    schema::{InputSchema, OutputSchema},
};
use std::{future::Future, sync::Arc};

/// An async function that serves requests of kind `R`; never implemented by hand.
///
/// `P` is the tuple of its parameters; it keeps the implementations apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a handler of `{R}` requests",
    note = "a handler is an `async fn` (or a closure returning a future) of up to eight parameters; each parameter implements `Extract`, the result implements `IntoReply`",
    note = "a plain function becomes a handler with `blocking(…)`",
    note = "to see which parameter is refused, write `const _: () = parameter::<ToolCall, MyState, TheParameter>();`, with `parameter` from the crate that has `Extract`",
    note = "to see whether the result is refused, write `const _: () = result::<ToolCall, TheResult>();`, with `result` from the crate that has `IntoReply`"
)]
pub trait Handler<R: Request, S, P>: Clone + Send + Sync + 'static {
    /// Starts a call; nothing runs before the future is polled.
    fn call(&self, request: R, state: &Arc<S>) -> ReplyFuture<R>;

    /// Collects what the parameters read from the arguments.
    fn describe(&self, inputs: &mut InputSchema);

    /// The schema of the structured output, when the result type has one.
    fn output_schema(&self) -> Option<OutputSchema>;
}

macro_rules! handler {
    ($($P:ident),*) => {
        impl<R, S, F, Fut, Out, $($P,)*> Handler<R, S, ($($P,)*)> for F
        where
            R: Request,
            S: Send + Sync + 'static,
            F: Fn($($P,)*) -> Fut + Clone + Send + Sync + 'static,
            Fut: Future<Output = Out> + Send,
            Out: IntoReply<R>,
            $($P: Extract<R, S>,)*
        {
            #[allow(non_snake_case, unused_variables, clippy::allow_attributes, reason = "type names double as variable names; a handler may have no parameters")]
            fn call(&self, request: R, state: &Arc<S>) -> ReplyFuture<R> {
                let handler = self.clone();
                let state = Arc::clone(state);
                Box::pin(async move {
                    $(
                        let $P = match $P::extract(&request, &state).await {
                            Ok(value) => value,
                            Err(rejection) => return rejection.into_reply(request.context()),
                        };
                    )*
                    handler($($P,)*).await.into_reply(request.context())
                })
            }

            #[allow(unused_variables, clippy::allow_attributes, reason = "a handler may have no parameters")]
            fn describe(&self, inputs: &mut InputSchema) {
                $($P::describe(inputs);)*
            }

            fn output_schema(&self) -> Option<OutputSchema> {
                Out::output_schema()
            }
        }
    };
}

handler!();
handler!(A);
handler!(A, B);
handler!(A, B, C);
handler!(A, B, C, D);
handler!(A, B, C, D, E);
handler!(A, B, C, D, E, G);
handler!(A, B, C, D, E, G, H);
handler!(A, B, C, D, E, G, H, I);
