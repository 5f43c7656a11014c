//! Who is there: library cards, the layer that reads them, and what handlers ask of a caller.

use axum::{
    extract::{FromRequestParts, Request},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{
    StatusCode,
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
    request::Parts,
};
use mcp_server::{Principal, routes::DescribeInput};

/// What those who work here may do beyond readers.
const STAFF: &str = "staff";

/// Whose card this is; a real library would look it up.
fn holder_of(card: &str) -> Option<Principal> {
    match card {
        "card-1" => Some(Principal::new("librarian").with_scopes([STAFF])),
        "card-7" => Some(Principal::new("reader")),
        _ => None,
    }
}

/// Puts the holder of the card into the request, where handlers and MCP endpoints find them.
pub(crate) async fn authenticate(mut request: Request, next: Next) -> Response {
    let credentials = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let card = credentials.and_then(|text| text.split_once(' '));
    let card = card.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, card)| card);
    match card.and_then(holder_of) {
        Some(member) => {
            request.extensions_mut().insert(member);
            next.run(request).await
        }
        None => no_card(),
    }
}

fn no_card() -> Response {
    let challenge = [(WWW_AUTHENTICATE, r#"Bearer realm="library""#)];
    (StatusCode::UNAUTHORIZED, challenge, "show your library card").into_response()
}

/// Someone with a card; as a parameter it keeps everyone else out.
pub(crate) struct Member {
    pub(crate) name: Box<str>,
}

impl<S: Send + Sync> FromRequestParts<S> for Member {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        let principal = parts.extensions.get::<Principal>().ok_or_else(no_card)?;
        Ok(Self { name: principal.subject().into() })
    }
}

/// Someone who works here; as a parameter it keeps everyone else out.
pub(crate) struct Staff;

impl<S: Send + Sync> FromRequestParts<S> for Staff {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        let principal = parts.extensions.get::<Principal>().ok_or_else(no_card)?;
        if principal.has_scope(STAFF) {
            Ok(Self)
        } else {
            Err((StatusCode::FORBIDDEN, "only librarians may do that").into_response())
        }
    }
}

// Neither reads anything that an agent would give as an argument.
impl DescribeInput for Member {}
impl DescribeInput for Staff {}
