//! An answer of the peer to a request of ours.

use super::RequestId;
use crate::json::{Document, Node, NodeId};

/// A response whose envelope is sound: it has either a result or an error.
///
/// Whether the result fits what was asked is not looked at yet.
///
/// Spec: JSON-RPC 2.0 section 5.
#[derive(Debug)]
pub struct Response {
    document: Document,
    id: Option<RequestId>,
    outcome: Member,
}

/// The member that is there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Member {
    Result(NodeId),
    Error(NodeId),
}

impl Response {
    pub(super) fn new(document: Document, id: Option<RequestId>, outcome: Member) -> Self {
        Self { document, id, outcome }
    }

    /// The id of the request it answers; `None` when it is absent, `null`, or nothing that an id can be.
    #[must_use]
    pub fn id(&self) -> Option<&RequestId> {
        self.id.as_ref()
    }

    /// The value of its `result` member, of any kind.
    ///
    /// # Errors
    /// The value of its `error` member, of any kind, when the peer refused the request.
    pub fn outcome(&self) -> Result<Node<'_>, Node<'_>> {
        match self.outcome {
            Member::Result(id) => Ok(self.document.node(id)),
            Member::Error(id) => Err(self.document.node(id)),
        }
    }
}
