//! Where the arguments of a call go in the request of a route.

use mcp_core::schema::Presence;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use std::{fmt, sync::Arc};

/// What an extractor reads from a request, so that agents are told of it.
///
/// Everything a route takes as a parameter implements it. An extractor of the application's own that reads nothing an
/// agent should give, such as the signed-in user, implements it with nothing in it; one that does describes what it
/// reads.
///
/// ```
/// use mcp_routes::{DescribeInput, Inputs, Parameter};
///
/// struct CurrentUser;
/// impl DescribeInput for CurrentUser {}
///
/// struct Page(u32);
/// impl DescribeInput for Page {
///     fn describe(inputs: &mut Inputs) {
///         inputs.add(Parameter::query::<u32>("page").describe("Which page, from 1").optional());
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not describe what it reads from a request",
    note = "an extractor of your own that reads nothing an agent gives: `impl mcp_server::routes::DescribeInput for {Self} {{}}`",
    note = "a handler with an extractor of another crate is exposed with `by_hand` and described there"
)]
pub trait DescribeInput {
    /// Adds what is read; nothing by default.
    fn describe(_inputs: &mut Inputs) {}
}

/// Names the parameter at fault when the handler of a route is refused:
/// `const _: () = parameter::<TheParameter>();`
///
/// ```compile_fail
/// use axum::extract::Query;
///
/// struct Page; // does not derive `JsonSchema`
/// const _: () = mcp_routes::parameter::<Query<Page>>();
/// ```
pub const fn parameter<T: DescribeInput>() {}

/// Everything a route reads from its request that an agent may give.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    pub(crate) sources: Vec<Source>,
}

/// Makes a schema, with what it refers to in the generator.
#[derive(Clone)]
pub(crate) struct MakeSchema(Arc<dyn Fn(&mut SchemaGenerator) -> Schema + Send + Sync>);

impl MakeSchema {
    pub(crate) fn new(make: impl Fn(&mut SchemaGenerator) -> Schema + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    /// The schema of a type, by reference where it has a name.
    pub(crate) fn of<T: JsonSchema>() -> Self {
        Self::new(|generator| generator.subschema_for::<T>())
    }

    /// The schema of a type itself.
    pub(crate) fn inline<T: JsonSchema>() -> Self {
        Self::new(|generator| T::json_schema(generator))
    }

    pub(crate) fn make(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.0)(generator)
    }
}

impl fmt::Debug for MakeSchema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("MakeSchema")
    }
}

/// Something a route reads from its request.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// The parameters of the path: a struct by name, a tuple or a single value in the order of the path.
    Path(MakeSchema),
    /// The members of an object, each by its name.
    Members(Place, MakeSchema),
    /// One value.
    One(Parameter),
    /// The body.
    Body(BodyForm, MakeSchema),
    /// What the sources from here on may leave out.
    Optional(Box<Inputs>),
}

/// Where in a request a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    Header,
    Body(BodyForm),
}

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyForm {
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `text/plain`.
    Text,
}

/// One parameter, described by hand.
#[derive(Clone, Debug)]
#[must_use]
pub struct Parameter {
    pub(crate) name: Box<str>,
    pub(crate) place: Place,
    pub(crate) schema: MakeSchema,
    pub(crate) presence: Presence,
    pub(crate) description: Option<Box<str>>,
    pub(crate) examples: Vec<Value>,
}

impl Parameter {
    fn new<T: JsonSchema>(name: impl Into<Box<str>>, place: Place) -> Self {
        let (schema, presence) = (MakeSchema::of::<T>(), Presence::Required);
        Self { name: name.into(), place, schema, presence, description: None, examples: Vec::new() }
    }

    /// A parameter of the path.
    pub fn path<T: JsonSchema>(name: impl Into<Box<str>>) -> Self {
        Self::new::<T>(name, Place::Path)
    }

    /// A parameter of the query string; an array is repeated.
    pub fn query<T: JsonSchema>(name: impl Into<Box<str>>) -> Self {
        Self::new::<T>(name, Place::Query)
    }

    /// A header field; those that carry credentials, belong to the connection or are forwarded are refused.
    pub fn header<T: JsonSchema>(name: impl Into<Box<str>>) -> Self {
        Self::new::<T>(name, Place::Header)
    }

    /// Publishes this schema in place of the type's.
    pub fn schema(mut self, schema: Schema) -> Self {
        self.schema = MakeSchema::new(move |_| schema.clone());
        self
    }

    /// Says what the parameter means.
    pub fn describe(mut self, description: impl Into<Box<str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Shows a value.
    pub fn example(mut self, value: impl Into<Value>) -> Self {
        self.examples.push(value.into());
        self
    }

    /// Lets a call leave the parameter out.
    pub fn optional(mut self) -> Self {
        self.presence = Presence::Optional;
        self
    }
}

impl Inputs {
    /// Adds a parameter that is described by hand.
    pub fn add(&mut self, parameter: Parameter) -> &mut Self {
        self.sources.push(Source::One(parameter));
        self
    }

    /// Adds the parameters of the path: a struct by name, a tuple or a single value in the order of the path.
    pub fn path<T: JsonSchema>(&mut self) -> &mut Self {
        self.sources.push(Source::Path(MakeSchema::inline::<T>()));
        self
    }

    /// Adds the fields of `T` as parameters of the query string.
    pub fn query<T: JsonSchema>(&mut self) -> &mut Self {
        self.sources.push(Source::Members(Place::Query, MakeSchema::inline::<T>()));
        self
    }

    /// Adds the fields of `T` as header fields, each under its own name.
    pub fn headers<T: JsonSchema>(&mut self) -> &mut Self {
        self.sources.push(Source::Members(Place::Header, MakeSchema::inline::<T>()));
        self
    }

    /// Adds a JSON body, which becomes the argument `body`.
    pub fn json<T: JsonSchema>(&mut self) -> &mut Self {
        self.sources.push(Source::Body(BodyForm::Json, MakeSchema::of::<T>()));
        self
    }

    /// Adds a form as the body, which becomes the argument `body`.
    ///
    /// Of a request without a body it is the query string, whose parameters become arguments of their own.
    pub fn form<T: JsonSchema>(&mut self) -> &mut Self {
        self.sources.push(Source::Body(BodyForm::Form, MakeSchema::of::<T>()));
        self
    }

    /// Adds a body of text, which becomes the argument `body`.
    pub fn text(&mut self) -> &mut Self {
        self.sources.push(Source::Body(BodyForm::Text, MakeSchema::of::<String>()));
        self
    }

    /// Adds what `T` reads, which a call may leave out.
    pub fn optional<T: DescribeInput>(&mut self) -> &mut Self {
        let mut inner = Self::default();
        T::describe(&mut inner);
        if !inner.sources.is_empty() {
            self.sources.push(Source::Optional(Box::new(inner)));
        }
        self
    }
}
