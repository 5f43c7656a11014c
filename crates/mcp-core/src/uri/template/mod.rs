//! RFC 6570 templates, read backwards: which URIs does a template describe, and with which values?

mod expand;
mod fault;
mod matching;
mod parse;
mod part;
mod query;
mod reach;
mod specificity;
mod spelling;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use expand::{ExpandFault, ExpandProblem};
pub use fault::{TemplateFault, TemplateProblem};
pub use specificity::Specificity;

use part::{Part, QueryPart};

/// A checked URI template that matches URIs in time linear in their length.
///
/// | written | matches |
/// |---|---|
/// | `{x}`, `{x,y}` | one or more characters without `/`, `?`, `#`; `,` between two variables |
/// | `{+x}` | one or more characters across slashes, without `?` and `#` |
/// | `{.x}`, `{/x}` | the same as `{x}`, after a dot or slash |
/// | `{x*}`, `{.x*}`, `{/x*}` | one or more items, as a list |
/// | `{?a,b}`, `{&a}` | query pairs in any order, each of which may be missing; others do not match |
/// | `{?rest*}` | all query pairs that no other variable takes |
/// | `{#x}` | the fragment, which may be missing |
///
/// Where several splits are possible each variable takes as little as it can, from left to right. A query or
/// fragment that the template does not mention makes the URI not match. An encoded slash (`%2F`) is data.
///
/// RFC 6570; matching is the inverse that its section 1.4 allows for.
#[derive(Clone, Debug)]
pub struct UriTemplate {
    text: Box<str>,
    names: Vec<Arc<str>>,
    body: Vec<Part>,
    query: Option<QueryPart>,
    /// The place of the fragment's variable in `names`.
    fragment: Option<usize>,
    specificity: Specificity,
}

impl UriTemplate {
    /// Gives the template as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Walks over the variables' names in the order in which the template has them.
    #[must_use]
    pub fn variable_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Gives the rank among templates that match the same URI; the greatest wins.
    #[must_use]
    pub const fn specificity(&self) -> Specificity {
        self.specificity
    }
}

impl PartialEq for UriTemplate {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for UriTemplate {}

impl std::fmt::Display for UriTemplate {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl std::str::FromStr for UriTemplate {
    type Err = TemplateFault;

    fn from_str(text: &str) -> Result<Self, TemplateFault> {
        Self::parse(text)
    }
}
