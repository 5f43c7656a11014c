//! Why named texts do not make up a value.

use serde::de;
use std::fmt;

/// Which field does not fit, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    name: Option<Box<str>>,
    problem: FieldProblem,
}

/// Why a field does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldProblem {
    /// It has no text.
    Missing,
    /// It has a list where one text is wanted.
    Several,
    /// Its text is not of the wanted kind, such as "an integer from 0 to 255".
    NotA(&'static str),
    /// Its text is none of these.
    NotOneOf(&'static [&'static str]),
    /// The value has fields of its own, which a text cannot hold.
    Nested,
    /// A struct that allows no others does not have it.
    Unknown,
    /// It stands twice.
    Duplicate,
    /// A tuple or a single value wants another number of fields.
    Count {
        /// How many fields it wants.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// The type itself refuses the text, in its own words.
    Refused(Box<str>),
}

impl FieldFault {
    /// Gives the field's name; nothing when the fields do not fit as a whole.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Gives the problem.
    #[must_use]
    pub const fn problem(&self) -> &FieldProblem {
        &self.problem
    }

    pub(super) const fn whole(problem: FieldProblem) -> Self {
        Self { name: None, problem }
    }

    pub(super) fn of(name: &str, problem: FieldProblem) -> Self {
        Self { name: Some(name.into()), problem }
    }

    /// Adds the name to a fault that a type raised itself.
    pub(super) fn within(mut self, name: &str) -> Self {
        self.name.get_or_insert_with(|| name.into());
        self
    }
}

impl fmt::Display for FieldFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(formatter, "`{name}` {}", self.problem),
            None => write!(formatter, "this input {}", self.problem),
        }
    }
}

impl fmt::Display for FieldProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => formatter.write_str("is missing"),
            Self::Several => formatter.write_str("must be one text, not a list"),
            Self::NotA(kind) => write!(formatter, "must be {kind}"),
            Self::NotOneOf(names) => {
                formatter.write_str("must be one of")?;
                names.iter().enumerate().try_for_each(|(index, name)| {
                    write!(formatter, "{} `{name}`", if index == 0 { "" } else { "," })
                })
            }
            Self::Nested => formatter.write_str("cannot be read from text, because it has fields of its own"),
            Self::Unknown => formatter.write_str("is not known"),
            Self::Duplicate => formatter.write_str("stands twice"),
            Self::Count { wanted, found } => write!(formatter, "must have {wanted} fields, not {found}"),
            Self::Refused(reason) => write!(formatter, "is refused: {reason}"),
        }
    }
}

impl std::error::Error for FieldFault {}

impl de::Error for FieldFault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::whole(FieldProblem::Refused(message.to_string().into()))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::of(field, FieldProblem::Missing)
    }

    fn unknown_field(field: &str, _expected: &'static [&'static str]) -> Self {
        Self::of(field, FieldProblem::Unknown)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::of(field, FieldProblem::Duplicate)
    }

    fn unknown_variant(_variant: &str, expected: &'static [&'static str]) -> Self {
        Self::whole(FieldProblem::NotOneOf(expected))
    }
}
