//! What can be wrong with a form.

use std::fmt;

/// A reason why a form is refused when it is made.
///
/// The text names the field and says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormFault {
    /// The form is no object with fields.
    #[error(
        "a form is an object with named fields: use a struct, or a schema with \"type\": \"object\" and \"properties\""
    )]
    NotAnObject,
    /// The object has a keyword beside its fields that a form may not have.
    #[error("a form lists its fields and nothing else: remove `{keyword}`")]
    Keyword {
        /// The keyword.
        keyword: Box<str>,
    },
    /// A field is of a kind that a form does not have.
    #[error("the field `{field}` is {shape}, which a form cannot hold: {}", shape.instead())]
    Shape {
        /// The field.
        field: Box<str>,
        /// What it is.
        shape: FieldShape,
    },
    /// A field has a keyword that its kind may not have in a form.
    #[error("the field `{field}` may not have `{keyword}`: remove it, and check the answer in the handler")]
    FieldKeyword {
        /// The field.
        field: Box<str>,
        /// The keyword.
        keyword: Box<str>,
    },
    /// The value of a field's keyword is of the wrong kind.
    #[error("`{keyword}` of the field `{field}` must be {expected}")]
    Value {
        /// The field.
        field: Box<str>,
        /// The keyword.
        keyword: &'static str,
        /// What its value must be.
        expected: &'static str,
    },
    /// A text field has a format that a form does not have.
    #[error(
        "the field `{field}` has the format `{format}`, but a form knows only email, uri, date and date-time: \
         use plain text, and read it in the handler"
    )]
    Format {
        /// The field.
        field: Box<str>,
        /// The format.
        format: Box<str>,
    },
    /// A limit from below is above the limit from above, so that nothing fits.
    #[error("nothing fits the field `{field}`: `{least}` is above `{most}`")]
    Limits {
        /// The field.
        field: Box<str>,
        /// The keyword of the lower limit.
        least: &'static str,
        /// The keyword of the upper limit.
        most: &'static str,
    },
    /// A field has no choices, or one of them twice.
    #[error("the field `{field}` must have at least one choice, and each choice once")]
    Choices {
        /// The field.
        field: Box<str>,
    },
    /// A field's default does not fit the field.
    #[error("the default of the field `{field}` does not fit it: change the default or the limits")]
    Default {
        /// The field.
        field: Box<str>,
    },
    /// A field is required that the form does not have.
    #[error("the field `{field}` is required but not in `properties`: add it, or do not require it")]
    Required {
        /// The field.
        field: Box<str>,
    },
    /// A field asks for what must not go through a form.
    #[error("the field `{field}` asks for a secret, which a form must not: let the user open a page instead")]
    Secret {
        /// The field.
        field: Box<str>,
    },
    /// The schema does not compile.
    #[error("the form's schema is not valid: {reason}")]
    Invalid {
        /// What is wrong with it.
        reason: String,
    },
}

/// A kind of field that a form does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldShape {
    /// An object or a map.
    Object,
    /// A list of anything but choices.
    List,
    /// A choice whose variants are not plain text.
    Variants,
    /// A value of several types.
    Union,
    /// Any JSON value.
    Anything,
    /// `null` and nothing else.
    Nothing,
    /// A type that contains itself, or a reference that leads nowhere.
    Endless,
}

impl FieldShape {
    /// Says what to write instead.
    fn instead(self) -> &'static str {
        match self {
            Self::Object => "move its fields into the form itself",
            Self::List => "use a list of an enum without data, or text",
            Self::Variants => "use an enum without data whose variants are written as text",
            Self::Union => "use a field of one type",
            Self::Anything => "give it the type text, number, boolean or an enum without data",
            Self::Nothing => "leave it out",
            Self::Endless => "use a type that does not contain itself",
        }
    }
}

impl fmt::Display for FieldShape {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Object => "an object",
            Self::List => "a list",
            Self::Variants => "an enum with data",
            Self::Union => "of several types",
            Self::Anything => "any JSON value",
            Self::Nothing => "always null",
            Self::Endless => "without end",
        })
    }
}
