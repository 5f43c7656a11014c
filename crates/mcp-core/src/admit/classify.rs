//! Which era a message belongs to.

use crate::{json::Node, protocol::meta_key};

/// What in a message says that it is modern: the protocol version in its `_meta`.
pub(crate) fn modern_evidence(params: Option<Node<'_>>) -> Option<Node<'_>> {
    params?.get("_meta")?.get(meta_key::PROTOCOL_VERSION)
}
