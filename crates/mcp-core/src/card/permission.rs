//! What a card asks its host to let it use.

/// A capability of the browser that a card asks for. Hosts may refuse it: a card looks whether it has it.
///
/// Spec: SEP-1865, `UIResourceMeta.permissions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CardPermission {
    /// The camera.
    Camera,
    /// The microphone.
    Microphone,
    /// Where the user is.
    Geolocation,
    /// Writing to the clipboard.
    ClipboardWrite,
}

impl CardPermission {
    pub(super) const ALL: [Self; 4] =
        [Self::Camera, Self::Microphone, Self::Geolocation, Self::ClipboardWrite];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Camera => "camera",
            Self::Microphone => "microphone",
            Self::Geolocation => "geolocation",
            Self::ClipboardWrite => "clipboardWrite",
        }
    }
}
