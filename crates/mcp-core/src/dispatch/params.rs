//! Reading the parameters of the protocol's own methods.

use crate::{
    handler::ProtocolError,
    json::{Kind, Node},
    jsonrpc::IncomingRequest,
    protocol::{ClientCapabilities, LogLevel},
    refusal::Refusal,
    server::Limits,
};
use bytes::Bytes;

/// What a client says in `initialize`.
#[derive(Debug)]
pub(crate) struct InitializeParams {
    pub(crate) version: Box<str>,
    pub(crate) capabilities: ClientCapabilities,
    pub(crate) client_info: Option<Bytes>,
}

impl InitializeParams {
    pub(crate) fn read(request: &IncomingRequest) -> Result<Self, Refusal> {
        let version = member_text(request.params(), "protocolVersion")?;
        let member = |name| request.params().and_then(|params| params.get(name));
        let capabilities = match member("capabilities").filter(|node| !node.is_null()) {
            None => ClientCapabilities::default(),
            Some(node) => ClientCapabilities::from_node(node)
                .ok_or_else(|| Refusal::InvalidParams("`capabilities` must be an object".into()))?,
        };
        let client_info =
            member("clientInfo").filter(|node| node.kind() == Kind::Object).map(Node::raw_bytes);
        Ok(Self { version, capabilities, client_info })
    }

    /// The bytes of what the client says of itself.
    pub(crate) fn text_bytes(&self) -> usize {
        self.capabilities.as_json().len() + self.client_info.as_ref().map_or(0, Bytes::len)
    }
}

/// The level of `logging/setLevel`.
pub(crate) fn log_level(request: &IncomingRequest) -> Result<LogLevel, Refusal> {
    let level = member_text(request.params(), "level")?;
    LogLevel::parse(&level)
        .ok_or_else(|| Refusal::InvalidParams("`level` is no log level of RFC 5424, in lower case".into()))
}

/// A member that must be a string.
pub(crate) fn member_text(params: Option<Node<'_>>, name: &str) -> Result<Box<str>, Refusal> {
    let text = params.and_then(|params| params.get(name)).and_then(Node::as_str);
    text.map(Box::from).ok_or_else(|| Refusal::InvalidParams(format!("`{name}` must be a string").into()))
}

/// Refuses a URI that is longer than one may be.
pub(crate) fn check_uri(limits: &Limits, uri: &str) -> Result<(), Refusal> {
    if uri.len() > limits.uri_bytes {
        return Err(Refusal::InvalidParams("`uri` is longer than `limits.uri_bytes` allows".into()));
    }
    Ok(())
}

/// The `cursor` of a list; a cursor of another kind than text was never issued.
pub(crate) fn cursor(request: &IncomingRequest) -> Result<Option<Box<str>>, Refusal> {
    match request.params().and_then(|params| params.get("cursor")).filter(|cursor| !cursor.is_null()) {
        None => Ok(None),
        Some(cursor) => cursor.as_str().map(|text| Some(text.into())).ok_or(Refusal::InvalidCursor),
    }
}

/// A member that is an object, or absent, or null.
pub(crate) fn member_object<'a>(params: Option<Node<'a>>, name: &str) -> Result<Option<Node<'a>>, Refusal> {
    match params.and_then(|params| params.get(name)).filter(|node| !node.is_null()) {
        None => Ok(None),
        Some(node) if node.kind() == Kind::Object => Ok(Some(node)),
        Some(_) => Err(Refusal::InvalidParams(format!("`{name}` must be an object").into())),
    }
}

/// The members of an object of strings.
pub(crate) fn texts(object: Option<Node<'_>>, what: &str) -> Result<Vec<(Box<str>, String)>, Refusal> {
    let Some(object) = object else { return Ok(Vec::new()) };
    object
        .members()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| match value.as_str() {
            Some(text) => Ok((Box::from(&*name.text()), text.into_owned())),
            None => Err(Refusal::InvalidParams(format!("`{what}.{}` must be a string", name.text()).into())),
        })
        .collect()
}

/// A refusal as the error a handler's author sees.
pub(crate) fn as_error(refusal: Refusal) -> ProtocolError {
    match refusal {
        Refusal::ResourceNotFound(uri) => ProtocolError::resource_not_found(uri),
        other => ProtocolError::invalid_params(other.on_wire(None).message),
    }
}
