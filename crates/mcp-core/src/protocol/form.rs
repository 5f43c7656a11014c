//! Forms: what the user is asked to fill in.

use crate::{
    json::Validator,
    schema::{FormFault, form::FormParts},
};
use schemars::JsonSchema;
use serde_json::Value;

/// A form: a flat object of named fields, checked when it is made.
///
/// A field is text (with a length and one of the formats email, uri, date and date-time), a number, a yes or no,
/// or a choice of one or several texts. [`Form::of`] makes it from a type, [`Form::from_schema`] from a schema
/// written by hand. Making one compiles the check of the answer, so a form is best made once and shared.
///
/// Passwords, keys and card numbers must not be asked for in a form; let the user open a page instead.
///
/// Spec: 2026-07-28, client/elicitation#requested-schema.
///
/// ```
/// use mcp_core::protocol::Form;
/// #[derive(schemars::JsonSchema, serde::Deserialize)]
/// struct Seat {
///     /// Which row?
///     #[schemars(range(min = 1, max = 40))]
///     row: u8,
///     window: bool,
/// }
/// let form = Form::of::<Seat>()?;
/// assert_eq!(form.schema()["required"], serde_json::json!(["row", "window"]));
/// # Ok::<(), mcp_core::protocol::FormFault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Form {
    parts: FormParts,
}

impl Form {
    /// Makes a form of a struct's fields.
    ///
    /// Fields may be `String`, numbers, `bool`, enums without data, lists and sets of such enums, and `Option` of
    /// each; doc comments become descriptions, and those of an enum's variants the titles of its choices. A field
    /// with `#[serde(default)]` may be left out and shows its default.
    ///
    /// # Errors
    /// [`FormFault`] for anything a form cannot hold; it names the field and says what to write instead.
    pub fn of<T: JsonSchema>() -> Result<Self, FormFault> {
        FormParts::of::<T>().map(|parts| Self { parts })
    }

    /// Makes a form of a schema written by hand, which goes out exactly as it is.
    ///
    /// # Errors
    /// [`FormFault`] for anything a form cannot hold; it names the field and says what to write instead.
    pub fn from_schema(schema: Value) -> Result<Self, FormFault> {
        FormParts::from_schema(schema).map(|parts| Self { parts })
    }

    /// The schema as clients of the newest revisions see it.
    #[must_use]
    pub fn schema(&self) -> &Value {
        &self.parts.schema
    }

    /// The schema as JSON text.
    pub(crate) fn text(&self) -> &str {
        &self.parts.text
    }

    /// The schema as JSON text for the first revision with forms; fields with several choices are left out.
    pub(crate) fn earlier_text(&self) -> &str {
        &self.parts.earlier
    }

    /// Whether a field takes several choices, which the first revision with forms does not have.
    pub(crate) fn has_multiple_choice(&self) -> bool {
        self.parts.multiple_choice
    }

    /// The check of what the user filled in.
    pub(crate) fn validator(&self) -> &Validator {
        &self.parts.validator
    }
}
