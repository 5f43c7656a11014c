//! Who calls: a bearer token checked by the verifier, or what the application's own layers found out.

use crate::refuse::error_response;
use axum::body::Body;
use http::{HeaderValue, Response, StatusCode, header, request::Parts};
use mcp_auth::{BearerCredentials, Challenge, ChallengeError, Verifier, VerifyError};
use mcp_core::principal::Principal;
use std::sync::Arc;

/// The principal of a request, or the response that asks for credentials.
///
/// With a verifier every request needs a valid token. Without one the principal is what an
/// application's layer put into the request's extensions, if any.
pub(crate) async fn principal(
    verifier: Option<&dyn Verifier>,
    head: &Parts,
) -> Result<Option<Arc<Principal>>, Box<Response<Body>>> {
    let Some(verifier) = verifier else {
        let shared = head.extensions.get::<Arc<Principal>>().cloned();
        return Ok(shared.or_else(|| head.extensions.get::<Principal>().cloned().map(Arc::new)));
    };
    let fields = head.headers.get_all(header::AUTHORIZATION).iter().map(HeaderValue::as_bytes);
    let token = match BearerCredentials::parse(fields) {
        Ok(BearerCredentials::Token(token)) => token,
        Ok(BearerCredentials::Missing) => return Err(Box::new(challenge(&Challenge::missing()))),
        Err(fault) => {
            return Err(Box::new(challenge(
                &Challenge::refused(fault.error()).description(&fault.to_string()),
            )));
        }
    };
    match verifier.verify(token.expose()).await {
        Ok(principal) => Ok(Some(Arc::new(principal))),
        Err(VerifyError::Invalid) => {
            Err(Box::new(challenge(&Challenge::refused(ChallengeError::InvalidToken))))
        }
        Err(VerifyError::Unavailable(cause)) => {
            tracing::error!(%cause, "a token could not be verified");
            let message = "the token cannot be verified at the moment; try again later";
            let mut response = error_response(StatusCode::SERVICE_UNAVAILABLE, message);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
            Err(Box::new(response))
        }
    }
}

fn challenge(challenge: &Challenge) -> Response<Body> {
    let status = StatusCode::from_u16(challenge.status()).unwrap_or(StatusCode::UNAUTHORIZED);
    let message = challenge.error_description().unwrap_or("a bearer token is required");
    tracing::info!(target: "mcp::http", status = status.as_u16(), reason = message, "a request is refused");
    let mut response = error_response(status, message);
    set(&mut response, challenge);
    response
}

/// Makes a refusal a challenge, for a client whose token the application has refused.
pub(crate) fn challenge_again(response: &mut Response<Body>) {
    set(response, &Challenge::refused(ChallengeError::InvalidToken));
}

/// Makes a refusal for lack of scopes a challenge that names them.
pub(crate) fn challenge_scopes(response: &mut Response<Body>, scopes: &[Box<str>]) {
    let challenge =
        Challenge::refused(ChallengeError::InsufficientScope).scopes(scopes.iter().map(|scope| &**scope));
    *response.status_mut() = StatusCode::from_u16(challenge.status()).unwrap_or(StatusCode::FORBIDDEN);
    set(response, &challenge);
}

fn set(response: &mut Response<Body>, challenge: &Challenge) {
    // A challenge is visible ASCII by construction; one that is not would be a header nobody can read.
    if let Ok(value) = HeaderValue::from_str(&challenge.to_string()) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
    }
}
