//! From one JSON text to one JSON-RPC message, or the exact reason why not.

use super::{Batch, RequestId, Response, response::Member};
use crate::{
    json::{Document, JsonLimits, Kind, Node, NodeId},
    refusal::Refusal,
};
use bytes::Bytes;

/// What a peer sent, with its JSON-RPC envelope checked.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "JSON-RPC knows these kinds of message")]
pub enum Incoming {
    /// A request: it will be answered exactly once.
    Request(IncomingRequest),
    /// A notification: it is never answered.
    Notification(Notification),
    /// An answer to a request of ours.
    Response(Response),
    /// An array of messages, for the revision that has them.
    Batch(Batch),
}

/// A request whose envelope is sound; its method and parameters are not looked at yet.
#[derive(Debug)]
pub struct IncomingRequest {
    /// The id to answer with.
    pub id: RequestId,
    pub(crate) document: Document,
    pub(crate) method: NodeId,
    pub(crate) params: Option<NodeId>,
}

/// A notification whose envelope is sound.
#[derive(Debug)]
pub struct Notification {
    pub(crate) document: Document,
    pub(crate) method: NodeId,
    pub(crate) params: Option<NodeId>,
}

impl IncomingRequest {
    /// The method's node.
    pub(crate) fn method(&self) -> Node<'_> {
        self.document.node(self.method)
    }

    /// The parameters, an object; `None` when absent or `null`.
    pub(crate) fn params(&self) -> Option<Node<'_>> {
        self.params.map(|id| self.document.node(id))
    }

    /// The bytes of its text, which stay in memory as long as it does.
    pub(crate) fn text_bytes(&self) -> usize {
        self.document.bytes().len()
    }
}

impl Notification {
    /// The method's name.
    pub(crate) fn method(&self) -> Node<'_> {
        self.document.node(self.method)
    }

    /// The parameters, an object; `None` when absent or `null`.
    pub(crate) fn params(&self) -> Option<Node<'_>> {
        self.params.map(|id| self.document.node(id))
    }
}

/// A refusal together with the id it answers, when one could be read.
pub(crate) type Refused = (Option<RequestId>, Refusal);

/// Decodes one JSON-RPC message.
///
/// Unknown members of the envelope are ignored, `params: null` counts as absent.
///
/// # Errors
/// The refusal and the id to answer it with: a parse error carries no id, everything else the id
/// as far as it could be read. An unsound response carries none either: its id is one of ours, and answered
/// with it the peer could take the error for an answer to a request of its own.
pub fn decode(bytes: Bytes, limits: &JsonLimits) -> Result<Incoming, (Option<RequestId>, Refusal)> {
    let document = Document::parse(bytes, limits).map_err(|fault| (None, Refusal::Parse(fault)))?;
    envelope(document)
}

/// The members of the envelope, as far as they are there.
#[derive(Default)]
struct Members<'a> {
    jsonrpc: Option<Node<'a>>,
    id: Option<Node<'a>>,
    method: Option<Node<'a>>,
    params: Option<Node<'a>>,
    result: Option<Node<'a>>,
    error: Option<Node<'a>>,
}

