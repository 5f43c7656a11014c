//! The application's router as a call finds it, and what its endpoint's URL has bound.

use axum::{
    Router,
    body::Body,
    extract::{FromRequestParts, RawPathParams},
    response::Response,
};
use futures_util::FutureExt;
use http::{Request, request::Parts};
use std::{
    borrow::Cow,
    fmt,
    sync::{Arc, OnceLock},
};
use tower::ServiceExt;

/// The application's router, which is whole only after its tools have been made.
#[derive(Clone, Default)]
pub(crate) struct InProcess(Arc<OnceLock<Router>>);

impl InProcess {
    /// Gives calls their router, once.
    pub(crate) fn serve(&self, router: Router) {
        let _ = self.0.set(router);
    }

    /// Sends a request through the router; `None` before there is one.
    pub(crate) async fn send(&self, request: Request<Body>) -> Option<Response> {
        let router = self.0.get()?.clone();
        match router.oneshot(request).await {
            Ok(response) => Some(response),
        }
    }
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

    pub(crate) fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        self.0.iter().find(|(known, _)| **known == *name).map(|(_, value)| Cow::Borrowed(&**value))
    }
}
