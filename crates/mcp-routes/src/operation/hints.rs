//! What a method says about a tool.

use http::Method;
use mcp_core::protocol::ToolAnnotations;

/// The hints that go with a method, unless the route declares its own.
///
/// | method | read-only | destructive | idempotent | open world |
/// |---|---|---|---|---|
/// | GET, HEAD | yes | | yes | no |
/// | PUT | | yes | yes | |
/// | PATCH | | yes | | |
/// | DELETE | | yes | yes | |
/// | others | | | | |
///
/// Nothing is said of POST: what is not said, clients take cautiously.
///
/// RFC 9110, sections 9.2 and 9.3.
pub(crate) fn hints_of(method: &Method) -> ToolAnnotations {
    let none = ToolAnnotations::default();
    match *method {
        Method::GET | Method::HEAD => {
            ToolAnnotations { read_only: Some(true), idempotent: Some(true), open_world: Some(false), ..none }
        }
        Method::PUT | Method::DELETE => {
            ToolAnnotations { destructive: Some(true), idempotent: Some(true), ..none }
        }
        Method::PATCH => ToolAnnotations { destructive: Some(true), ..none },
        _ => none,
    }
}
