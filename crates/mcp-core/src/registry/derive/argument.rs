//! What a derived tool changes about one argument.

use super::fill::Source;
use crate::{context::Context, handler::ToolError};
use serde::Serialize;
use serde_json::{Value, json};

/// What a [derived tool](super::derive()) changes about one argument; made in
/// [`DerivedTool::argument`](super::DerivedTool::argument).
#[derive(Clone, Debug)]
#[must_use]
pub struct DerivedArgument {
    pub(super) name: Option<Box<str>>,
    pub(super) description: Option<Box<str>>,
    pub(super) narrowings: Vec<Value>,
    pub(super) source: Option<Source>,
    pub(super) hidden: bool,
    pub(super) required: bool,
}

impl DerivedArgument {
    pub(super) fn new() -> Self {
        Self {
            name: None,
            description: None,
            narrowings: Vec::new(),
            source: None,
            hidden: false,
            required: false,
        }
    }

    /// Publishes the argument under another name.
    pub fn rename(mut self, name: impl Into<Box<str>>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Describes the argument anew.
    pub fn describe(mut self, description: impl Into<Box<str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Gives the argument this value in every call. Callers cannot set it, and the schema does not show it.
    ///
    /// Any JSON value that fits the tool's own schema, such as a credential; it is kept exactly as it is serialised.
    pub fn fixed<T: Serialize>(mut self, value: T) -> Self {
        self.hidden = true;
        self.source = Some(Source::value(&value));
        self
    }

    /// Gives the argument a value that is made for each call, such as the tenant of its principal. Callers cannot set
    /// it, and the schema does not show it.
    ///
    /// `make` is asked after the arguments have been found to fit, and once more in each round of a call that asks its
    /// client. It must not block. Its error is the result of the call. What does not fit the tool's own schema never reaches the handler:
    /// the call fails without telling what it was.
    pub fn fixed_by<T: Serialize>(
        mut self,
        make: impl Fn(&Context) -> Result<T, ToolError> + Send + Sync + 'static,
    ) -> Self {
        self.hidden = true;
        self.source = Some(Source::made(make));
        self
    }

    /// Takes the argument out of the schema and leaves it to its default: that of [`default`](Self::default), or
    /// the tool's own where the tool does not require the argument.
    pub fn hide(mut self) -> Self {
        self.hidden = true;
        self
    }

    /// Gives the argument this value where a call leaves it out, and publishes it as the default.
    ///
    /// `null` leaves it out, too, unless it is a value that the tool takes.
    pub fn default<T: Serialize>(mut self, value: T) -> Self {
        self.source = Some(Source::value(&value));
        self
    }

    /// Requires the argument, which the tool itself may do without.
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Narrows the argument by keywords of JSON Schema, which hold beside those of the tool itself:
    /// `json!({ "pattern": "^[a-z]+$" })`.
    ///
    /// A narrowing never widens: a bound is at most as far as the tool's own, each value of `enum` and `const` is one
    /// that the tool takes, `type` names no other type than the tool's, and a keyword that says nothing about values of
    /// the tool's type is refused. References and definitions have no place in it.
    pub fn narrow(mut self, keywords: Value) -> Self {
        self.narrowings.push(keywords);
        self
    }

    /// Narrows the argument to these values.
    pub fn one_of<T: Into<Value>>(self, values: impl IntoIterator<Item = T>) -> Self {
        let values: Vec<Value> = values.into_iter().map(Into::into).collect();
        self.narrow(json!({ "enum": values }))
    }

    /// Narrows a number to at least this one.
    pub fn at_least(self, least: impl Into<Value>) -> Self {
        self.narrow(json!({ "minimum": least.into() }))
    }

    /// Narrows a number to at most this one.
    pub fn at_most(self, most: impl Into<Value>) -> Self {
        self.narrow(json!({ "maximum": most.into() }))
    }
}
