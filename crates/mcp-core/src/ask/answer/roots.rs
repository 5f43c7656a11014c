//! Answers to `roots/list`.

use super::fault::{AnswerFault, object};
use crate::{
    json::{Kind, Node},
    protocol::{Meta, Root},
    uri::AbsoluteUri,
};

/// Reads the client's roots, in its order.
///
/// The specification wants `file:` URIs; any other absolute URI is read as well, and kept as it was written.
///
/// # Errors
/// [`AnswerFault::Member`] for an answer of another shape, and for a URI without a scheme.
pub(crate) fn read_roots(answer: Node<'_>) -> Result<Vec<Root>, AnswerFault> {
    let roots = object(answer)?.get("roots").filter(|roots| roots.kind() == Kind::Array);
    roots.ok_or(AnswerFault::member("roots", "an array"))?.elements().map(root).collect()
}

fn root(node: Node<'_>) -> Result<Root, AnswerFault> {
    let uri = node.get("uri").and_then(Node::as_str).filter(|uri| is_absolute(uri));
    let uri = uri.ok_or(AnswerFault::member("the `uri` of a root", "an absolute URI"))?;
    let name = match node.get("name").filter(|name| !name.is_null()) {
        Some(name) => Some(name.as_str().ok_or(AnswerFault::member("the `name` of a root", "a string"))?),
        None => None,
    };
    Ok(Root { uri: (*uri).into(), name: name.map(|name| (*name).into()), meta: read_meta(node) })
}

fn is_absolute(uri: &str) -> bool {
    // One letter before a colon is a drive of Windows, not a scheme.
    AbsoluteUri::parse(&AbsoluteUri::normalize_lookup(uri)).is_ok_and(|uri| uri.scheme().len() > 1)
}

/// The `_meta` of an object; what is no object counts as none.
pub(super) fn read_meta(node: Node<'_>) -> Meta {
    node.get("_meta").and_then(|meta| serde_json::from_str(meta.raw()).ok()).unwrap_or_default()
}
