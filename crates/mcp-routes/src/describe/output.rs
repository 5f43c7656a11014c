//! What a route answers with, as far as its type tells.

use axum::{
    Extension, Form, Json,
    body::{Body, Bytes},
    response::{Html, NoContent, Redirect, Response, Sse},
};
use http::StatusCode;
use mcp_core::schema::{OutputSchema, output_of};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::{borrow::Cow, collections::BTreeMap, convert::Infallible};

/// Says what the body of a response is, so that it can be published as the tool's output schema.
///
/// Everything a described route returns implements it; only `Json<T>` says more than nothing. A response type of the
/// application's own implements it with nothing in it, or with what it wraps.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not describe what a route answers with",
    note = "a response type of your own: `impl mcp_server::routes::DescribeOutput for {Self} {{}}`; one that wraps `Json<T>` says so in `output`",
    note = "in place of `impl IntoResponse` name the type, such as `Json<T>` or `Response`, or expose the handler with `by_hand`"
)]
pub trait DescribeOutput {
    /// What the body is; unknown by default.
    fn output() -> Output {
        Output::unknown()
    }
}

/// Names the result type at fault when the handler of a route is refused:
/// `const _: () = result::<TheResult>();`
///
/// ```compile_fail
/// struct Page; // does not derive `JsonSchema`
/// const _: () = mcp_routes::result::<axum::Json<Page>>();
/// ```
pub const fn result<T: DescribeOutput>() {}

/// What the body of a response is.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Output(pub(crate) Option<Known>);

/// A body whose type is known.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    /// By its type.
    Typed { body: OutputSchema, envelope: OutputSchema },
    /// By a document.
    Document { body: Box<Value>, envelope: Box<Value> },
}

impl Output {
    /// Nothing is known.
    pub const fn unknown() -> Self {
        Self(None)
    }

    /// JSON that a document describes.
    pub(crate) fn document(body: Value, envelope: Value) -> Self {
        Self(Some(Known::Document { body: Box::new(body), envelope: Box::new(envelope) }))
    }

    /// JSON of the type `T`.
    pub fn json<T: JsonSchema>() -> Self {
        Self(Some(Known::Typed { body: output_of::<T>, envelope: output_of::<Envelope<T>> }))
    }
}

/// A response as one JSON object.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Envelope<T> {
    /// The HTTP status, such as 200
    pub status: u16,
    /// Header fields that are worth knowing, by lower-case name
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// The body: JSON as it is, anything else as text; left out when empty
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<T>,
}

impl<T: JsonSchema> DescribeOutput for Json<T> {
    fn output() -> Output {
        Output::json::<T>()
    }
}

impl<T: DescribeOutput, E> DescribeOutput for Result<T, E> {
    fn output() -> Output {
        T::output()
    }
}

impl<T: DescribeOutput> DescribeOutput for Option<T> {}
impl<T> DescribeOutput for Html<T> {}
impl<T> DescribeOutput for Form<T> {}
impl<T> DescribeOutput for Extension<T> {}
impl<T> DescribeOutput for Sse<T> {}

/// What says nothing about its body.
macro_rules! silent {
    ($($response:ty),+ $(,)?) => {$(
        impl DescribeOutput for $response {}
    )+};
}

silent! {
    (), &'static str, &'static [u8], Body, Bytes, Box<str>, Cow<'static, str>, Infallible, NoContent, Redirect,
    Response, StatusCode, String, Vec<u8>,
}

/// Of a tuple the last part is the body.
macro_rules! tuples {
    ($(($($part:ident),+)),+ $(,)?) => {$(
        impl<$($part,)+ T: DescribeOutput> DescribeOutput for ($($part,)+ T) {
            fn output() -> Output {
                T::output()
            }
        }
    )+};
}

tuples! { (A), (A, B), (A, B, C), (A, B, C, D) }
