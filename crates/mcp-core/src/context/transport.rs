//! The way a request came in.

/// The transport that carries a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transport {
    /// A byte stream of newline-delimited messages.
    Stdio,
    /// Streamable HTTP.
    Http,
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
            Self::InProcess => "in-process",
        }
    }
}