fn envelope(document: Document) -> Result<Incoming, Refused> {
    let root = document.root();
    match root.kind() {
        Kind::Object => {}
        Kind::Array => return Ok(Incoming::Batch(Batch::new(document))),
        _ => return Err((None, Refusal::InvalidRequest("the message is not an object"))),
    }
    let mut found = Members::default();
    for (name, value) in root.members() {
        if name.eq_str("jsonrpc") {
            found.jsonrpc = Some(value);
        } else if name.eq_str("id") {
            found.id = Some(value);
        } else if name.eq_str("method") {
            found.method = Some(value);
        } else if name.eq_str("params") {
            found.params = Some(value);
        } else if name.eq_str("result") {
            found.result = Some(value);
        } else if name.eq_str("error") {
            found.error = Some(value);
        }
    }
    let id = found.id.and_then(RequestId::from_node);
    let answers = found.method.is_none() && (found.result.is_some() || found.error.is_some());
    let refuse = |reason| Err((id.clone().filter(|_| !answers), Refusal::InvalidRequest(reason)));
    if !found.jsonrpc.is_some_and(|version| version.str_eq("2.0")) {
        return refuse("`jsonrpc` is not \"2.0\"");
    }
    let Some(method) = found.method else {
        let outcome = match (found.result, found.error) {
            (Some(result), None) => Member::Result(result.id()),
            (None, Some(error)) => Member::Error(error.id()),
            (Some(_), Some(_)) => return refuse("a response has both `result` and `error`"),
            (None, None) => return refuse("`method` is missing"),
        };
        return Ok(Incoming::Response(Response::new(document, id, outcome)));
    };
    if method.kind() != Kind::String {
        return refuse("`method` is not a string");
    }
    let params = match found.params.map(|node| (node, node.kind())) {
        None | Some((_, Kind::Null)) => None,
        Some((node, Kind::Object)) => Some(node.id()),
        Some(_) => return refuse("`params` is not an object"),
    };
    let method = method.id();
    if found.id.is_none() {
        return Ok(Incoming::Notification(Notification { method, params, document }));
    }
    match id {
        Some(id) => Ok(Incoming::Request(IncomingRequest { id, method, params, document })),
        None => Err((None, Refusal::InvalidRequest("`id` is neither a string nor an integer"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Incoming, Refused> {
        decode(Bytes::copy_from_slice(text.as_bytes()), &JsonLimits::default())
    }

    #[test]
    fn the_id_is_echoed_whenever_it_can_be_read() {
        for text in [
            r#"{"jsonrpc":"2.0","id":2,"params":{}}"#,
            r#"{"id":2,"method":"tools/list"}"#,
            r#"{"jsonrpc":"1.0","id":2,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":42}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":[]}"#,
        ] {
            let (id, refusal) = read(text).unwrap_err();
            assert_eq!(id, Some(RequestId::number(2)), "{text}");
            assert!(matches!(refusal, Refusal::InvalidRequest(_)), "{text}");
        }
    }

    #[test]
    fn a_null_id_is_a_refused_request_and_no_notification() {
        for text in [
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/list","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list","params":{}}"#,
        ] {
            let (id, refusal) = read(text).unwrap_err();
            assert!(id.is_none());
            assert!(matches!(refusal, Refusal::InvalidRequest(_)));
        }
    }

    #[test]
    fn broken_text_is_a_parse_error_without_id() {
        let (id, refusal) = read(r#"{"jsonrpc":"2.0","id":6,"method":"tools/list""#).unwrap_err();
        assert!(id.is_none());
        assert!(matches!(refusal, Refusal::Parse(_)));
    }

    #[test]
    fn null_params_and_unknown_members_are_no_obstacle() {
        let Ok(Incoming::Request(request)) =
            read(r#"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":null,"extra":true}"#)
        else {
            panic!("not a request")
        };
        assert!(request.params().is_none());
        assert!(request.method().str_eq("tools/list"));
    }

    #[test]
    fn a_response_has_an_id_or_none_and_one_outcome() {
        for (text, id, outcome) in [
            (r#"{"jsonrpc":"2.0","id":"a","result":{}}"#, Some(RequestId::text("a")), Ok("{}")),
            (
                r#"{"jsonrpc":"2.0","id":7,"error":{"code":1}}"#,
                Some(RequestId::number(7)),
                Err(r#"{"code":1}"#),
            ),
            (r#"{"jsonrpc":"2.0","id":null,"error":null}"#, None, Err("null")),
            (r#"{"jsonrpc":"2.0","id":1.5,"result":[1]}"#, None, Ok("[1]")),
            (r#"{"jsonrpc":"2.0","result":5}"#, None, Ok("5")),
        ] {
            let Ok(Incoming::Response(response)) = read(text) else { panic!("not a response: {text}") };
            assert_eq!(response.id(), id.as_ref(), "{text}");
            assert_eq!(response.outcome().map(Node::raw).map_err(Node::raw), outcome, "{text}");
        }
    }

    #[test]
    fn an_unsound_response_is_refused_without_its_id() {
        for text in [
            r#"{"jsonrpc":"2.0","id":2,"result":{},"error":{}}"#,
            r#"{"jsonrpc":"1.0","id":2,"result":{}}"#,
            r#"{"id":2,"error":{}}"#,
        ] {
            let (id, refusal) = read(text).unwrap_err();
            assert_eq!(id, None, "{text}");
            assert!(matches!(refusal, Refusal::InvalidRequest(_)), "{text}");
        }
    }

    #[test]
    fn the_elements_of_a_batch_are_decoded_one_by_one() {
        let text = r#" [{"jsonrpc":"2.0","id":1,"method":"a"}, 5,[], {"jsonrpc":"2.0","method":"b"}] "#;
        let Ok(Incoming::Batch(batch)) = read(text) else { panic!("not a batch") };
        assert_eq!(batch.len(), 4);
        let messages = batch.into_messages(&JsonLimits::default());
        let [Ok(Incoming::Request(request)), Err(_), Err(_), Ok(Incoming::Notification(notification))] =
            &messages[..]
        else {
            panic!("{messages:?}")
        };
        assert!(request.method().str_eq("a") && notification.method().str_eq("b"));
    }
}
