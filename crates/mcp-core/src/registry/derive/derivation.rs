//! What one derivation changes about the arguments of a tool.

use super::DerivedArgument;
use crate::registry::Faults;

/// What one derivation changes about the arguments of a tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derivation {
    /// The tool that it was derived from, by name.
    pub(super) of: Box<str>,
    /// By the names in the schema that is derived from.
    pub(super) arguments: Vec<(Box<str>, DerivedArgument)>,
    /// The arguments that come first, by the same names.
    pub(super) order: Vec<Box<str>>,
}

impl Derivation {
    /// A further derivation that describes an argument by the name that it is published by.
    pub(in crate::registry) fn describing(&self, name: Box<str>, text: Box<str>) -> Self {
        let described = DerivedArgument::new().describe(text);
        Self { of: self.of.clone(), arguments: vec![(name, described)], order: Vec::new() }
    }

    /// Tells whether the arguments stay as they are.
    pub(super) fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.order.is_empty()
    }
}

/// Notes what is wrong with a derivation.
pub(super) struct Problems<'f> {
    /// The derived tool.
    pub(super) subject: &'f str,
    /// The tool that it is derived from.
    pub(super) of: &'f str,
    pub(super) faults: &'f mut Faults,
    pub(super) any: bool,
}

impl Problems<'_> {
    /// Notes what is wrong with an argument.
    pub(super) fn argument(&mut self, name: &str, problem: impl std::fmt::Display) {
        self.any = true;
        self.faults.add(self.subject, format!("argument `{name}` of `{}`: {problem}", self.of));
    }

    /// Notes what is wrong with the whole.
    pub(super) fn whole(&mut self, problem: impl std::fmt::Display) {
        self.any = true;
        self.faults.add(self.subject, format!("derived from `{}`: {problem}", self.of));
    }
}
