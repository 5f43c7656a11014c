//! Hints about who content is for and how much it matters.

/// Who speaks, or who something is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification knows these two roles")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// The role's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// Optional hints on content, resources and templates.
///
/// Spec: 2026-07-28, server/resources#annotations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    pub(crate) audience: Vec<Role>,
    pub(crate) priority: Option<f64>,
    pub(crate) last_modified: Option<Box<str>>,
}

impl Annotations {
    /// No hints yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Names who the content is for.
    #[must_use]
    pub fn audience(mut self, roles: impl IntoIterator<Item = Role>) -> Self {
        self.audience = roles.into_iter().collect();
        self
    }

    /// Says how important the content is, from 0 (optional) to 1 (required); values outside are clamped.
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(if priority.is_nan() { 0.0 } else { priority.clamp(0.0, 1.0) });
        self
    }

    /// Says when the content last changed, as an ISO 8601 date and time.
    #[must_use]
    pub fn last_modified(mut self, at: impl Into<Box<str>>) -> Self {
        self.last_modified = Some(at.into());
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.audience.is_empty() && self.priority.is_none() && self.last_modified.is_none()
    }
}
