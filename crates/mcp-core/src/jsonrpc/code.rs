//! The error codes a server may answer with.

/// A JSON-RPC error code and the standard message that goes with it.
///
/// Codes of our own lie outside the range JSON-RPC reserves (`-32768..=-32000`).
///
/// Spec: 2026-07-28, basic#error-codes; JSON-RPC 2.0 section 5.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The bytes are not one JSON text within the limits.
    ParseError,
    /// The JSON text is not a JSON-RPC message.
    InvalidRequest,
    /// The method does not exist, or belongs to a capability that is not advertised.
    MethodNotFound,
    /// The parameters do not fit the method.
    InvalidParams,
    /// The server failed.
    InternalError,
    /// The resource does not exist (handshake revisions).
    ResourceNotFound,
    /// The user has to open a page first (2025-11-25).
    UrlElicitationRequired,
    /// A routing header is missing or disagrees with the body.
    HeaderMismatch,
    /// The request needs a client capability that it did not declare.
    MissingClientCapability,
    /// The protocol version is not served.
    UnsupportedProtocolVersion,
    /// A code chosen by a handler.
    Custom(i32),
}

impl ErrorCode {
    /// The number on the wire.
    #[must_use]
    pub const fn number(self) -> i32 {
        match self {
            Self::ParseError => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::InternalError => -32603,
            Self::ResourceNotFound => -32002,
            Self::UrlElicitationRequired => -32042,
            Self::HeaderMismatch => -32020,
            Self::MissingClientCapability => -32021,
            Self::UnsupportedProtocolVersion => -32022,
            Self::Custom(number) => number,
        }
    }

    /// The standard message.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::ParseError => "Parse error",
            Self::InvalidRequest => "Invalid Request",
            Self::MethodNotFound => "Method not found",
            Self::InvalidParams => "Invalid params",
            Self::InternalError => "Internal error",
            Self::ResourceNotFound => "Resource not found",
            Self::UrlElicitationRequired => "URL elicitation required",
            Self::HeaderMismatch => "Header mismatch",
            Self::MissingClientCapability => "Missing required client capability",
            Self::UnsupportedProtocolVersion => "Unsupported protocol version",
            Self::Custom(_) => "Error",
        }
    }
}
