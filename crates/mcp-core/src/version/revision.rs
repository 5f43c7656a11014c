//! The five revisions of the protocol, as one ordered type.

use std::fmt;

/// One revision of the Model Context Protocol, ordered by date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the set of revisions is closed: a new one changes every table here"
)]
pub enum ProtocolVersion {
    /// The first revision.
    V2024_11_05,
    /// Streamable HTTP, batching, audio, tool annotations, completion capability.
    V2025_03_26,
    /// Structured output, elicitation, resource links, titles; batching removed.
    V2025_06_18,
    /// Icons, tasks (experimental), tool names, input errors as tool results.
    V2025_11_25,
    /// Stateless: no handshake, per-request `_meta`, multi round trips.
    V2026_07_28,
}

/// How a client and a server come to know each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "every request belongs to one of two eras")]
pub enum Era {
    /// Revisions that begin with `initialize` and keep what it agreed on.
    Handshake,
    /// Revisions in which every request carries its version and capabilities in `_meta`.
    Modern,
}

impl ProtocolVersion {
    /// Every revision, oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The newest revision.
    pub const LATEST: Self = Self::V2026_07_28;

    /// The newest revision that begins with `initialize`.
    pub const LATEST_HANDSHAKE: Self = Self::V2025_11_25;

    /// The revision that HTTP requests without a version header belong to.
    ///
    /// Spec: 2025-06-18, basic/transports#protocol-version-header.
    pub const ASSUMED_WITHOUT_HEADER: Self = Self::V2025_03_26;

    /// The revision's name on the wire, a date.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Reads a revision's name; `None` for a name that no known revision has.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.as_str() == name)
    }

    /// The era the revision belongs to.
    #[must_use]
    pub const fn era(self) -> Era {
        match self {
            Self::V2026_07_28 => Era::Modern,
            _ => Era::Handshake,
        }
    }

    /// The position in [`ProtocolVersion::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::V2024_11_05 => 0,
            Self::V2025_03_26 => 1,
            Self::V2025_06_18 => 2,
            Self::V2025_11_25 => 3,
            Self::V2026_07_28 => 4,
        }
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_dates_order() {
        for (position, version) in ProtocolVersion::ALL.into_iter().enumerate() {
            assert_eq!(ProtocolVersion::parse(version.as_str()), Some(version));
            assert_eq!(version.index(), position);
        }
        assert!(ProtocolVersion::ALL.is_sorted());
        assert_eq!(ProtocolVersion::parse("2026-7-28"), None);
    }

    #[test]
    fn only_the_newest_revision_is_modern() {
        let modern: Vec<_> = ProtocolVersion::ALL.into_iter().filter(|v| v.era() == Era::Modern).collect();
        assert_eq!(modern, [ProtocolVersion::LATEST]);
    }
}
