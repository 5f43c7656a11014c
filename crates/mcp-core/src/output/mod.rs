//! What an answer may cost, whatever kind of answer it is: bytes, values, nesting.
//!
//! Handlers give values of any size. What they weigh is known before they are written, so that a result which cannot
//! go out costs no memory beyond what its handler made already.

mod fault;
mod weight;

pub(crate) use fault::OutputFault;
pub(crate) use weight::Weight;

use crate::{json::WriteBounds, server::Limits};

impl Limits {
    /// What one value of an author's type may cost to write.
    pub(crate) fn write_bounds(&self) -> WriteBounds {
        let (tokens, depth) = (self.output_json.tokens, self.output_json.depth);
        WriteBounds { bytes: self.output_bytes, tokens, depth }
    }
}
