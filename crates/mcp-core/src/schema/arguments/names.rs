//! The names by which callers know arguments, where those are not the names in the schema.

use std::collections::HashMap;

/// By which names callers know the arguments of a schema that is not the one they read.
///
/// An argument that is not mentioned has the name that the schema gives it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(HashMap<Box<str>, Option<Box<str>>>);

/// How an argument may be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known<'n> {
    /// By this name.
    As(&'n str),
    /// Not at all: callers know nothing of it.
    Hidden,
}

impl Names {
    /// Notes the name by which callers know an argument; `None` where they do not.
    pub(crate) fn set(&mut self, name: &str, known: Option<&str>) {
        self.0.insert(name.into(), known.map(Box::from));
    }

    /// By which name callers know an argument.
    pub(crate) fn known<'n>(&'n self, name: &'n str) -> Known<'n> {
        match self.0.get(name) {
            None => Known::As(name),
            Some(None) => Known::Hidden,
            Some(Some(known)) => Known::As(known),
        }
    }
}
