//! Many messages in one JSON array.

use super::{Incoming, decode, message::Refused};
use crate::{
    json::{Document, JsonLimits, Kind, Node},
    refusal::Refusal,
};
use bytes::Bytes;

/// An array of messages; its elements are not looked at yet.
///
/// Spec: 2025-03-26, basic#batching; JSON-RPC 2.0 section 6.
#[derive(Debug)]
pub struct Batch {
    document: Document,
}

impl Batch {
    /// `document` is an array.
    pub(super) fn new(document: Document) -> Self {
        Self { document }
    }

    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.document.root().len()
    }

    /// Tells whether there is no message, which JSON-RPC does not allow.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Decodes every element by itself, in order and within the same limits as a message of its own.
    ///
    /// An element that is an array is refused: batches do not nest. Each element has memory of its own, so that a small one
    /// which is served for long does not keep the others.
    pub(crate) fn into_messages(self, limits: &JsonLimits) -> Vec<Result<Incoming, Refused>> {
        let element = |node: Node<'_>| match node.kind() {
            Kind::Array => Err((None, Refusal::InvalidRequest("an element of the batch is an array"))),
            _ => decode(Bytes::copy_from_slice(node.raw().as_bytes()), limits),
        };
        self.document.root().elements().map(element).collect()
    }
}
