//! What browsers need to let an allowed page call and read the answer.
//!
//! Fetch standard, section "CORS protocol".

use axum::body::Body;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};

const METHODS: HeaderValue = HeaderValue::from_static("POST, GET, DELETE, OPTIONS");
const EXPOSED: HeaderValue =
    HeaderValue::from_static("Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate");
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// Tells whether a request asks what an allowed page may send.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a preflight: the page may send what it asks for.
pub(crate) fn preflight(headers: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let answer = response.headers_mut();
    answer.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    answer.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    if let Some(asked) = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS).filter(|value| are_names(value))
    {
        answer.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
    }
    response
}

/// Lets the page read an answer, errors included.
pub(crate) fn expose(response: &mut Response<Body>, origin: &HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
}

fn are_names(value: &HeaderValue) -> bool {
    value.to_str().is_ok_and(|names| {
        names.split(',').all(|name| HeaderName::from_bytes(name.trim().as_bytes()).is_ok())
    })
}
