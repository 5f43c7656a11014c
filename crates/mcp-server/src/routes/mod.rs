//! Routes of an axum application as tools, resources and endpoints for agents.
//!
//! ```
//! use axum::{Json, extract::Path};
//! use mcp_server::{
//!     http::HttpOptions,
//!     routes::{Routes, get, mount},
//!     server,
//! };
//!
//! async fn show(Path(id): Path<u32>) -> Json<String> {
//!     Json(format!("user {id}"))
//! }
//!
//! # fn main() -> Result<(), mcp_server::routes::MountError> {
//! let routes = Routes::new().route("/users/{id}", get(show).tool("Looks up a user"));
//! let app = mount(routes.with_state(()), |tools| server(tools).name("users").version("1.0.0"), &HttpOptions::default())?;
//! let router = app.router; // the application, and its MCP endpoint at /mcp
//! # let _: axum::Router = router;
//! # Ok(())
//! # }
//! ```

mod doors;
mod mount;

pub use mcp_routes::{
    AgentCall, DEFAULT_FORWARDED, DescribeInput, DescribeOutput, DescribedHandler, DocumentedRoute,
    DocumentedRoutes, EXCLUDED_HEADERS, Envelope, Expose, GroupEndpoint, GroupInstructions, HeaderRejection,
    Headers, Inputs, InstructionsRoute, NoUrl, NotAnAgent, OpenApi, Output, Parameter, Refusal, ResultForm,
    Route, RouteOptions, RouteUrls, Routes, Served, UnknownOperation, Urls, by_hand, delete, get, head,
    parameter, patch, post, put, result,
};
pub use mount::{MountError, Mounted, mount};
