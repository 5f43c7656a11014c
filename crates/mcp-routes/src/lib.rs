//! Routes of an axum application as tools, resources and endpoints for agents.
//!
//! [`Routes`] builds an application as [`axum::Router`] does. A route that says so is a tool, or a resource; a call of
//! it is a request through the application's own router, in process, with every extractor, layer and guard the route
//! has.
//!
//! ```
//! use axum::{Json, extract::Path};
//! use mcp_routes::{Routes, get};
//!
//! async fn show(Path(id): Path<u32>) -> Json<String> {
//!     Json(format!("user {id}"))
//! }
//!
//! let served = Routes::new().route("/users/{id}", get(show).tool("Looks up a user")).with_state(());
//! let (app, tools) = (served.router, served.tools);
//! # let _ = (app, tools);
//! ```

mod call;
mod describe;
mod expose;
mod openapi;
mod operation;
mod options;
mod route;
mod routes;
mod served;

pub use call::{AgentCall, EXCLUDED_HEADERS, NotAnAgent, Refusal, ResultForm};
pub use describe::{
    DescribeInput, DescribeOutput, DescribedHandler, Envelope, HeaderRejection, Headers, Inputs, Output,
    Parameter, parameter, result,
};
pub use expose::Expose;
pub use openapi::DocumentedRoutes;
pub use operation::DEFAULT_FORWARDED;
pub use options::RouteOptions;
pub use route::{DocumentedRoute, Route, by_hand, delete, get, head, patch, post, put};
pub use routes::Routes;
pub use served::{
    GroupEndpoint, GroupInstructions, InstructionsRoute, NoUrl, RouteUrls, Served, UnknownOperation, Urls,
};
pub use utoipa::openapi::OpenApi;
