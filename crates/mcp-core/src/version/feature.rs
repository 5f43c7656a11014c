//! The table of facts: what each revision has on the wire.

use super::ProtocolVersion;
use ProtocolVersion::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

/// Something that some revisions have and others do not.
///
/// A caller asks `version.has(Feature::…)`; nothing else in the workspace compares revisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// Arrays of messages.
    Batching,
    /// Audio content blocks.
    AudioContent,
    /// The `message` of a progress notification.
    ProgressMessage,
    /// `annotations` on tools.
    ToolAnnotations,
    /// The `completions` server capability.
    CompletionsCapability,
    /// `title` beside `name`, and `_meta` on definitions and contents.
    Titles,
    /// `outputSchema` and object-valued `structuredContent`.
    StructuredContent,
    /// `structuredContent` and `outputSchema` of any JSON type.
    AnyStructuredContent,
    /// Resource links as content.
    ResourceLinks,
    /// `lastModified` in annotations.
    LastModified,
    /// `context` of a completion request.
    CompletionContext,
    /// `icons`, and `description` and `websiteUrl` of an implementation.
    Icons,
    /// Arguments that do not fit the schema come back as a tool result, not as `-32602`.
    InputErrorsAsResults,
    /// `resultType` on results.
    ResultType,
    /// `ttlMs` and `cacheScope` on cacheable results.
    CacheHints,
    /// The server's identity in the `_meta` of results.
    ServerInfoMeta,
    /// `-32002` for a resource that is not found, in place of `-32602`.
    ResourceNotFoundCode,
    /// `extensions` among the server's capabilities.
    Extensions,
    /// `id` may be left out of an error that answers no readable request.
    ErrorWithoutId,
    /// `ping`, `logging/setLevel`, `resources/subscribe` and `resources/unsubscribe`.
    HandshakeMethods,
    /// `server/discover` and `subscriptions/listen`.
    ModernMethods,
}

impl ProtocolVersion {
    /// Tells whether the revision has the feature.
    #[must_use]
    pub fn has(self, feature: Feature) -> bool {
        let (since, until) = feature.lifetime();
        since <= self && self <= until
    }
}

impl Feature {
    /// The first and the last revision that have the feature.
    const fn lifetime(self) -> (ProtocolVersion, ProtocolVersion) {
        match self {
            Self::Batching => (V2025_03_26, V2025_03_26),
            Self::AudioContent
            | Self::ProgressMessage
            | Self::ToolAnnotations
            | Self::CompletionsCapability => (V2025_03_26, V2026_07_28),
            Self::Titles
            | Self::StructuredContent
            | Self::ResourceLinks
            | Self::LastModified
            | Self::CompletionContext => (V2025_06_18, V2026_07_28),
            Self::Icons | Self::InputErrorsAsResults | Self::ErrorWithoutId => (V2025_11_25, V2026_07_28),
            Self::AnyStructuredContent
            | Self::ResultType
            | Self::CacheHints
            | Self::ServerInfoMeta
            | Self::Extensions
            | Self::ModernMethods => (V2026_07_28, V2026_07_28),
            Self::ResourceNotFoundCode | Self::HandshakeMethods => (V2024_11_05, V2025_11_25),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batching_lives_in_one_revision_only() {
        let with: Vec<_> =
            ProtocolVersion::ALL.into_iter().filter(|version| version.has(Feature::Batching)).collect();
        assert_eq!(with, [V2025_03_26]);
    }

    #[test]
    fn the_not_found_code_ends_with_the_handshake() {
        assert!(V2025_11_25.has(Feature::ResourceNotFoundCode));
        assert!(!V2026_07_28.has(Feature::ResourceNotFoundCode));
    }
}
