//! The table: what each refusal is on the wire.

use super::{HeaderReason, Refusal};
use crate::{
    admit::Reason,
    jsonrpc::ErrorCode,
    registry::{TOOL_VERSION, TOOL_VERSIONS},
    version::{Era, Feature, ProtocolVersion},
};
use serde_json::{Value, json};

/// An error as it goes out: the JSON-RPC `error` member and the HTTP status that carries it.
#[derive(Debug)]
pub struct WireError {
    /// The JSON-RPC code.
    pub code: ErrorCode,
    /// The message; standard for parse errors, unsound messages and unknown methods.
    pub message: Box<str>,
    /// Structured data about the error.
    pub data: Option<Value>,
    /// The HTTP status, when HTTP carries it and nothing was sent yet.
    pub status: u16,
}

impl Refusal {
    /// The table: code, message, data and HTTP status for a caller of the given revision.
    ///
    /// `version` is `None` when the refusal came before the revision was known.
    #[must_use]
    pub fn on_wire(&self, version: Option<ProtocolVersion>) -> WireError {
        let modern = version.is_some_and(|version| version.has(Feature::ModernMethods));
        let handshake = version.is_some_and(|version| version.has(Feature::HandshakeMethods));
        let standard =
            |code: ErrorCode, status| WireError { code, message: code.message().into(), data: None, status };
        let params = |message: String, status| WireError {
            code: ErrorCode::InvalidParams,
            message: message.into_boxed_str(),
            data: None,
            status,
        };
        match self {
            Self::Parse(_) => standard(ErrorCode::ParseError, 400),
            // What is unsound about a message is told in the log only: its sender wrote all of it.
            Self::InvalidRequest(_) | Self::Batch | Self::UnexpectedResponse | Self::DuplicateId => {
                standard(ErrorCode::InvalidRequest, 400)
            }
            Self::BatchTooLong { messages, most } => WireError {
                message: format!(
                    "the batch has {messages} messages, more than `limits.batch_messages` allows ({most})"
                )
                .into(),
                ..standard(ErrorCode::InvalidRequest, 400)
            },
            Self::MethodNotFound => standard(ErrorCode::MethodNotFound, if modern { 404 } else { 200 }),
            Self::MissingMeta(key) => {
                params(format!("required `_meta` key `{key}` is missing"), 400).because(Reason::MissingMeta)
            }
            Self::InvalidMeta { key, expected } => {
                // In the handshake era `_meta` is a part of the parameters like any other.
                params(format!("`_meta` key `{key}` must be {expected}"), if handshake { 200 } else { 400 })
                    .because(Reason::MetaShape)
            }
            // A code of the newest revision says nothing to a caller who is known to speak an older one.
            Self::Header { .. } if handshake => standard(ErrorCode::InvalidRequest, 400),
            Self::Header { header, reason } => header_mismatch(header, *reason),
            Self::UnsupportedVersion { requested, supported } => WireError {
                data: Some(json!({ "supported": names(supported), "requested": requested })),
                ..standard(ErrorCode::UnsupportedProtocolVersion, 400)
            }
            .because(Reason::UnsupportedVersion),
            Self::HandshakeNeeded { supported } => WireError {
                data: Some(json!({ "supported": names(supported) })),
                ..params(format!("{}; served: {}", beginnings(supported), names(supported).join(", ")), 400)
            }
            .because(Reason::HandshakeNeeded),
            Self::InitializeFirst => WireError {
                message: "send `initialize` first, and `notifications/initialized` once it is answered"
                    .into(),
                ..standard(ErrorCode::InvalidRequest, 200)
            },
            Self::InitializedFirst => WireError {
                message: "send `notifications/initialized` first: the handshake is complete with it".into(),
                ..standard(ErrorCode::InvalidRequest, 200)
            },
            Self::InvalidParams(message) => params(message.clone().into_string(), 200),
            Self::UnknownTool(name) => params(format!("unknown tool `{}`", clip(name)), 200),
            Self::UnknownToolVersion { tool, version, available } => {
                unknown_tool_version(tool, version, available)
            }
            Self::UnknownPrompt(name) => params(format!("unknown prompt `{}`", clip(name)), 200),
            Self::ResourceNotFound(uri) => not_found(uri, version),
            Self::InvalidCursor => {
                params("the cursor is not valid for this list; list again without one".to_owned(), 200)
            }
            // Before 2026-07-28 a status says something about the session, and this is none of its business.
            Self::PolicyFailed => standard(ErrorCode::InternalError, if modern { 500 } else { 200 }),
            Self::SessionIdMissing => WireError {
                message: "the header `Mcp-Session-Id` is missing; begin with `initialize`".into(),
                ..standard(ErrorCode::InvalidRequest, 400)
            },
            Self::UnknownSession => WireError {
                message: "there is no such session; begin again with `initialize`".into(),
                ..standard(ErrorCode::InvalidRequest, 404)
            },
            Self::UnknownEvent => WireError {
                message: "the stream cannot be resumed after `Last-Event-ID`: the event is not kept".into(),
                ..standard(ErrorCode::InvalidRequest, 400)
            },
            Self::InvalidRequestState => {
                params("`requestState` is not valid for this request; repeat it without".to_owned(), 200)
            }
            Self::StoreUnavailable => WireError {
                message: "the server's store is not available; try again later".into(),
                ..standard(ErrorCode::InternalError, 503)
            },
            Self::UnknownTask => params("there is no such task".to_owned(), 200),
            Self::TaskSettled => params("the task has ended and cannot be cancelled any more".to_owned(), 200),
            Self::TaskElsewhere => WireError {
                message: "the task does not run in this process of the server, which can take no answers for it"
                    .into(),
                ..standard(ErrorCode::InternalError, 503)
            },
            // Spec: 2025-11-25, basic/utilities/tasks#tool-level-negotiation.
            Self::TaskRequired(name) => WireError {
                message: format!(
                    "the tool `{}` runs as a task only: call it with `task` on 2025-11-25, or declare the extension `io.modelcontextprotocol/tasks` on 2026-07-28",
                    clip(name)
                )
                .into(),
                ..standard(ErrorCode::MethodNotFound, 200)
            },
            Self::TaskForbidden(name) => WireError {
                message: format!("the tool `{}` does not run as a task: call it without `task`", clip(name)).into(),
                ..standard(ErrorCode::MethodNotFound, 200)
            },
            Self::Limit { setting } => WireError {
                message: format!("the server is at its limit `{setting}`; try again later").into(),
                ..standard(ErrorCode::InternalError, 503)
            },
            Self::TimedOut { after, setting } => WireError {
                message: format!("the request took longer than {after:?} (setting: {setting})").into(),
                // Clients of the handshake era take what is no success for a failure of the transport.
                ..standard(ErrorCode::InternalError, if handshake { 200 } else { 504 })
            },
            Self::DeadlinePassed => WireError {
                message: "the request took longer than it may (setting: request_deadline)".into(),
                ..standard(ErrorCode::InternalError, 504)
            },
            Self::ShuttingDown => WireError {
                message: "the server is shutting down".into(),
                ..standard(ErrorCode::InternalError, 503)
            },
            Self::Internal => standard(ErrorCode::InternalError, 200),
        }
    }
}

