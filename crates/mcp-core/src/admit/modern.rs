//! The envelope of a modern request: everything about the caller is in its `_meta`.

use crate::{
    context::LogThreshold,
    json::{Kind, Node},
    jsonrpc::IncomingRequest,
    protocol::{ClientCapabilities, LogLevel, Method, ProgressToken, meta_key},
    refusal::Refusal,
    version::{Era, ProtocolVersion, ServedVersions},
};
use bytes::Bytes;
use std::borrow::Cow;

/// A request that may be dispatched.
#[derive(Debug)]
pub(crate) struct Admitted {
    pub(crate) method: Method,
    pub(crate) meta: ModernMeta,
}

/// What a modern request says about its caller.
#[derive(Debug)]
pub(crate) struct ModernMeta {
    pub(crate) version: ProtocolVersion,
    pub(crate) capabilities: ClientCapabilities,
    pub(crate) client_info: Option<Bytes>,
    pub(crate) progress_token: Option<ProgressToken>,
    pub(crate) log: LogThreshold,
}

/// The longest text that may name a protocol version, in characters.
const VERSION_CHARS: usize = 64;

/// Tells whether a text looks like the name of a version, known or not: it is not blank, has at most 64 characters
/// and no control characters. What does not is never echoed.
pub(super) fn may_name_version(text: &str) -> bool {
    !text.trim().is_empty()
        && !text.chars().any(char::is_control)
        && text.chars().nth(VERSION_CHARS).is_none()
}

/// The text that names the version of a modern request, given as the node in its `_meta`.
pub(super) fn version_text(node: Node<'_>) -> Result<Cow<'_, str>, Refusal> {
    node.as_str().filter(|text| may_name_version(text)).ok_or(Refusal::InvalidMeta {
        key: meta_key::PROTOCOL_VERSION,
        expected: "a string of 1 to 64 characters, neither blank nor with control characters",
    })
}

/// The version of that name, when requests of it are served by themselves.
pub(super) fn served_version(name: &str, served: ServedVersions) -> Result<ProtocolVersion, Refusal> {
    let known = ProtocolVersion::parse(name);
    known
        .filter(|version| version.era() == Era::Modern && served.contains(*version))
        .ok_or_else(|| unsupported(name, served))
}

/// The refusal of a version; what the request itself named is never offered back.
pub(crate) fn unsupported(requested: &str, served: ServedVersions) -> Refusal {
    let known = ProtocolVersion::parse(requested);
    let others = || served.newest_first().filter(|version| known != Some(*version));
    // A handshake version inside a modern envelope is helped by another handshake version only where
    // nothing else is served.
    let modern: Vec<_> = others().filter(|version| version.era() == Era::Modern).collect();
    let supported = if known.is_some() && !modern.is_empty() { modern } else { others().collect() };
    Refusal::UnsupportedVersion { requested: echo(requested), supported }
}

/// What goes back of the version that a request named: as much as a version may have.
pub(crate) fn echo(requested: &str) -> Box<str> {
    let printable = requested.chars().filter(|character| !character.is_control());
    printable.take(VERSION_CHARS).collect::<String>().into_boxed_str()
}

/// Reads the rest of `_meta`.
pub(crate) fn read_meta(version: ProtocolVersion, meta: Node<'_>) -> Result<ModernMeta, Refusal> {
    let mut read = ModernMeta {
        version,
        capabilities: ClientCapabilities::default(),
        client_info: None,
        progress_token: None,
        log: LogThreshold::Nothing,
    };
    let mut capabilities = None;
    for (name, value) in meta.members() {
        if name.eq_str(meta_key::CLIENT_CAPABILITIES) {
            capabilities =
                Some(ClientCapabilities::from_node(value).ok_or(Refusal::InvalidMeta {
                    key: meta_key::CLIENT_CAPABILITIES,
                    expected: "an object",
                })?);
        } else if name.eq_str(meta_key::CLIENT_INFO) {
            read.client_info = (value.kind() == Kind::Object).then(|| value.raw_bytes());
        } else if name.eq_str(meta_key::PROGRESS_TOKEN) {
            read.progress_token =
                ProgressToken::from_node(value).map_err(|_| Refusal::progress_token_too_long())?;
        } else if name.eq_str(meta_key::LOG_LEVEL) {
            let level = value.as_str().and_then(|level| LogLevel::parse(&level));
            read.log = LogThreshold::From(level.ok_or(Refusal::InvalidMeta {
                key: meta_key::LOG_LEVEL,
                expected: "one of debug, info, notice, warning, error, critical, alert, emergency",
            })?);
        }
    }
    read.capabilities = capabilities.ok_or(Refusal::MissingMeta(meta_key::CLIENT_CAPABILITIES))?;
    Ok(read)
}

/// Admits a modern request that came over a byte stream, where there are no headers.
pub(crate) fn admit_modern(
    request: &IncomingRequest,
    version: Node<'_>,
    served: ServedVersions,
) -> Result<Admitted, Refusal> {
    let version = served_version(&version_text(version)?, served)?;
    let meta = request.params().and_then(|params| params.get("_meta"));
    let meta = read_meta(version, meta.ok_or(Refusal::MissingMeta(meta_key::PROTOCOL_VERSION))?)?;
    let method = method_in(request, version)?;
    Ok(Admitted { method, meta })
}

/// The request's method, when the revision has it.
pub(crate) fn method_in(request: &IncomingRequest, version: ProtocolVersion) -> Result<Method, Refusal> {
    let method = request.method().as_str().and_then(|name| Method::parse(&name));
    method.filter(|method| method.exists_in(version)).ok_or(Refusal::MethodNotFound)
}
