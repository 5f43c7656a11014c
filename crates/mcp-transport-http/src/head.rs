//! The head of a request, as the core looks at it.

use axum::extract::OriginalUri;
use http::{HeaderMap, request::Parts};
use mcp_core::{
    admit::{HeaderField, RequestHead},
    media::Accepts,
};

/// The head of a request, with what the client takes as an answer.
#[derive(Debug)]
pub(crate) struct Head<'a> {
    pub(crate) parts: &'a Parts,
    pub(crate) accepts: Accepts,
}

impl RequestHead for Head<'_> {
    fn field(&self, name: &str) -> HeaderField<'_> {
        let mut values = self.parts.headers.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => HeaderField::Absent,
            (Some(value), None) => HeaderField::Once(value.as_bytes()),
            (Some(_), Some(_)) => HeaderField::Repeated,
        }
    }

    /// The whole path, also where the endpoint is nested in an application.
    fn path(&self) -> &str {
        self.parts.extensions.get::<OriginalUri>().map_or(&self.parts.uri, |original| &original.0).path()
    }

    fn accepts_event_stream(&self) -> bool {
        self.accepts.event_stream.is_accepted()
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
