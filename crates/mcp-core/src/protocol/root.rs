//! The folders a client works in.

use super::Meta;

/// A folder or file that the client lets the server work in.
///
/// Spec: 2026-07-28, schema `Root`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    pub(crate) uri: Box<str>,
    pub(crate) name: Option<Box<str>>,
    pub(crate) meta: Meta,
}

impl Root {
    /// The absolute URI as the client wrote it: by the specification a `file:` URI.
    ///
    /// It is the client's word. A server that opens files must judge the path itself.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The name to show to people.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The root's `_meta`.
    #[must_use]
    pub fn meta(&self) -> &Meta {
        &self.meta
    }
}
