//! Why a result is held back.

use crate::json::{JsonFault, JsonFaultKind, JsonLimits, WriteFault};
use thiserror::Error;

/// A bound that a result exceeds; the text names the setting and may be told to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum OutputFault {
    #[error("the result has more bytes than limits.output_bytes allows ({0})")]
    Bytes(usize),
    #[error("the result has more values than limits.output_json.tokens allows ({0})")]
    Tokens(usize),
    #[error("the result nests deeper than limits.output_json.depth allows ({0})")]
    Depth(usize),
}

impl OutputFault {
    /// The bound that a value exceeded while it was written; `None` when it cannot be written at all.
    pub(crate) fn of_writing(fault: &WriteFault) -> Option<Self> {
        match *fault {
            WriteFault::TooLarge { max_bytes } => Some(Self::Bytes(max_bytes)),
            WriteFault::TooManyTokens { max_tokens } => Some(Self::Tokens(max_tokens)),
            WriteFault::TooDeep { max_depth } => Some(Self::Depth(max_depth)),
            _ => None,
        }
    }

    /// The bound that a text exceeded when it was checked; `None` when something else is wrong with it.
    pub(crate) fn of_checking(fault: &JsonFault, limits: &JsonLimits) -> Option<Self> {
        match fault.kind {
            JsonFaultKind::TooLarge => Some(Self::Bytes(limits.document_bytes)),
            JsonFaultKind::TooManyTokens => Some(Self::Tokens(limits.tokens)),
            JsonFaultKind::TooDeep => Some(Self::Depth(limits.depth)),
            _ => None,
        }
    }
}
