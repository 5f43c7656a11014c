//! The application: its routes, what agents may use of them, and the layers around everything.

use crate::{library::Library, members::authenticate, routes};
use axum::{Json, Router, middleware::from_fn, routing::get};
use mcp_server::{
    http::HttpOptions,
    routes::{MountError, Mounted, mount},
    server,
};

/// The library's routes with their MCP endpoints.
pub(crate) fn build(library: Library) -> Result<Mounted, MountError> {
    let routes = routes::all(&library);
    mount(
        routes.with_state(library),
        |tools| server(tools).name("library").version("1.0.0"),
        &HttpOptions::default(),
    )
}

/// What is served: the card is asked for in front of the routes and of the endpoints alike.
///
/// A call of an agent does not come this way a second time. It brings the principal along that was found here when the
/// agent's request came in, so `Member` finds it in both cases.
pub(crate) fn guarded(application: &Mounted) -> Router {
    let document = application.openapi.clone();
    application
        .router
        .clone()
        .layer(from_fn(authenticate))
        .route("/openapi.json", get(async move || Json(document)))
        .route("/health", get(async || "fine"))
}
