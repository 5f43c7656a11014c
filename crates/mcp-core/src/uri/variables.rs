//! What a template found in a URI.

use crate::fields::{self, FieldFault, FieldText};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// The variables of one URI, in the order in which the template names them.
///
/// Values are decoded. A query or fragment variable that the URI leaves out has its place and no value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    entries: Vec<(Arc<str>, Option<Value>)>,
}

/// The value of one variable, percent-decoded exactly once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// One text.
    Text(String),
    /// The items of an exploded variable: `{/path*}`, or `{?tag*}` when only `tag=…` was sent.
    List(Vec<String>),
    /// The pairs that `{?rest*}` collected when some have a name other than the variable's own, as sent.
    Pairs(Vec<(String, String)>),
}

impl Variables {
    /// Gives a variable's value; nothing when the template has no such variable or the URI leaves it out.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter().find_map(|(known, value)| (known == name).then_some(value))
    }

    /// Gives a variable's value when it is one text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Walks over the variables that have a value, in template order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.entries.iter().filter_map(|(name, value)| Some((&**name, value.as_ref()?)))
    }

    /// Reads the variables into a type of the caller's: a struct by name, a tuple in template order, or a single
    /// value.
    ///
    /// # Errors
    /// [`FieldFault`], naming the variable that does not fit.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, FieldFault> {
        fields::read(self.entries.iter().map(|(name, value)| (&**name, FieldText::from(value.as_ref()))))
    }

    pub(super) fn from_slots(entries: Vec<(Arc<str>, Option<Value>)>) -> Self {
        Self { entries }
    }
}

impl<N: Into<Arc<str>>> FromIterator<(N, Value)> for Variables {
    fn from_iter<I: IntoIterator<Item = (N, Value)>>(pairs: I) -> Self {
        Self { entries: pairs.into_iter().map(|(name, value)| (name.into(), Some(value))).collect() }
    }
}

impl<'a> From<Option<&'a Value>> for FieldText<'a> {
    fn from(value: Option<&'a Value>) -> Self {
        match value {
            None => Self::Absent,
            Some(Value::Text(text)) => Self::Text(text),
            Some(Value::List(items)) => Self::List(items),
            Some(Value::Pairs(pairs)) => Self::Pairs(pairs),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
