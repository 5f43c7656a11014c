//! Where an entry was registered, for the fault that names two of them.

use std::fmt;

/// What stands between a namespace and a name.
const SEPARATOR: char = '_';

/// Where an entry was registered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    namespace: Option<Box<str>>,
    source: Option<Box<str>>,
}

impl Origin {
    /// The same entry once its router has been put under a namespace.
    pub(crate) fn under(self, namespace: &str) -> Self {
        let namespace = match self.namespace {
            Some(inner) => in_namespace(namespace, &inner),
            None => namespace.into(),
        };
        Self { namespace: Some(namespace), ..self }
    }

    /// The same entry once its router has said what it is made from; what was said first holds.
    pub(crate) fn of_source(self, source: &str) -> Self {
        Self { source: self.source.or_else(|| Some(source.into())), ..self }
    }
}

/// A name within a namespace; an empty namespace leaves it as it is.
pub(crate) fn in_namespace(namespace: &str, name: &str) -> Box<str> {
    if namespace.is_empty() { name.into() } else { format!("{namespace}{SEPARATOR}{name}").into() }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let namespace = self.namespace.as_deref().filter(|namespace| !namespace.is_empty());
        match (namespace, &self.source) {
            (Some(namespace), None) => write!(formatter, "in the namespace `{namespace}`"),
            (Some(namespace), Some(source)) => {
                write!(formatter, "in the namespace `{namespace}` from `{source}`")
            }
            (None, Some(source)) => write!(formatter, "from `{source}`"),
            (None, None) => formatter.write_str("outside of any namespace"),
        }
    }
}
