//! The routing headers that repeat parts of a request's body for intermediaries.
//!
//! `Mcp-Name` and `Mcp-Param-*` carry texts from the body, encoded where a header cannot hold them. A server decodes
//! them, compares them with the body and refuses a request in which the two differ.
//!
//! Spec: 2026-07-28, basic/transports/streamable-http, value encoding, custom headers, server validation.

mod name;
mod number;
mod param;
mod schema;
mod value;

pub use name::{NameFault, ParamHeaderName};
pub use param::{BodyValue, agrees};
pub use schema::{AnnotatedParam, AnnotationFault, AnnotationProblem, ParamKind, annotated_params};
pub use value::{HeaderFault, decode, encode};
