//! Which model the server would like.

/// Which model the server would like; the client decides.
///
/// Spec: 2026-07-28, schema `ModelPreferences`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelPreferences {
    pub(crate) hints: Vec<Box<str>>,
    pub(crate) cost: Option<f64>,
    pub(crate) speed: Option<f64>,
    pub(crate) intelligence: Option<f64>,
}

impl ModelPreferences {
    /// No preferences yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a model's name or a part of one, after those added before.
    #[must_use]
    pub fn hint(mut self, name: impl Into<Box<str>>) -> Self {
        self.hints.push(name.into());
        self
    }

    /// Says how much cost matters, from 0 (not at all) to 1 (most); values outside are clamped.
    #[must_use]
    pub fn cost(mut self, priority: f64) -> Self {
        self.cost = Some(clamped(priority));
        self
    }

    /// Says how much speed matters, from 0 (not at all) to 1 (most); values outside are clamped.
    #[must_use]
    pub fn speed(mut self, priority: f64) -> Self {
        self.speed = Some(clamped(priority));
        self
    }

    /// Says how much intelligence matters, from 0 (not at all) to 1 (most); values outside are clamped.
    #[must_use]
    pub fn intelligence(mut self, priority: f64) -> Self {
        self.intelligence = Some(clamped(priority));
        self
    }
}

fn clamped(priority: f64) -> f64 {
    if priority.is_nan() { 0.0 } else { priority.clamp(0.0, 1.0) }
}
