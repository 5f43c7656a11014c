//! Header fields and query keys that no argument may feed.

use crate::describe::Place;
use http::{HeaderName, header};
use std::collections::BTreeSet;

/// The header fields of the request to the endpoint that go on to the routes, unless the application says others.
pub const DEFAULT_FORWARDED: [HeaderName; 3] =
    [header::AUTHORIZATION, header::COOKIE, HeaderName::from_static("x-api-key")];

/// What carries credentials.
const CREDENTIALS: [&str; 8] = [
    "authorization",
    "cookie",
    "cookie2",
    "proxy-authorization",
    "x-api-key",
    "x-auth-token",
    "x-csrf-token",
    "x-xsrf-token",
];

/// What belongs to a connection or to its message framing. RFC 9110, section 7.6.1; RFC 9112.
const CONNECTION: [&str; 12] = [
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// What changes the form of a response so that its content is not all there.
const PARTIAL: [&str; 9] = [
    "accept-encoding",
    "expect",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "max-forwards",
    "range",
];

/// What a proxy says of whom it speaks for.
const ORIGIN: [&str; 8] = [
    "forwarded",
    "origin",
    "remote-user",
    "true-client-ip",
    "via",
    "x-client-ip",
    "x-real-ip",
    "x-remote-user",
];

/// Tells whether no request in process ever carries this header field, wherever its value would come from.
pub(crate) fn is_untouchable(name: &str) -> bool {
    (CONNECTION.contains(&name) && name != "host") || PARTIAL.contains(&name) || name.starts_with("sec-")
}

/// Header fields and query keys that no argument may feed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reserved {
    pub(crate) forwarded: BTreeSet<Box<str>>,
    /// Query keys of the application's security schemes.
    pub(crate) query_credentials: BTreeSet<Box<str>>,
    /// Header fields of the application's security schemes.
    pub(crate) header_credentials: BTreeSet<Box<str>>,
}

impl Reserved {
    /// Why no argument of this name may stand in a place; `None` when it may.
    pub(crate) fn refusal(&self, place: Place, name: &str) -> Option<&'static str> {
        match place {
            Place::Header if HeaderName::from_bytes(name.as_bytes()).is_err() => {
                Some("it is no name of a header field")
            }
            Place::Header => self.header(name),
            Place::Query => self.query(name),
            Place::Path | Place::Body(_) => None,
        }
    }

    /// Why no argument may feed a header field; `None` when it may.
    fn header(&self, name: &str) -> Option<&'static str> {
        let name = &*name.to_ascii_lowercase();
        if CREDENTIALS.contains(&name) || self.header_credentials.contains(name) {
            Some("it carries credentials, which agents never give as arguments")
        } else if CONNECTION.contains(&name) || PARTIAL.contains(&name) || name.starts_with("sec-") {
            Some("it belongs to the message or the connection, which the call in process makes itself")
        } else if ORIGIN.contains(&name) || name.starts_with("x-forwarded-") {
            Some("it says whom a proxy speaks for")
        } else if name.starts_with("mcp-") {
            Some("it belongs to the Model Context Protocol")
        } else if self.forwarded.contains(name) {
            Some("it is forwarded from the request to the endpoint")
        } else {
            None
        }
    }

    /// Why no argument may feed a query key; `None` when it may.
    fn query(&self, name: &str) -> Option<&'static str> {
        self.query_credentials.contains(name).then_some("it carries credentials of a security scheme")
    }
}
