//! One route as data: method, path, what it reads, what it answers with.

mod hints;
mod name;
mod parameters;
mod reserved;
mod schemas;
mod template;

pub use reserved::DEFAULT_FORWARDED;

pub(crate) use hints::hints_of;
pub(crate) use name::name_of;
pub(crate) use parameters::{Resolved, Slot, resolve};
pub(crate) use reserved::{Reserved, is_untouchable};
pub(crate) use template::{PathTemplate, SegmentFault};

use crate::describe::{Inputs, Output};
use http::Method;

/// A route that may be exposed.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    /// The name of the handler, unless another was given; empty when it has none.
    pub(crate) name: Box<str>,
    pub(crate) method: Method,
    pub(crate) inputs: Inputs,
    pub(crate) output: Output,
}
