//! What HTTP caches are told about results that carry hints of their own.
//!
//! A result of 2026-07-28 says in its body how long it stays fresh and who may share it. That is meant for whoever reads
//! MCP and keeps the *result*. The HTTP message around it is another thing: it carries the id of the one request it
//! answers, and depends on the request's body, which no HTTP cache looks at. RFC 9111 (section 3) and RFC 9110 (section
//! 9.3.3) let a conforming cache reuse the answer to a POST for nothing but a later GET, and only if the answer says so;
//! a cache that does more would give one client the answer to another's request. So no such message is to be stored,
//! and one that was made for its caller says that, too.

use http::{HeaderMap, HeaderValue, header};
use mcp_core::protocol::{CacheHints, CacheScope};

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-store");
const AUTHORIZATION: HeaderValue = HeaderValue::from_static("Authorization");

/// Adds the fields that go with the hints of a result.
pub(crate) fn tell(headers: &mut HeaderMap, hints: CacheHints) {
    match hints.scope {
        CacheScope::Public => {
            headers.insert(header::CACHE_CONTROL, NO_STORE);
        }
        CacheScope::Private => {
            headers.insert(header::CACHE_CONTROL, PRIVATE);
            headers.append(header::VARY, AUTHORIZATION);
        }
    }
}
