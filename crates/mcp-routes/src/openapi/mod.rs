//! Routes that utoipa documents: what they read and answer with, from their OpenAPI operations.
//!
//! OpenAPI 3.1: operation, parameter, request body and schema objects.

mod document;
mod model;
mod operation;
mod schema;

pub(crate) use document::document;
pub(crate) use operation::{Documented, Taken, documented};

use axum::routing::MethodRouter;
use std::convert::Infallible;
use utoipa::openapi::{RefOr, path::Paths, schema::Schema};

/// What `utoipa_axum::routes!` makes: schemas, operations and the handlers.
pub type DocumentedRoutes<S> = (Vec<(String, RefOr<Schema>)>, Paths, MethodRouter<S, Infallible>);
