//! Plain functions as handlers: they run off the threads that drive futures.

use super::{Handler, IntoReply, ProtocolError, ReplyFuture, Request};
use crate::{
    extract::Extract,
    schema::{InputSchema, OutputSchema},
};
use async_lock::Semaphore;
use futures_channel::oneshot;
use std::{
    any::Any,
    marker::PhantomData,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Makes a handler of a plain function that may block: it computes for long, or waits for a
/// file, a lock, a database driver without async.
///
/// Works for tools, resources, prompts, completers and listing callbacks. The number of such calls
/// that run at once is bounded by `limits.blocking_calls`, the number that wait by `limits.blocking_queue`.
/// A call that is cancelled while it waits never runs; one that runs finishes, and its result is dropped.
/// It sees the cancellation through [`Cancelled`](crate::extract::Cancelled). It cannot ask the client, so
/// [`Client`](crate::extract::Client) is none of its parameters; that is refused when it is compiled.
#[must_use]
pub fn blocking<F>(function: F) -> Blocking<F> {
    Blocking(function)
}

/// A plain function as a handler; made by [`blocking`].
#[derive(Clone, Copy, Debug)]
pub struct Blocking<F>(F);

/// Keeps the implementations for [`Blocking`] apart from those for async functions.
#[derive(Debug)]
pub struct BlockingParameters<P>(PhantomData<P>);

/// Bounds how many blocking handlers run and wait.
#[derive(Debug)]
pub(crate) struct Bulkhead {
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
}

impl Bulkhead {
    pub(crate) fn new(running: usize, waiting: usize) -> Self {
        Self {
            running: Arc::new(Semaphore::new(running)),
            waiting: AtomicUsize::new(0),
            most_waiting: waiting,
        }
    }

    /// Runs the work on a blocking thread and gives back its result.
    ///
    /// A panic of the work continues in the caller, who deals with panics of handlers anyway.
    async fn run<T: Send + 'static>(
        &self,
        spawn: impl FnOnce(Box<dyn FnOnce() + Send>),
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ProtocolError> {
        let permit = match self.running.try_acquire_arc() {
            Some(permit) => permit,
            None => {
                let Some(_place) = Place::take(&self.waiting, self.most_waiting) else {
                    return Err(ProtocolError::internal_because(
                        "too many blocking calls wait already (setting: limits.blocking_queue)",
                    ));
                };
                self.running.acquire_arc().await
            }
        };
        let (give, take) = oneshot::channel::<Result<T, Box<dyn Any + Send>>>();
        spawn(Box::new(move || {
            // The runtime may queue the work, too; nobody waits for it when the call was cancelled meanwhile.
            if give.is_canceled() {
                return;
            }
            let outcome = catch_unwind(AssertUnwindSafe(work));
            drop(permit);
            let _ = give.send(outcome);
        }));
        match take.await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(oneshot::Canceled) => Err(ProtocolError::internal()),
        }
    }
}

/// One place in the queue, given back on drop.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(waiting: &'a AtomicUsize, most: usize) -> Option<Self> {
        waiting
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |count| (count < most).then_some(count + 1))
            .is_ok()
            .then_some(Self(waiting))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

macro_rules! blocking_handler {
    ($($P:ident),*) => {
        impl<R, S, F, Out, $($P,)*> Handler<R, S, BlockingParameters<($($P,)*)>> for Blocking<F>
        where
            R: Request,
            S: Send + Sync + 'static,
            F: Fn($($P,)*) -> Out + Clone + Send + Sync + 'static,
            Out: IntoReply<R> + Send + 'static,
            $($P: Extract<R, S> + 'static,)*
        {
            #[allow(non_snake_case, unused_variables, clippy::allow_attributes, reason = "type names double as variable names; a handler may have no parameters")]
            fn call(&self, request: R, state: &Arc<S>) -> ReplyFuture<R> {
                $(const { assert!(!$P::WAITS, "a blocking function cannot take what has to be awaited, such as `Client`: make it an async function"); })*
                let function = self.0.clone();
                let state = Arc::clone(state);
                Box::pin(async move {
                    $(
                        let $P = match $P::extract(&request, &state).await {
                            Ok(value) => value,
                            Err(rejection) => return rejection.into_reply(request.context()),
                        };
                    )*
                    let context = request.context();
                    let outcome = context
                        .bulkhead()
                        .run(|work| context.runtime().spawn_blocking(work), move || function($($P,)*))
                        .await;
                    match outcome {
                        Ok(value) => value.into_reply(context),
                        Err(error) => R::refused(error),
                    }
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

blocking_handler!();
blocking_handler!(A);
blocking_handler!(A, B);
blocking_handler!(A, B, C);
blocking_handler!(A, B, C, D);
blocking_handler!(A, B, C, D, E);
blocking_handler!(A, B, C, D, E, G);
