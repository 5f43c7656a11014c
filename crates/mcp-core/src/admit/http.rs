//! The era of an HTTP request, and the agreement of its headers with its body.

use super::{
    header::{self, HeaderField, RequestHead, refuse},
    modern::{self, Admitted},
    modern_evidence,
};
use crate::{
    jsonrpc::IncomingRequest,
    protocol::{Method, meta_key},
    refusal::{HeaderReason, Refusal},
    registry::{Catalogue, picked_version},
    version::{Era, ProtocolVersion, ServedVersions},
};

/// How an HTTP request is to be served.
#[derive(Debug)]
pub(crate) enum Admission {
    /// By the rules of the modern era.
    Modern(Admitted),
    /// By the rules of the handshake era; `named` is the revision that the version header names.
    Handshake { named: Option<ProtocolVersion> },
}

/// A refusal and the version whose rules it follows, when that much is known.
pub(crate) type RefusedAs = (Option<ProtocolVersion>, Refusal);

/// Decides the era of a request and checks its envelope and routing headers.
///
/// `initialize` without modern evidence in its `_meta` is a handshake whatever its header says, unless
/// that names a modern revision exactly. Everything else with evidence in `_meta` or header is modern.
pub(crate) fn admit_http(
    request: &IncomingRequest,
    headers: &dyn RequestHead,
    catalogue: &Catalogue,
    served: ServedVersions,
) -> Result<Admission, RefusedAs> {
    let latest = Some(ProtocolVersion::LATEST);
    let in_body = modern_evidence(request.params());
    // What is wrong with the body's own version is told before what is wrong with the header that repeats it.
    let name = in_body.map(modern::version_text).transpose().map_err(|refusal| (latest, refusal))?;
    let initialize = request.method().str_eq(Method::Initialize.as_str());
    let in_header = match version_header(headers) {
        // What a handshake's header says does not decide, but what is there twice may be read in two ways.
        Err(HeaderReason::Malformed) if initialize && in_body.is_none() => None,
        read => read.map_err(|reason| (None, refuse(header::PROTOCOL_VERSION, reason)))?,
    };
    let named = in_header.and_then(ProtocolVersion::parse);
    let modern_header = named.is_some_and(|version| version.era() == Era::Modern);

    if in_body.is_none() && !modern_header {
        // The versions of a handshake are negotiated in its body.
        let named = if initialize {
            None
        } else {
            served_handshake(in_header, served).map_err(|refusal| (named, refusal))?
        };
        return Ok(Admission::Handshake { named });
    }
    if initialize && in_body.is_none() {
        return Err((latest, Refusal::MethodNotFound));
    }
    admit_modern(request, headers, name.as_deref(), in_header, catalogue, served)
        .map(Admission::Modern)
        .map_err(|refusal| (latest, refusal))
}

/// The handshake revision that the version header of a request names.
///
/// # Errors
/// The refusal of a version that is unknown or not served.
pub(crate) fn handshake_version(
    headers: &dyn RequestHead,
    served: ServedVersions,
) -> Result<Option<ProtocolVersion>, Refusal> {
    let in_header = version_header(headers).map_err(|reason| refuse(header::PROTOCOL_VERSION, reason))?;
    served_handshake(in_header, served)
}

/// Tells whether the version header names a revision of the modern era.
pub(crate) fn names_modern_version(headers: &dyn RequestHead) -> bool {
    let named = version_header(headers).ok().flatten().and_then(ProtocolVersion::parse);
    named.is_some_and(|version| version.era() == Era::Modern)
}

fn served_handshake(
    in_header: Option<&str>,
    served: ServedVersions,
) -> Result<Option<ProtocolVersion>, Refusal> {
    let Some(name) = in_header else { return Ok(None) };
    match ProtocolVersion::parse(name) {
        Some(version) if served.contains(version) => Ok(Some(version)),
        Some(version) => {
            let supported = served.newest_first().collect();
            Err(Refusal::UnsupportedVersion { requested: version.as_str().into(), supported })
        }
        None => Err(modern::unsupported(name, served)),
    }
}

/// The version header's value, which may name a version that is not known.
fn version_header(headers: &dyn RequestHead) -> Result<Option<&str>, HeaderReason> {
    match headers.field(header::PROTOCOL_VERSION) {
        HeaderField::Absent => Ok(None),
        HeaderField::Repeated => Err(HeaderReason::Repeated),
        HeaderField::Once(raw) => std::str::from_utf8(raw.trim_ascii())
            .ok()
            .filter(|name| modern::may_name_version(name))
            .map(Some)
            .ok_or(HeaderReason::Malformed),
    }
}

fn admit_modern(
    request: &IncomingRequest,
    headers: &dyn RequestHead,
    in_body: Option<&str>,
    in_header: Option<&str>,
    catalogue: &Catalogue,
    served: ServedVersions,
) -> Result<Admitted, Refusal> {
    let params = request.params();
    let name = in_body.ok_or(Refusal::MissingMeta(meta_key::PROTOCOL_VERSION))?;
    match in_header {
        None => return Err(refuse(header::PROTOCOL_VERSION, HeaderReason::Missing)),
        Some(header) if header != name => {
            return Err(refuse(header::PROTOCOL_VERSION, HeaderReason::Mismatch));
        }
        Some(_) => {}
    }
    let version = modern::served_version(name, served)?;
    let meta = params.and_then(|params| params.get("_meta"));
    let meta = modern::read_meta(version, meta.ok_or(Refusal::MissingMeta(meta_key::PROTOCOL_VERSION))?)?;
    header::check_method(headers, request.method())?;
    let method = modern::method_in(request, version)?;
    header::check_name(headers, method, params)?;
    if method == Method::CallTool {
        // Each version of a tool has its own schema, and with it its own headers. What names no tool, or no version
        // of it, is refused later.
        let name = params.and_then(|params| params.get("name")?.as_str());
        let version = picked_version(params).ok().flatten();
        let tool = name.and_then(|name| catalogue.tool(&name, version.as_deref()).ok());
        if let Some(tool) = tool.filter(|tool| !tool.headers.is_empty()) {
            let arguments = params.and_then(|params| params.get("arguments"));
            header::check_params(headers, &tool.headers, arguments)?;
        }
    }
    Ok(Admitted { method, meta })
}
