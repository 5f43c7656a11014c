//! The way a request came in.

/// The transport that carries a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transport {
    /// A byte stream of newline-delimited messages.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE of 2024-11-05: one event stream for everything the server says, a POST for each message of the
    /// client.
    LegacySse,
    /// A call from the same process, without a transport.
    InProcess,
}

impl Transport {
    /// The transport's name in logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::LegacySse => "http+sse",
            Self::InProcess => "in-process",
        }
    }
}
