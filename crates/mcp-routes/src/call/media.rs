//! Media types, as far as results tell them apart.

use http::{HeaderMap, header};
use std::borrow::Cow;

/// What most responses are; these need no text of their own.
const FREQUENT: [&str; 5] =
    ["application/json", "text/plain", "text/html", "text/event-stream", "application/octet-stream"];

/// What a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Json,
    Text,
    Image,
    Audio,
    Other,
}

/// The media type of a response.
#[derive(Clone, Debug)]
pub(crate) struct MediaType {
    /// Without parameters, in lower case; empty when none is declared.
    pub(crate) essence: Cow<'static, str>,
}

impl MediaType {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let declared = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        let essence = declared.split(';').next().unwrap_or("").trim();
        let frequent = FREQUENT.into_iter().find(|known| known.eq_ignore_ascii_case(essence));
        let essence = frequent.map_or_else(|| essence.to_ascii_lowercase().into(), Cow::Borrowed);
        Self { essence }
    }

    pub(crate) fn is_declared(&self) -> bool {
        !self.essence.is_empty()
    }

    pub(crate) fn family(&self) -> Family {
        let (kind, subtype) = self.essence.split_once('/').unwrap_or((&self.essence, ""));
        match (kind, subtype) {
            ("image", "svg+xml") => Family::Text,
            ("image", _) => Family::Image,
            ("audio", _) => Family::Audio,
            (_, "json") => Family::Json,
            (_, subtype) if subtype.ends_with("+json") => Family::Json,
            ("text", _) => Family::Text,
            (
                "application",
                "javascript"
                | "ecmascript"
                | "graphql"
                | "sql"
                | "toml"
                | "x-ndjson"
                | "x-sh"
                | "x-www-form-urlencoded"
                | "x-yaml"
                | "xml"
                | "yaml",
            ) => Family::Text,
            (_, subtype) if subtype.ends_with("+xml") || subtype.ends_with("+yaml") => Family::Text,
            _ => Family::Other,
        }
    }
}
