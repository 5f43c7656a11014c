//! The head of a request, as the core looks at it.

use http::HeaderMap;
use mcp_core::{
    admit::{HeaderField, RoutingHeaders},
    media::Accepts,
};

/// The routing headers in a header map.
#[derive(Debug)]
pub(crate) struct Headers<'a>(pub(crate) &'a HeaderMap);

impl RoutingHeaders for Headers<'_> {
    fn field(&self, name: &str) -> HeaderField<'_> {
        let mut values = self.0.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => HeaderField::Absent,
            (Some(value), None) => HeaderField::Once(value.as_bytes()),
            (Some(_), Some(_)) => HeaderField::Repeated,
        }
    }
}

/// What the client takes as an answer.
pub(crate) fn accepts(headers: &HeaderMap) -> Accepts {
    Accepts::parse(headers.get_all(http::header::ACCEPT).iter().map(http::HeaderValue::as_bytes))
}

/// Tells whether the body is declared as JSON, exactly once.
pub(crate) fn declares_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(http::header::CONTENT_TYPE).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => mcp_core::media::is_json(value.as_bytes()),
        _ => false,
    }
}
