//! Tools that the client's model may ask for.

use crate::schema::{PublishedSchema, SchemaBounds, SchemaDialect, SchemaFault, authored_input, input_of};
use schemars::JsonSchema;
use serde_json::Value;

/// A tool that the model may ask to be called; the server runs it and sends the result back.
///
/// Spec: 2026-07-28, client/sampling#sampling-with-tools.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingTool {
    pub(crate) name: Box<str>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) input: PublishedSchema,
}

impl SamplingTool {
    /// A tool whose arguments are the fields of `T`.
    ///
    /// # Errors
    /// Every [`SchemaFault`] of the type.
    pub fn of<T: JsonSchema>(name: impl Into<Box<str>>) -> Result<Self, Vec<SchemaFault>> {
        let input = input_of::<T>(SchemaDialect::default(), SchemaBounds::default())?;
        Ok(Self { name: name.into(), title: None, description: None, input })
    }

    /// A tool with an input schema written by hand, which goes out as it is.
    ///
    /// # Errors
    /// The [`SchemaFault`] of the schema.
    pub fn with_schema(name: impl Into<Box<str>>, schema: Value) -> Result<Self, SchemaFault> {
        let input = authored_input(schema, &SchemaBounds::default())?;
        Ok(Self { name: name.into(), title: None, description: None, input })
    }

    /// Sets the name shown to people.
    #[must_use]
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says to the model what the tool does.
    #[must_use]
    pub fn describe(mut self, description: impl Into<Box<str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The tool's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Whether the model may, must or must not ask for tools.
///
/// Spec: 2026-07-28, schema `ToolChoice`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification knows these three modes")]
pub enum ToolChoice {
    /// The model decides.
    Auto,
    /// The model must ask for at least one.
    Required,
    /// The model must not ask for any.
    None,
}

impl ToolChoice {
    /// The mode's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Required => "required",
            Self::None => "none",
        }
    }
}
