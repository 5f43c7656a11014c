//! Protocol errors as responses of routes.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use mcp_core::handler::ProtocolError;
use std::sync::{Arc, Mutex, PoisonError};

/// A protocol error as the response of a route: a client that calls the tool, reads the resource or gets the prompt
/// receives its code, message and data; everyone else the status and the message.
///
/// ```
/// use http::StatusCode;
/// use mcp_core::handler::ProtocolError;
/// use mcp_routes::Refusal;
///
/// async fn report() -> Result<String, Refusal> {
///     Err(Refusal::new(StatusCode::CONFLICT, ProtocolError::new(-31_500, "the report is being made")))
/// }
/// # let _ = report;
/// ```
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    error: ProtocolError,
}

/// A protocol error on its way through the layers around a handler.
#[derive(Clone)]
struct Carried(Arc<Mutex<Option<ProtocolError>>>);

impl Refusal {
    /// Refuses with this error, and over HTTP with this status.
    #[must_use]
    pub const fn new(status: StatusCode, error: ProtocolError) -> Self {
        Self { status, error }
    }

    /// Takes the error out of a response that carries one.
    pub(super) fn taken(response: &Response) -> Option<ProtocolError> {
        let Carried(error) = response.extensions().get()?;
        error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.error.to_string()).into_response();
        response.extensions_mut().insert(Carried(Arc::new(Mutex::new(Some(self.error)))));
        response
    }
}
