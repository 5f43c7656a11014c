//! Where an entry was registered, for the fault that names two of them.

use std::fmt;

/// What stands between a namespace and a name.
const SEPARATOR: char = '_';

/// Where an entry was registered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin(Option<Box<str>>);

impl Origin {
    /// The same entry once its router has been put under a namespace.
    pub(crate) fn under(self, namespace: &str) -> Self {
        Self(Some(match self.0 {
            Some(inner) => in_namespace(namespace, &inner),
            None => namespace.into(),
        }))
    }
}

/// A name within a namespace; an empty namespace leaves it as it is.
pub(crate) fn in_namespace(namespace: &str, name: &str) -> Box<str> {
    if namespace.is_empty() { name.into() } else { format!("{namespace}{SEPARATOR}{name}").into() }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_deref().filter(|namespace| !namespace.is_empty()) {
            Some(namespace) => write!(formatter, "in the namespace `{namespace}`"),
            None => formatter.write_str("outside of any namespace"),
        }
    }
}
