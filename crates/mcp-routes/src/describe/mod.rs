//! What a route reads and answers with, as far as its types tell.

mod handler;
mod headers;
mod input;
mod output;
mod standard;

pub use handler::DescribedHandler;
pub use headers::{HeaderRejection, Headers};
pub use input::{DescribeInput, Inputs, Parameter, parameter};
pub use output::{DescribeOutput, Envelope, Output, result};

pub(crate) use input::{BodyForm, MakeSchema, Place, Source};
pub(crate) use output::Known;
