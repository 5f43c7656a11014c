//! Async functions as handlers.
//!
//! A handler is an `async fn` whose parameters implement [`Extract`](crate::extract::Extract) and
//! whose result implements [`IntoReply`]. [`blocking`] makes one of a plain function.

mod arity;
mod blocking;
mod erase;
mod error;
mod named;
mod outcome;
mod request;

pub use arity::Handler;
pub use blocking::{Blocking, BlockingParameters, blocking};
pub use error::{ProtocolError, ToolError};
pub use named::{Named, NamedHandler, NamedParameters};
pub use outcome::{IntoFailure, IntoReply, Structured, result};
pub use request::{CompletionRequest, PromptGet, Request, ResourceListing, ResourceRead, ToolCall};

pub(crate) use blocking::Bulkhead;
pub(crate) use erase::{Binder, Erased, SharedBinder, bind, bind_shared};
pub(crate) use error::{Execution, Failure};
pub(crate) use request::Arguments;

use std::{future::Future, pin::Pin};

/// The boxed future of a handler.
pub type ReplyFuture<R> = Pin<Box<dyn Future<Output = <R as Request>::Reply> + Send>>;
