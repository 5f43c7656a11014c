//! What a route reads and answers with, as far as its types tell.

mod handler;
mod headers;
mod input;
mod output;
mod standard;

pub use handler::DescribedHandler;
pub use headers::{HeaderRejection, Headers};
pub use input::{DescribeInput, Inputs, Parameter};
pub use output::{DescribeOutput, Envelope, Output};

pub(crate) use input::{BodyForm, MakeSchema, Place, Source};
pub(crate) use output::Known;
