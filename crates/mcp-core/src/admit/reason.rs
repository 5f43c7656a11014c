//! The closed set of reasons why the versions, headers and `_meta` of a message keep it from being served.

use std::fmt;

/// Why a message is refused before it is served, as a word for programs: `error.data.reason` on the wire.
///
/// A word says what kind of fault it is and never repeats anything of the request. A client that does not know a
/// word takes it for a fault of its own headers, `_meta` or version all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A routing header that the request needs is absent.
    MissingHeader,
    /// A routing header differs from the body, is there more than once, or cannot be decoded.
    HeaderMismatch,
    /// A `_meta` key that every request of the revision carries is absent.
    MissingMeta,
    /// A `_meta` key has a value of the wrong shape.
    MetaShape,
    /// The protocol version is well formed and not served in this way.
    UnsupportedVersion,
    /// Neither a handshake nor a version in `_meta` came before: nothing says which revision is spoken.
    HandshakeNeeded,
}

impl Reason {
    /// Every reason there is.
    pub const ALL: [Self; 6] = [
        Self::MissingHeader,
        Self::HeaderMismatch,
        Self::MissingMeta,
        Self::MetaShape,
        Self::UnsupportedVersion,
        Self::HandshakeNeeded,
    ];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MissingHeader => "MISSING_HEADER",
            Self::HeaderMismatch => "HEADER_MISMATCH",
            Self::MissingMeta => "MISSING_META",
            Self::MetaShape => "META_SHAPE",
            Self::UnsupportedVersion => "UNSUPPORTED_VERSION",
            Self::HandshakeNeeded => "HANDSHAKE_NEEDED",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
