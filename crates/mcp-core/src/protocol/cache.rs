//! How long, and by whom, an answer may be reused.

use std::time::Duration;

/// Who may share a cached answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification knows these two scopes")]
pub enum CacheScope {
    /// Anyone: the answer is the same for every caller.
    Public,
    /// Only the caller it was made for.
    #[default]
    Private,
}

impl CacheScope {
    /// The scope's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}

/// The hints that go out with a cacheable result.
///
/// Spec: 2026-07-28, server/utilities/caching.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheHints {
    /// How long the answer stays fresh; zero means: ask again each time. Millisecond precision.
    pub ttl: Duration,
    /// Who may share it.
    pub scope: CacheScope,
}
