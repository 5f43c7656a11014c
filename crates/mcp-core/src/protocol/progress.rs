//! The token that ties progress notifications to a request.

use crate::json::{Kind, Node};
use bytes::Bytes;

/// A progress token, kept as the JSON text the client wrote so that value and type come back unchanged.
///
/// Spec: 2026-07-28, basic/patterns/progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgressToken {
    raw: Bytes,
}

impl ProgressToken {
    /// Reads a token: a string or an integer; `None` for anything else.
    #[must_use]
    pub fn from_node(node: Node<'_>) -> Option<Self> {
        let acceptable = match node.kind() {
            Kind::String => true,
            Kind::Number => node.as_i64().is_some(),
            _ => false,
        };
        acceptable.then(|| Self { raw: node.raw_bytes() })
    }

    /// The token as JSON text.
    #[must_use]
    pub fn as_json(&self) -> &[u8] {
        &self.raw
    }
}
