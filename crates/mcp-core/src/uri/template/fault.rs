//! Why a template is refused when it is registered.

use std::fmt;

/// What is wrong with a template, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateFault {
    at: usize,
    problem: TemplateProblem,
}

/// The ways in which a template can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TemplateProblem {
    /// The template has no characters.
    Empty,
    /// A `{` has no `}`.
    Unclosed,
    /// A `}` has no `{`.
    Unopened,
    /// A literal character may not stand in a URI.
    IllegalLiteral,
    /// A `%` is not followed by two hexadecimal digits.
    BrokenEscape,
    /// An operator that RFC 6570 reserves, or `;`, which cannot be matched in a useful way.
    Operator(char),
    /// A variable's name is empty or has a character that names do not have.
    Name,
    /// A name stands twice.
    Duplicate(Box<str>),
    /// A prefix modifier, as in `{x:3}`.
    Prefix,
    /// Two variables touch, so that nothing tells where the first one ends.
    Adjacent,
    /// `{+x*}` or `{#x*}`: the separator may be part of an item.
    ExplodedReserved,
    /// `{+x,y}` or `{#x,y}`: the comma may be part of a value.
    SeveralReserved,
    /// Something other than query and fragment expressions follows a query expression.
    AfterQuery,
    /// Something follows a fragment expression.
    AfterFragment,
    /// `{?…}` where the query has begun already.
    SecondQuery,
    /// `{&…}` where no query has begun.
    NoQuery,
    /// Two exploded query variables.
    SecondRest,
    /// A query or fragment expression where a literal `#` has begun the fragment.
    InFragment,
}

impl TemplateFault {
    pub(super) const fn new(at: usize, problem: TemplateProblem) -> Self {
        Self { at, problem }
    }

    /// Gives the byte offset in the template at which the problem begins.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Gives the problem.
    #[must_use]
    pub const fn problem(&self) -> &TemplateProblem {
        &self.problem
    }
}

impl fmt::Display for TemplateFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, problem } = self;
        write!(formatter, "at byte {at}: {problem}")
    }
}

impl fmt::Display for TemplateProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Operator(operator) => {
                return write!(
                    formatter,
                    "the operator `{operator}` is not supported; use one of `+`, `#`, `.`, `/`, `?`, `&`"
                );
            }
            Self::Duplicate(name) => {
                return write!(formatter, "the variable `{name}` stands twice; give each its own name");
            }
            Self::Empty => "the template is empty; write one such as `note://{id}`",
            Self::Unclosed => "`{` is not closed; write `%7B` for the character itself",
            Self::Unopened => "`}` was not opened; write `%7D` for the character itself",
            Self::IllegalLiteral => "this character may not stand in a URI; percent-encode it",
            Self::BrokenEscape => "`%` needs two hexadecimal digits; write `%25` for the character itself",
            Self::Name => {
                "a variable's name is made of letters, digits, `_`, `.`, `-` and percent-encoded octets"
            }
            Self::Prefix => {
                "a prefix such as `{x:3}` cannot be matched; write `{x}` and check the length yourself"
            }
            Self::Adjacent => "two variables touch; put a literal between them, as in `{x}/{y}`",
            Self::ExplodedReserved => {
                "a reserved variable cannot be exploded; write `{+x}`, or `{/x*}` for a list"
            }
            Self::SeveralReserved => "only one variable fits here; write `{+x}/{+y}` with a literal between",
            Self::AfterQuery => "a query expression ends the template; move this in front of it",
            Self::AfterFragment => "a fragment expression ends the template; move this in front of it",
            Self::SecondQuery => "the query has begun already; write `{&x}` instead of `{?x}`",
            Self::NoQuery => "no query has begun; write `{?x}` instead of `{&x}`",
            Self::SecondRest => "one exploded query variable takes all that is left; remove the other one",
            Self::InFragment => "a literal `#` has begun the fragment; write `{#x}` instead, after the query",
        };
        formatter.write_str(text)
    }
}

impl std::error::Error for TemplateFault {}
