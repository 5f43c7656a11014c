//! The check of one call's arguments.

use super::{
    super::{PublishedSchema, SchemaFault},
    ArgumentFault,
    describe::{self, Context},
    fault::Report,
    names::Names,
    rewrite,
};
use crate::json::{Document, JsonLimits, Kind, Node, Validator, compile};
use bytes::Bytes;

/// The text that stands for arguments left out.
const NOTHING: &str = "{}";

/// The most values of which all problems are looked for.
const VALUES: usize = 2_000;

/// A published input schema with its compiled check.
#[derive(Debug, Clone)]
pub struct ArgumentSchema {
    published: PublishedSchema,
    validator: Validator,
    nothing: Document,
}

/// Arguments that fit the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// They fit as they were sent; arguments left out or `null` are read as `{}`.
    AsSent,
    /// They fit after rewriting; this is the text to read instead.
    Rewritten(String),
}

impl Checked {
    /// Gives the JSON text to read the arguments from, `arguments` being what was checked.
    #[must_use]
    pub fn text<'a>(&'a self, arguments: Option<Node<'a>>) -> &'a str {
        match self {
            Self::Rewritten(text) => text,
            Self::AsSent => arguments.filter(|node| !node.is_null()).map_or(NOTHING, Node::raw),
        }
    }
}

impl ArgumentSchema {
    /// Compiles the check of a published input schema.
    ///
    /// # Errors
    /// [`SchemaFault::Invalid`] when the schema does not compile.
    pub fn new(published: PublishedSchema) -> Result<Self, SchemaFault> {
        let invalid = |reason: String| SchemaFault::Invalid { reason };
        let validator = compile(published.value()).map_err(|fault| invalid(fault.to_string()))?;
        let nothing = Document::parse(Bytes::from_static(NOTHING.as_bytes()), &JsonLimits::default())
            .map_err(|fault| invalid(fault.to_string()))?;
        Ok(Self { published, validator, nothing })
    }

    /// The schema as it is published.
    #[must_use]
    pub fn published(&self) -> &PublishedSchema {
        &self.published
    }

    /// Checks the arguments of a call; arguments left out or `null` count as `{}`.
    ///
    /// Allocates nothing of its own when they fit as they are.
    ///
    /// # Errors
    /// [`ArgumentFault`] with a text for the model; of arguments with thousands of values it tells the first
    /// problem only.
    pub fn check(&self, arguments: Option<Node<'_>>) -> Result<Checked, ArgumentFault> {
        self.check_as(arguments, None)
    }

    /// Checks the arguments of a call, and tells what is wrong by the names that the caller knows.
    pub(crate) fn check_as(
        &self,
        arguments: Option<Node<'_>>,
        names: Option<&Names>,
    ) -> Result<Checked, ArgumentFault> {
        let node = arguments.filter(|node| !node.is_null()).unwrap_or_else(|| self.nothing.root());
        if self.validator.is_valid(node) {
            return Ok(Checked::AsSent);
        }
        if node.kind() != Kind::Object {
            return Err(ArgumentFault::not_an_object(node));
        }
        let Some(text) = rewrite::coerce(self.published.value(), node) else {
            return Err(self.explain(node, names));
        };
        // What is rewritten has been within the caller's limits already.
        match Document::parse(Bytes::from(text.clone()), &JsonLimits::widest()) {
            Ok(document) if self.validator.is_valid(document.root()) => Ok(Checked::Rewritten(text)),
            // What remains wrong is told, not what the rewriting would have cured.
            Ok(document) => Err(self.explain(document.root(), names)),
            Err(_) => Err(self.explain(node, names)),
        }
    }

    /// Rewrites numbers such as `3.0` and `1e2` as plain digits where an integer is declared.
    ///
    /// For use only when serde refuses arguments that fit the schema. Gives nothing when there is nothing to
    /// rewrite; numbers of more than 40 digits stay.
    #[must_use]
    pub fn integral_rewrite(&self, arguments: Node<'_>) -> Option<String> {
        rewrite::integral(self.published.value(), arguments)
    }

    fn explain(&self, node: Node<'_>, names: Option<&Names>) -> ArgumentFault {
        let context = Context { document: self.published.value(), root: node, names };
        let mut report = Report::default();
        let mut left = VALUES;
        if within(node, &mut left) {
            describe::describe(&mut report, context, self.validator.errors(node));
        } else {
            // All errors are made before the first can be read, so many values could cost much memory.
            report.omit();
            describe::describe(&mut report, context, self.validator.first_error(node).into_iter());
        }
        report.into_fault()
    }
}

/// Says whether `node` holds no more values than are left, itself included.
fn within(node: Node<'_>, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else { return false };
    *left = rest;
    node.elements().all(|element| within(element, left))
        && node.members().all(|(_, member)| within(member, left))
}
