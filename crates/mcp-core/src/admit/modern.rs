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

/// Checks the version that a modern request names, given as the node in its `_meta`.
pub(crate) fn version_of(node: Node<'_>, served: ServedVersions) -> Result<ProtocolVersion, Refusal> {
    let Some(name) = node.as_str() else {
        return Err(Refusal::InvalidMeta { key: meta_key::PROTOCOL_VERSION, expected: "a string" });
    };
    match ProtocolVersion::parse(&name)
        .filter(|version| version.era() == Era::Modern && served.contains(*version))
    {
        Some(version) => Ok(version),
        None => Err(unsupported(&name, served)),
    }
}

/// The refusal of a version; what the request itself named is never offered back.
pub(crate) fn unsupported(requested: &str, served: ServedVersions) -> Refusal {
    let known = ProtocolVersion::parse(requested);
    let others = || served.newest_first().filter(|version| known != Some(*version));
    // A handshake version inside a modern envelope is helped by another handshake version only where
    // nothing else is served.
    let modern: Vec<_> = others().filter(|version| version.era() == Era::Modern).collect();
    let supported = if known.is_some() && !modern.is_empty() { modern } else { others().collect() };
    let requested = requested.chars().take(64).collect::<String>().into_boxed_str();
    Refusal::UnsupportedVersion { requested, supported }
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
            read.progress_token = ProgressToken::from_node(value);
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
    let version = version_of(version, served)?;
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
