//! Handlers of axum whose types tell what they read and answer with.

use super::{DescribeInput, DescribeOutput, Inputs, Output};
use axum::handler::Handler;
use std::future::Future;

/// An axum handler whose parameters and result describe themselves; never implemented by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not describe what it reads and returns",
    note = "each parameter implements `DescribeInput` (an extractor of your own: `impl DescribeInput for MyExtractor {{}}`), the result `DescribeOutput`; types in `Path`, `Query`, `Json` and `Form` derive `schemars::JsonSchema`",
    note = "in place of `impl IntoResponse` name the type, such as `Json<T>` or `Response`; a handler that cannot describe itself is exposed with `by_hand` and described there",
    note = "to see which parameter is refused, write `const _: () = mcp_server::routes::parameter::<TheParameter>();`, and of the result `const _: () = mcp_server::routes::result::<TheResult>();`",
    note = "if both are taken, axum refuses the handler: `#[axum::debug_handler]` (axum's feature `macros`) says why"
)]
pub trait DescribedHandler<T, S>: Handler<T, S> {
    /// What the parameters read.
    fn inputs() -> Inputs;

    /// What the result is.
    fn output() -> Output;
}

impl<F, Fut, Out, S> DescribedHandler<((),), S> for F
where
    F: FnOnce() -> Fut + Handler<((),), S>,
    Fut: Future<Output = Out>,
    Out: DescribeOutput,
{
    fn inputs() -> Inputs {
        Inputs::default()
    }

    fn output() -> Output {
        Out::output()
    }
}

macro_rules! described {
    ($($P:ident),+) => {
        impl<F, Fut, Out, S, M, $($P,)+> DescribedHandler<(M, $($P,)+), S> for F
        where
            F: FnOnce($($P,)+) -> Fut + Handler<(M, $($P,)+), S>,
            Fut: Future<Output = Out>,
            Out: DescribeOutput,
            $($P: DescribeInput,)+
        {
            fn inputs() -> Inputs {
                let mut inputs = Inputs::default();
                $($P::describe(&mut inputs);)+
                inputs
            }

            fn output() -> Output {
                Out::output()
            }
        }
    };
}

described!(A);
described!(A, B);
described!(A, B, C);
described!(A, B, C, D);
described!(A, B, C, D, E);
described!(A, B, C, D, E, G);
described!(A, B, C, D, E, G, H);
described!(A, B, C, D, E, G, H, I);
