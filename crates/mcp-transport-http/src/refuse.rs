//! Refusals of HTTP itself, before anything of the protocol is looked at.

use crate::serve::Stalled;
use axum::body::Body;
use http::{HeaderValue, Response, StatusCode, header};
use mcp_core::jsonrpc::ErrorCode;
use std::fmt;

/// Why a request is refused; each names the setting that governs it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum HttpRefusal {
    /// The method is not served; `sessions` tells whether those of sessions are.
    Method {
        sessions: bool,
    },
    Host(String),
    HostTwice,
    Origin(String),
    MediaType,
    Encoded,
    NotAcceptable,
    ListenNeedsEvents,
    StreamNeedsEvents,
    TooLarge {
        limit: usize,
    },
    BodyTimeout,
    BodyStalled,
    BodyBroken,
    Streams,
    /// The stream of HTTP+SSE is opened by GET only.
    LegacyStreamMethod,
    /// Messages of HTTP+SSE come by POST only.
    LegacyMessageMethod,
    /// A message of HTTP+SSE names no stream.
    LegacyStreamMissing,
    /// There is no such stream of HTTP+SSE, or it belongs to someone else.
    LegacyStreamUnknown,
    /// There are too many sessions of HTTP+SSE; the setting says of whom.
    LegacySessions {
        setting: &'static str,
    },
    ShuttingDown,
    Deadline,
}

impl HttpRefusal {
    const fn status(&self) -> StatusCode {
        match self {
            Self::Method { .. } | Self::LegacyStreamMethod | Self::LegacyMessageMethod => {
                StatusCode::METHOD_NOT_ALLOWED
            }
            Self::Host(_) | Self::Origin(_) => StatusCode::FORBIDDEN,
            Self::MediaType | Self::Encoded => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::NotAcceptable | Self::ListenNeedsEvents | Self::StreamNeedsEvents => {
                StatusCode::NOT_ACCEPTABLE
            }
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTimeout | Self::BodyStalled => StatusCode::REQUEST_TIMEOUT,
            Self::Deadline => StatusCode::GATEWAY_TIMEOUT,
            Self::HostTwice | Self::BodyBroken | Self::LegacyStreamMissing => StatusCode::BAD_REQUEST,
            Self::LegacyStreamUnknown => StatusCode::NOT_FOUND,
            Self::Streams | Self::LegacySessions { .. } | Self::ShuttingDown => {
                StatusCode::SERVICE_UNAVAILABLE
            }
        }
    }

    /// The methods that are served where this one is not.
    const fn allowed(&self) -> Option<&'static str> {
        match self {
            Self::Method { sessions: true } => Some("GET, POST, DELETE, OPTIONS"),
            Self::Method { sessions: false } | Self::LegacyMessageMethod => Some("POST, OPTIONS"),
            Self::LegacyStreamMethod => Some("GET, OPTIONS"),
            _ => None,
        }
    }

    /// What the request named, for the log: answers repeat nothing of a request.
    fn named(&self) -> Option<&str> {
        match self {
            Self::Host(named) | Self::Origin(named) => Some(named),
            _ => None,
        }
    }

    pub(crate) fn into_response(self) -> Response<Body> {
        tracing::info!(target: "mcp::http", status = self.status().as_u16(), reason = %self, named = self.named(), "a request is refused");
        let mut response = error_response(self.status(), &self.to_string());
        if let Some(allowed) = self.allowed() {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
        }
        if self.status() == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        if matches!(self, Self::TooLarge { .. } | Self::BodyTimeout | Self::BodyStalled | Self::Deadline) {
            // The rest of the body may not have been read, so the connection cannot be used again.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

impl fmt::Display for HttpRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Method { sessions: false } => formatter.write_str("this endpoint takes POST"),
            Self::Method { sessions: true } => formatter.write_str(
                "this endpoint takes POST, and GET and DELETE with the `Mcp-Session-Id` of a session",
            ),
            Self::Host(_) => {
                formatter.write_str("this host is not allowed (setting: allowed_hosts, or public_url)")
            }
            Self::HostTwice => formatter.write_str("a request names its `Host` once"),
            Self::Origin(_) => formatter.write_str("this origin is not allowed (setting: allowed_origins)"),
            Self::MediaType => {
                formatter.write_str("the body must be declared as `Content-Type: application/json`")
            }
            Self::Encoded => formatter.write_str("the body must come without a content coding or transfer coding, such as gzip"),
            Self::NotAcceptable => formatter.write_str(
                "answers are `application/json` or `text/event-stream`; accept at least one of them",
            ),
            Self::ListenNeedsEvents => {
                formatter.write_str("a listen stream is `text/event-stream`; accept it")
            }
            Self::StreamNeedsEvents => {
                formatter.write_str("the stream of a session is `text/event-stream`; accept it")
            }
            Self::TooLarge { limit } => {
                write!(
                    formatter,
                    "the body is larger than {limit} bytes (settings: body_bytes and limits.message.document_bytes)"
                )
            }
            Self::BodyTimeout => {
                formatter.write_str("the body did not arrive in time (setting: body_timeout)")
            }
            Self::BodyStalled => write!(formatter, "{Stalled}"),
            Self::BodyBroken => formatter.write_str("the body ended before it was complete"),
            Self::Deadline => formatter
                .write_str("the request took longer than it may as a whole (setting: request_deadline)"),
            Self::Streams => formatter.write_str("too many event streams are open (setting: max_streams)"),
            Self::LegacyStreamMethod => formatter.write_str(
                "this is the stream of HTTP+SSE: open it with GET, and post messages to the URL that it tells first",
            ),
            Self::LegacyMessageMethod => {
                formatter.write_str("this takes the messages of HTTP+SSE, by POST; its stream is elsewhere")
            }
            Self::LegacyStreamMissing => formatter
                .write_str("the stream is not named once: post to the URL that the event `endpoint` of the stream told"),
            Self::LegacyStreamUnknown => {
                formatter.write_str("there is no such stream; open one with GET and begin with `initialize`")
            }
            Self::ShuttingDown => formatter.write_str("the server is shutting down"),
            Self::LegacySessions { setting } => {
                write!(formatter, "the server is at its limit `{setting}`; try again later")
            }
        }
    }
}

/// A JSON-RPC error without id, as the body of an HTTP error.
pub(crate) fn error_response(status: StatusCode, message: &str) -> Response<Body> {
    let mut body = Vec::with_capacity(96 + message.len());
    let code = if status.is_server_error() { ErrorCode::InternalError } else { ErrorCode::InvalidRequest };
    let head = format!("{{\"jsonrpc\":\"2.0\",\"error\":{{\"code\":{},\"message\":", code.number());
    body.extend_from_slice(head.as_bytes());
    mcp_core::json::write_string(&mut body, message);
    body.extend_from_slice(b"}}");
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
