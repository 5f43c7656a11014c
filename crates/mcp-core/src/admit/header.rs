//! The routing headers of a request, and their agreement with its body.

use crate::{
    header::{AnnotatedParam, BodyValue, agrees, decode},
    json::{Kind, Node},
    protocol::Method,
    refusal::{HeaderReason, Refusal},
};

/// One header as it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a header is absent, there once, or repeated")]
pub enum HeaderField<'a> {
    /// It is not there.
    Absent,
    /// It is there once, with this value.
    Once(&'a [u8]),
    /// It is there more than once, even if every time with the same value.
    Repeated,
}

/// The head of an HTTP request, as far as the protocol looks at it.
pub trait RequestHead: Sync {
    /// Looks a header up by its lower-case name.
    fn field(&self, name: &str) -> HeaderField<'_>;

    /// The concrete path of the request, such as `/rooms/7/mcp`.
    ///
    /// A session is found only where it was begun: a path that is the same for several endpoints lets a client
    /// carry the session of one into another.
    fn path(&self) -> &str;

    /// Tells whether the client takes an event stream as an answer; only then can it be asked for anything.
    fn accepts_event_stream(&self) -> bool;
}

/// The header that names the protocol version.
pub(crate) const PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// The header that names the method.
const METHOD: &str = "mcp-method";
/// The header that names the tool, prompt or resource.
const NAME: &str = "mcp-name";

pub(crate) fn refuse(header: &str, reason: HeaderReason) -> Refusal {
    Refusal::Header { header: header.into(), reason }
}

/// The decoded value of a header that must be there once.
fn required<'a>(headers: &'a dyn RequestHead, name: &str) -> Result<std::borrow::Cow<'a, str>, Refusal> {
    match headers.field(name) {
        HeaderField::Absent => Err(refuse(name, HeaderReason::Missing)),
        HeaderField::Repeated => Err(refuse(name, HeaderReason::Repeated)),
        HeaderField::Once(raw) => decode(raw).map_err(|_| refuse(name, HeaderReason::Malformed)),
    }
}

fn must_equal(headers: &dyn RequestHead, name: &str, body: Node<'_>) -> Result<(), Refusal> {
    if body.str_eq(&required(headers, name)?) { Ok(()) } else { Err(refuse(name, HeaderReason::Mismatch)) }
}

/// `Mcp-Method` equals the method.
pub(crate) fn check_method(headers: &dyn RequestHead, method: Node<'_>) -> Result<(), Refusal> {
    must_equal(headers, METHOD, method)
}

/// `Mcp-Name` equals what the method is about, for the methods that have such a thing.
pub(crate) fn check_name(
    headers: &dyn RequestHead,
    method: Method,
    params: Option<Node<'_>>,
) -> Result<(), Refusal> {
    let member = match method {
        Method::CallTool | Method::GetPrompt => "name",
        Method::ReadResource => "uri",
        Method::GetTask | Method::UpdateTask | Method::CancelTask => "taskId",
        _ => return Ok(()),
    };
    match params.and_then(|params| params.get(member)).filter(|node| node.kind() == Kind::String) {
        Some(name) => must_equal(headers, NAME, name),
        // A body without a name is refused for its parameters, but a missing header comes first.
        None => required(headers, NAME).map(drop),
    }
}

/// `Mcp-Param-*` equal the arguments they repeat; one that is absent or null in the body must not be demanded.
pub(crate) fn check_params(
    headers: &dyn RequestHead,
    annotated: &[AnnotatedParam],
    arguments: Option<Node<'_>>,
) -> Result<(), Refusal> {
    for param in annotated {
        let name = param.header().as_str();
        let value = param.path().try_fold(arguments, |node, member| Some(node?.get(member))).flatten();
        let body = value.and_then(|node| match node.kind() {
            Kind::String => node.as_str().map(BodyValue::Text),
            Kind::Number => node.number_text().map(BodyValue::Number),
            Kind::Bool => node.as_bool().map(BodyValue::Bool),
            _ => None,
        });
        match body {
            Some(body) if !agrees(&required(headers, name)?, &body) => {
                return Err(refuse(name, HeaderReason::Mismatch));
            }
            Some(_) => {}
            None if value.is_none_or(Node::is_null) && headers.field(name) != HeaderField::Absent => {
                return Err(refuse(name, HeaderReason::Mismatch));
            }
            None => {}
        }
    }
    Ok(())
}