impl WireError {
    /// Adds the reason to the data, beside what is there.
    fn because(mut self, reason: Reason) -> Self {
        let data = self.data.get_or_insert_with(|| json!({}));
        data["reason"] = reason.as_str().into();
        self
    }
}

/// A header's name is one of ours or of a tool's schema, never what the request calls it.
fn header_mismatch(header: &str, reason: HeaderReason) -> WireError {
    let text = match reason {
        HeaderReason::Missing => "is required and missing",
        HeaderReason::Repeated => "is there more than once",
        HeaderReason::Malformed => "cannot be decoded",
        HeaderReason::Mismatch => "does not match the body",
    };
    WireError {
        code: ErrorCode::HeaderMismatch,
        message: format!("Header mismatch: `{header}` {text}").into(),
        data: Some(json!({ "header": header })),
        status: 400,
    }
    .because(reason.on_wire())
}

/// Names the versions that can be called, as many as a reader takes in.
fn unknown_tool_version(tool: &str, version: &str, available: &[Box<str>]) -> WireError {
    let (tool, version) = (clip(tool), clip(version));
    let names: Vec<&str> = available.iter().take(20).map(|name| &**name).collect();
    let message = if names.is_empty() {
        format!("tool `{tool}` has no versions; call it without `{TOOL_VERSION}`")
    } else {
        let more = if names.len() < available.len() { ", …" } else { "" };
        format!("tool `{tool}` has no version `{version}`; available: {}{more}", names.join(", "))
    };
    WireError {
        code: ErrorCode::InvalidParams,
        message: message.into(),
        data: Some(json!({ TOOL_VERSIONS: names })),
        status: 200,
    }
}

