//! Who a server or client says it is.

use super::Icon;

/// The name, version and looks of a server.
///
/// Spec: 2026-07-28, schema `Implementation`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Implementation {
    pub(crate) name: Box<str>,
    pub(crate) version: Box<str>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) website_url: Option<Box<str>>,
    pub(crate) icons: Vec<Icon>,
}

impl Implementation {
    /// An implementation by name and version; both must be non-blank.
    #[must_use]
    pub fn new(name: impl Into<Box<str>>, version: impl Into<Box<str>>) -> Self {
        Self { name: name.into(), version: version.into(), ..Self::default() }
    }

    /// Sets the name shown to people.
    #[must_use]
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says in a sentence what it is.
    #[must_use]
    pub fn description(mut self, description: impl Into<Box<str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Names a page about it.
    #[must_use]
    pub fn website_url(mut self, url: impl Into<Box<str>>) -> Self {
        self.website_url = Some(url.into());
        self
    }

    /// Adds an icon.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }

    /// The programmatic name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }
}
