//! Schemas of forms: a flat object of a few kinds of fields, and nothing else.
//!
//! A type's schema is rewritten into what a form may hold; a schema written by hand is kept. Both are judged by
//! the same rules, and then written once more for the first revision with forms, which knows less.
//!
//! Spec: 2026-07-28, schema `PrimitiveSchemaDefinition`.

mod choice;
mod earlier;
mod fault;
mod field;
mod generate;
mod judge;
mod resolve;

#[cfg(test)]
mod tests;

use super::{proof, reference};
use crate::json::{Validator, compile_asserting_formats, to_text};
pub use fault::{FieldShape, FormFault};
use schemars::JsonSchema;
use serde_json::Value;

/// A judged form schema with everything that is made of it once.
#[derive(Clone, Debug)]
pub(crate) struct FormParts {
    pub(crate) schema: Value,
    /// The schema as JSON text.
    pub(crate) text: Box<str>,
    /// The text for the first revision with forms.
    pub(crate) earlier: Box<str>,
    /// Whether a field takes several choices; such fields are not in `earlier`.
    pub(crate) multiple_choice: bool,
    pub(crate) validator: Validator,
}

impl FormParts {
    pub(crate) fn of<T: JsonSchema>() -> Result<Self, FormFault> {
        Self::from_schema(generate::schema_of::<T>()?)
    }

    pub(crate) fn from_schema(schema: Value) -> Result<Self, FormFault> {
        judge::form(&schema)?;
        let (earlier, multiple_choice) = earlier::earlier(&schema);
        let invalid = |reason: String| FormFault::Invalid { reason };
        let text = |value: &Value| to_text(value).map_err(|fault| invalid(fault.to_string()));
        Ok(Self {
            text: text(&schema)?.into(),
            earlier: text(&earlier)?.into(),
            multiple_choice,
            validator: compile_asserting_formats(&schema).map_err(|fault| invalid(fault.to_string()))?,
            schema,
        })
    }
}
