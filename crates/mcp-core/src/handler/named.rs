//! Tools whose argument names are given at registration and whose types come from the signature.

use super::{Handler, IntoReply, ReplyFuture, ToolCall};
use crate::{
    extract::{Extract, argument},
    schema::{InputSchema, OutputSchema},
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::{future::Future, sync::Arc};

/// A function together with the names of its first `N` parameters; made by
/// [`tool_args`](crate::registry::tool_args).
#[derive(Clone, Copy, Debug)]
pub struct Named<const N: usize, F> {
    names: [&'static str; N],
    function: F,
}

impl<const N: usize, F> Named<N, F> {
    pub(crate) fn new(names: [&'static str; N], function: F) -> Self {
        Self { names, function }
    }
}

/// A function of `N` named arguments followed by extractors; never implemented by hand.
///
/// `M` keeps the implementations apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function of {N} named arguments",
    note = "give as many names as the function has leading argument types (at most eight), each `DeserializeOwned + JsonSchema`; up to four extractors may follow",
    note = "the function is an `async fn`; a plain one becomes a tool with `tool(blocking(f))` and takes its arguments in `Args<T>`",
    note = "the result implements `IntoReply`: text, a number, `Structured<T>` with `T: Serialize + JsonSchema`, or a `Result` of these with `ToolError`"
)]
pub trait NamedHandler<const N: usize, M, S>: Clone + Send + Sync + 'static {
    /// Starts a call.
    fn call_named(&self, names: [&'static str; N], call: ToolCall, state: &Arc<S>) -> ReplyFuture<ToolCall>;

    /// Adds the arguments, and what the extractors read, to the input schema.
    fn describe_named(names: [&'static str; N], inputs: &mut InputSchema);

    /// The schema of the structured output, when the result type has one.
    fn output_schema_named() -> Option<OutputSchema>;
}

/// Keeps the implementation for [`Named`] apart from the one for plain functions.
#[derive(Debug)]
pub struct NamedParameters<M>(std::marker::PhantomData<M>);

impl<const N: usize, M, S, F> Handler<ToolCall, S, NamedParameters<M>> for Named<N, F>
where
    S: Send + Sync + 'static,
    F: NamedHandler<N, M, S>,
{
    fn call(&self, request: ToolCall, state: &Arc<S>) -> ReplyFuture<ToolCall> {
        self.function.call_named(self.names, request, state)
    }

    fn describe(&self, inputs: &mut InputSchema) {
        F::describe_named(self.names, inputs);
    }

    fn output_schema(&self) -> Option<OutputSchema> {
        F::output_schema_named()
    }
}

macro_rules! named {
    ($count:literal: $($name:ident $argument:ident),*; $($extractor:ident),*) => {
        impl<S, F, Fut, Out, $($argument,)* $($extractor,)*> NamedHandler<$count, (($($argument,)*), ($($extractor,)*)), S> for F
        where
            S: Send + Sync + 'static,
            F: Fn($($argument,)* $($extractor,)*) -> Fut + Clone + Send + Sync + 'static,
            Fut: Future<Output = Out> + Send,
            Out: IntoReply<ToolCall>,
            $($argument: DeserializeOwned + JsonSchema + Send,)*
            $($extractor: Extract<ToolCall, S>,)*
        {
            #[expect(non_snake_case, reason = "type names double as variable names")]
            #[allow(unused_variables, clippy::allow_attributes, reason = "not every arity has extractors")]
            fn call_named(&self, names: [&'static str; $count], call: ToolCall, state: &Arc<S>) -> ReplyFuture<ToolCall> {
                let function = self.clone();
                let state = Arc::clone(state);
                Box::pin(async move {
                    let [$($name),*] = names;
                    $(
                        let $argument: $argument = match argument(&call, $name) {
                            Ok(value) => value,
                            Err(error) => return Err(error),
                        };
                    )*
                    $(
                        let $extractor = match $extractor::extract(&call, &state).await {
                            Ok(value) => value,
                            Err(rejection) => return rejection.into_reply(&call.context),
                        };
                    )*
                    function($($argument,)* $($extractor,)*).await.into_reply(&call.context)
                })
            }

            fn describe_named(names: [&'static str; $count], inputs: &mut InputSchema) {
                let [$($name),*] = names;
                $(inputs.add_argument_of::<$argument>($name);)*
                $($extractor::describe(inputs);)*
            }

            fn output_schema_named() -> Option<OutputSchema> {
                Out::output_schema()
            }
        }
    };
}

macro_rules! named_with_extractors {
    ($count:literal: $($name:ident $argument:ident),*) => {
        named!($count: $($name $argument),*; );
        named!($count: $($name $argument),*; E1);
        named!($count: $($name $argument),*; E1, E2);
        named!($count: $($name $argument),*; E1, E2, E3);
        named!($count: $($name $argument),*; E1, E2, E3, E4);
    };
}

named_with_extractors!(1: a A1);
named_with_extractors!(2: a A1, b A2);
named_with_extractors!(3: a A1, b A2, c A3);
named_with_extractors!(4: a A1, b A2, c A3, d A4);
named_with_extractors!(5: a A1, b A2, c A3, d A4, e A5);
named_with_extractors!(6: a A1, b A2, c A3, d A4, e A5, f A6);
named_with_extractors!(7: a A1, b A2, c A3, d A4, e A5, f A6, g A7);
named_with_extractors!(8: a A1, b A2, c A3, d A4, e A5, f A6, g A7, h A8);
