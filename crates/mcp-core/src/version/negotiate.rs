//! Which revisions a server serves, and the choice made in a handshake.

use super::{Era, ProtocolVersion};

/// The revisions a server serves; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServedVersions {
    served: [bool; ProtocolVersion::ALL.len()],
}

/// Why a set of revisions cannot be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VersionFault {
    /// The set is empty.
    #[error("no protocol version is served: name at least one")]
    Empty,
}

impl Default for ServedVersions {
    /// Every known revision.
    fn default() -> Self {
        Self { served: [true; ProtocolVersion::ALL.len()] }
    }
}

impl ServedVersions {
    /// Serves just these revisions.
    ///
    /// # Errors
    /// [`VersionFault::Empty`] when none is named.
    pub fn only(versions: impl IntoIterator<Item = ProtocolVersion>) -> Result<Self, VersionFault> {
        let mut served = [false; ProtocolVersion::ALL.len()];
        for version in versions {
            if let Some(slot) = served.get_mut(version.index()) {
                *slot = true;
            }
        }
        if served.contains(&true) { Ok(Self { served }) } else { Err(VersionFault::Empty) }
    }

    /// Tells whether the revision is served.
    #[must_use]
    pub fn contains(self, version: ProtocolVersion) -> bool {
        self.served.get(version.index()).copied().unwrap_or(false)
    }

    /// The served revisions, newest first.
    pub fn newest_first(self) -> impl Iterator<Item = ProtocolVersion> {
        ProtocolVersion::ALL.into_iter().rev().filter(move |version| self.contains(*version))
    }

    /// The served revisions of one era, newest first.
    pub fn of(self, era: Era) -> impl Iterator<Item = ProtocolVersion> {
        self.newest_first().filter(move |version| version.era() == era)
    }

    /// Chooses the revision of a handshake: the requested one when it is served, otherwise the
    /// newest served handshake revision; `None` when no handshake revision is served.
    ///
    /// A modern revision requested by `initialize` is treated as unknown, because it has no handshake.
    ///
    /// Spec: 2025-11-25, basic/lifecycle#version-negotiation.
    #[must_use]
    pub fn negotiate(self, requested: &str) -> Option<ProtocolVersion> {
        ProtocolVersion::parse(requested)
            .filter(|version| version.era() == Era::Handshake && self.contains(*version))
            .or_else(|| self.of(Era::Handshake).next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_handshake_revision_is_echoed() {
        let all = ServedVersions::default();
        for version in ProtocolVersion::ALL.into_iter().filter(|v| v.era() == Era::Handshake) {
            assert_eq!(all.negotiate(version.as_str()), Some(version));
        }
    }

    #[test]
    fn unknown_and_modern_revisions_get_the_newest_handshake_revision() {
        let all = ServedVersions::default();
        for requested in ["2099-01-01", "DRAFT-2026-v1", "1900-01-01", "", ProtocolVersion::LATEST.as_str()] {
            assert_eq!(all.negotiate(requested), Some(ProtocolVersion::LATEST_HANDSHAKE), "{requested}");
        }
    }

    #[test]
    fn a_modern_only_server_negotiates_nothing() {
        let modern = ServedVersions::only([ProtocolVersion::LATEST]).unwrap();
        assert_eq!(modern.negotiate("2025-11-25"), None);
        assert_eq!(ServedVersions::only([]), Err(VersionFault::Empty));
    }
}
