//! Typed header fields.

use super::{DescribeInput, Inputs};
use axum::{
    extract::FromRequestParts,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, request::Parts};
use mcp_core::fields;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// The header fields of a request as a struct: a field of it for each, named as the header field is, in lower case.
///
/// ```
/// use mcp_routes::Headers;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Locale {
///     /// The language of texts, such as `en`
///     #[serde(rename = "accept-language")]
///     language: Option<String>,
/// }
///
/// async fn greeting(Headers(locale): Headers<Locale>) -> String {
///     locale.language.unwrap_or_else(|| "en".into())
/// }
/// # let _ = greeting;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Headers<T>(pub T);

/// Why header fields do not fit; the response is `400 Bad Request`.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the header fields do not fit: {0}")]
pub struct HeaderRejection(String);

impl IntoResponse for HeaderRejection {
    fn into_response(self) -> Response {
        (StatusCode::BAD_REQUEST, self.to_string()).into_response()
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Headers<T> {
    type Rejection = HeaderRejection;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, HeaderRejection> {
        // A value that is no text belongs to nobody's struct.
        let fields = parts.headers.iter().filter_map(|(name, value)| Some((name.as_str(), text_of(value)?)));
        fields::read(fields).map(Self).map_err(|fault| HeaderRejection(fault.to_string()))
    }
}

/// A value as text, which may be more than ASCII: RFC 9110, section 5.5, asks to take it as it is.
fn text_of(value: &HeaderValue) -> Option<&str> {
    std::str::from_utf8(value.as_bytes()).ok()
}

impl<T: JsonSchema> DescribeInput for Headers<T> {
    fn describe(inputs: &mut Inputs) {
        inputs.headers::<T>();
    }
}
