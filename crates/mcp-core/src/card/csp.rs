//! The origins that a card reaches, from which its host makes a policy.

use super::{
    fault::CardFaults,
    source::{SourceUse, source_problem},
};
use serde_json::{Map, Value};

/// The most origins in one list.
pub(super) const MAX_SOURCES: usize = 64;

/// The most characters of an origin that a fault repeats.
const SHOWN_CHARS: usize = 60;

/// The origins that a card reaches; its host makes a Content Security Policy of them and blocks everything else.
///
/// An origin is a scheme, a host and perhaps a port: `https://cdn.example.com`, `https://*.example.com`,
/// `wss://live.example.com:8443`. Nothing else is accepted, because hosts put it into a header as it is. Without any, a
/// card reaches nothing outside itself.
///
/// Spec: SEP-1865, `McpUiResourceCsp`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct CardCsp {
    pub(super) connect: Vec<Box<str>>,
    pub(super) resource: Vec<Box<str>>,
    pub(super) frame: Vec<Box<str>>,
    pub(super) base_uri: Vec<Box<str>>,
}

impl CardCsp {
    /// No origins.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets the card make requests to an origin, WebSockets among them.
    pub fn connect(mut self, origin: impl Into<Box<str>>) -> Self {
        self.connect.push(origin.into());
        self
    }

    /// Lets the card load scripts, styles, images, fonts and media from an origin.
    pub fn resources(mut self, origin: impl Into<Box<str>>) -> Self {
        self.resource.push(origin.into());
        self
    }

    /// Lets the card show frames of an origin.
    pub fn frames(mut self, origin: impl Into<Box<str>>) -> Self {
        self.frame.push(origin.into());
        self
    }

    /// Lets the card make an origin the base of its relative URLs.
    pub fn base_uri(mut self, origin: impl Into<Box<str>>) -> Self {
        self.base_uri.push(origin.into());
        self
    }

    /// The lists by their names on the wire.
    fn lists(&self) -> [(&'static str, SourceUse, &[Box<str>]); 4] {
        [
            ("connectDomains", SourceUse::Connect, &self.connect),
            ("resourceDomains", SourceUse::Load, &self.resource),
            ("frameDomains", SourceUse::Load, &self.frame),
            ("baseUriDomains", SourceUse::Load, &self.base_uri),
        ]
    }

    pub(super) fn check(&self, faults: &mut CardFaults) {
        for (name, wanted, origins) in self.lists() {
            if origins.len() > MAX_SOURCES {
                faults.add(format!("csp.{name}"), format!("at most {MAX_SOURCES} origins have room here"));
                continue;
            }
            for (position, origin) in origins.iter().enumerate() {
                if let Some(problem) = source_problem(origin, wanted) {
                    let shown: String = origin.chars().take(SHOWN_CHARS).collect();
                    faults.add(
                        format!("csp.{name}[{position}]"),
                        format!("{shown:?} is no good here: {problem}"),
                    );
                }
            }
        }
    }

    pub(super) fn to_value(&self) -> Value {
        let lists = self.lists().into_iter().filter(|(_, _, origins)| !origins.is_empty());
        let members = lists.map(|(name, _, origins)| {
            (name.to_owned(), origins.iter().map(|origin| Value::from(&**origin)).collect())
        });
        Value::Object(members.collect::<Map<_, _>>())
    }
}