/// The answer for a resource that does not exist, which changed its code between the eras.
pub(crate) fn not_found(uri: &str, version: Option<ProtocolVersion>) -> WireError {
    let old = version.is_some_and(|version| version.has(Feature::ResourceNotFoundCode));
    WireError {
        code: if old { ErrorCode::ResourceNotFound } else { ErrorCode::InvalidParams },
        message: "Resource not found".into(),
        data: Some(json!({ "uri": uri })),
        status: 200,
    }
}

/// Names come from the peer: what goes back is cut to a bounded length.
fn clip(text: &str) -> &str {
    match text.char_indices().nth(128) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

/// How a client may begin, where these versions are served.
fn beginnings(supported: &[ProtocolVersion]) -> &'static str {
    let era = |era| supported.iter().any(|version| version.era() == era);
    match (era(Era::Handshake), era(Era::Modern)) {
        (true, false) => "send `initialize` first",
        (false, true) => "name the protocol version in `_meta`",
        _ => "send `initialize` first, or name the protocol version in `_meta`",
    }
}

fn names(versions: &[ProtocolVersion]) -> Vec<&'static str> {
    versions.iter().map(|version| version.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Document, JsonLimits};
    use bytes::Bytes;

    #[test]
    fn codec_refusals_carry_the_standard_message_and_nothing_else() {
        let fault = Document::parse(Bytes::from_static(b"{"), &JsonLimits::default()).unwrap_err();
        for refusal in [
            Refusal::Parse(fault),
            Refusal::InvalidRequest("why"),
            Refusal::Batch,
            Refusal::UnexpectedResponse,
            Refusal::DuplicateId,
            Refusal::MethodNotFound,
        ] {
            for version in ProtocolVersion::ALL.map(Some).into_iter().chain([None]) {
                let error = refusal.on_wire(version);
                assert_eq!((&*error.message, error.data), (error.code.message(), None), "{refusal:?}");
            }
        }
    }

    #[test]
    fn a_batch_that_is_too_long_is_told_what_bounds_it() {
        let error = Refusal::BatchTooLong { messages: 7, most: 5 }.on_wire(None);
        assert_eq!((error.code.number(), error.status), (-32600, 400));
        assert!(["7", "(5)", "limits.batch_messages"].iter().all(|part| error.message.contains(part)));
    }

    #[test]
    fn an_unknown_method_is_404_only_for_modern_callers() {
        assert_eq!(Refusal::MethodNotFound.on_wire(Some(ProtocolVersion::LATEST)).status, 404);
        assert_eq!(Refusal::MethodNotFound.on_wire(Some(ProtocolVersion::LATEST_HANDSHAKE)).status, 200);
    }

    #[test]
    fn a_missing_resource_changes_its_code_between_the_eras() {
        let refusal = Refusal::ResourceNotFound("x:y".into());
        assert_eq!(refusal.on_wire(Some(ProtocolVersion::V2025_11_25)).code.number(), -32002);
        let modern = refusal.on_wire(Some(ProtocolVersion::V2026_07_28));
        assert_eq!(modern.code.number(), -32602);
        assert_eq!(modern.data.unwrap()["uri"], "x:y");
    }

    #[test]
    fn names_from_the_peer_come_back_clipped() {
        let error = Refusal::UnknownTool("é".repeat(10_000).into()).on_wire(None);
        assert!(error.message.len() < 300);
    }
}
