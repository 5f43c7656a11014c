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
    /// Forms for the user.
    Elicitation,
    /// The `mode` of an elicitation, and pages for the user to open.
    UrlElicitation,
    /// `elicitationId` on pages for the user to open.
    ElicitationIds,
    /// Titled and multiple choices in forms, and defaults of every type.
    RichForms,
    /// Tools in sampling, and several content blocks in one sampling message.
    SamplingTools,
    /// `sampling.context` as the condition for `includeContext`.
    SamplingContextCapability,
    /// Ids on the events of a stream, by which it is resumed.
    EventIds,
    /// A first event that carries an id and no data, and streams that the server closes for the client to resume.
    PrimingEvents,
    /// Tasks as part of the core: the client asks for them with its call.
    CoreTasks,
    /// Tasks as an extension: the server decides, for clients that declare it.
    TasksExtension,
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
            | Self::CompletionContext
            | Self::Elicitation => (V2025_06_18, V2026_07_28),
            Self::Icons
            | Self::InputErrorsAsResults
            | Self::ErrorWithoutId
            | Self::UrlElicitation
            | Self::RichForms
            | Self::SamplingTools
            | Self::SamplingContextCapability => (V2025_11_25, V2026_07_28),
            Self::ElicitationIds | Self::CoreTasks => (V2025_11_25, V2025_11_25),
            Self::AnyStructuredContent
            | Self::ResultType
            | Self::CacheHints
            | Self::ServerInfoMeta
            | Self::Extensions
            | Self::TasksExtension
            | Self::ModernMethods => (V2026_07_28, V2026_07_28),
            Self::EventIds => (V2025_03_26, V2025_11_25),
            Self::PrimingEvents => (V2025_11_25, V2025_11_25),
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

    #[test]
    fn elicitation_grows_over_the_revisions() {
        let having = |feature| ProtocolVersion::ALL.map(|version| version.has(feature));
        assert_eq!(having(Feature::Elicitation), [false, false, true, true, true]);
        assert_eq!(having(Feature::UrlElicitation), [false, false, false, true, true]);
        assert_eq!(having(Feature::ElicitationIds), [false, false, false, true, false]);
    }
}
