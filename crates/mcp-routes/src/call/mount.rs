//! The application's router as a call finds it, and what its endpoint's URL has bound.

use crate::operation::PathTemplate;
use axum::{
    Router,
    body::Body,
    extract::{FromRequestParts, MatchedPath, RawPathParams},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use http::{Request, StatusCode, request::Parts};
use std::{fmt, sync::Arc};
use tower::ServiceExt;

/// The application's router, as calls in process go through it.
#[derive(Clone)]
pub(crate) struct InProcess(Router);

/// The path of the route that a request in process is made for.
#[derive(Clone)]
struct Intended(Arc<str>);

/// Says of a response that the request would have met another route than the one it was made for.
#[derive(Clone, Copy)]
pub(super) struct Misdirected;

impl InProcess {
    pub(crate) fn new(router: Router) -> Self {
        Self(router.layer(from_fn(own_route)))
    }

    /// Sends a request through the router, to the route of this path and no other.
    pub(super) async fn send(&self, mut request: Request<Body>, route: &PathTemplate) -> Response {
        request.extensions_mut().insert(Intended(route.shared()));
        match self.0.clone().oneshot(request).await {
            Ok(response) => response,
        }
    }
}

/// Lets a request pass that has met the route it was made for.
///
/// `/users/{id}` with the value `me` is the URL of `/users/me` where there is such a route, which may be one that
/// agents cannot use. No layer of the application runs then.
async fn own_route(request: Request<Body>, next: Next) -> Response {
    let matched = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let intended = request.extensions().get::<Intended>().map(|intended| &*intended.0);
    if matched == intended {
        return next.run(request).await;
    }
    let mut response = StatusCode::NOT_FOUND.into_response();
    response.extensions_mut().insert(Misdirected);
    response
}

impl fmt::Debug for InProcess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("InProcess")
    }
}

/// The path parameters that the URL of the endpoint has bound, decoded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bound(Vec<(Box<str>, Box<str>)>);

impl Bound {
    /// Reads the values of these parameters from the request to the endpoint.
    pub(crate) fn of_head(head: Option<&Parts>, names: &[Box<str>]) -> Self {
        let Some(head) = head.filter(|_| !names.is_empty()) else { return Self::default() };
        // The router left them in the extensions, where only its own extractor finds them.
        let (mut parts, ()) = Request::new(()).into_parts();
        parts.extensions = head.extensions.clone();
        let found = RawPathParams::from_request_parts(&mut parts, &()).now_or_never();
        let Some(Ok(parameters)) = found else { return Self::default() };
        let wanted = parameters.iter().filter(|(name, _)| names.iter().any(|wanted| **wanted == **name));
        Self(wanted.map(|(name, value)| (name.into(), value.into())).collect())
    }

    /// All parameters of a request.
    pub(crate) fn from_iter(parameters: &RawPathParams) -> Self {
        Self(parameters.iter().map(|(name, value)| (name.into(), value.into())).collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| **known == *name).map(|(_, value)| &**value)
    }
}
