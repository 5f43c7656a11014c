//! The extractors of axum.

use super::{DescribeInput, Inputs};
use axum::{
    Extension, Form, Json,
    body::{Body, Bytes},
    extract::{
        ConnectInfo, MatchedPath, NestedPath, OriginalUri, Path, Query, RawForm, RawPathParams, RawQuery,
        State,
    },
};
use http::{Extensions, HeaderMap, Method, Request, Uri, Version, request::Parts};
use schemars::JsonSchema;

impl<T: JsonSchema> DescribeInput for Path<T> {
    fn describe(inputs: &mut Inputs) {
        inputs.path::<T>();
    }
}

impl<T: JsonSchema> DescribeInput for Query<T> {
    fn describe(inputs: &mut Inputs) {
        inputs.query::<T>();
    }
}

impl<T: JsonSchema> DescribeInput for Json<T> {
    fn describe(inputs: &mut Inputs) {
        inputs.json::<T>();
    }
}

impl<T: JsonSchema> DescribeInput for Form<T> {
    fn describe(inputs: &mut Inputs) {
        inputs.form::<T>();
    }
}

impl DescribeInput for String {
    fn describe(inputs: &mut Inputs) {
        inputs.text();
    }
}

impl<T: DescribeInput> DescribeInput for Option<T> {
    fn describe(inputs: &mut Inputs) {
        inputs.optional::<T>();
    }
}

impl<T: DescribeInput, E> DescribeInput for Result<T, E> {
    fn describe(inputs: &mut Inputs) {
        T::describe(inputs);
    }
}

impl<T> DescribeInput for State<T> {}
impl<T> DescribeInput for Extension<T> {}
impl<T> DescribeInput for ConnectInfo<T> {}
impl<B> DescribeInput for Request<B> {}

/// What tells an agent nothing: it is the request's own, or read in a way only the handler knows.
macro_rules! silent {
    ($($extractor:ty),+ $(,)?) => {$(
        impl DescribeInput for $extractor {}
    )+};
}

silent! {
    (), Body, Bytes, Extensions, HeaderMap, MatchedPath, Method, NestedPath, OriginalUri, Parts, RawForm,
    RawPathParams, RawQuery, Uri, Version,
}
