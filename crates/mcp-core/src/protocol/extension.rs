//! Extensions of the protocol that a server offers.

use super::Meta;
use serde_json::Value;

/// An extension of the protocol as a server advertises it: an identifier and a settings object.
///
/// ```
/// use mcp_core::protocol::Extension;
/// let extension = Extension::new("com.example/ledger").setting("currency", "EUR");
/// assert_eq!(extension.identifier(), "com.example/ledger");
/// ```
///
/// It says that the server speaks the extension; what the extension is about are tools, resources and `_meta` like
/// any others. Whether a client speaks it, too, is `context.client_supports("extensions.com.example/ledger")`: a
/// handler goes without the extension where it does not.
///
/// Spec: 2026-07-28, schema `ServerCapabilities`; SEP-2133 gives the member to handshakes as well.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Extension {
    identifier: Box<str>,
    settings: Meta,
    reach: Reach,
}

/// Which clients are told of an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Clients of every revision.
    Everyone,
    /// Clients that shake no hands.
    Modern,
}

impl Extension {
    /// An extension without settings. The identifier is a reversed domain name, `/`, and a name.
    pub fn new(identifier: impl Into<Box<str>>) -> Self {
        Self { identifier: identifier.into(), settings: Meta::new(), reach: Reach::Everyone }
    }

    /// Sets one of the settings.
    pub fn setting(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.settings.insert(name.into(), value.into());
        self
    }

    /// Leaves the extension out of handshakes, for one that needs what came with 2026-07-28.
    pub fn modern_only(mut self) -> Self {
        self.reach = Reach::Modern;
        self
    }

    /// The identifier.
    #[must_use]
    pub fn identifier(&self) -> &str {
        &self.identifier
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Meta {
        &self.settings
    }

    pub(crate) fn reach(&self) -> Reach {
        self.reach
    }

    /// Tells whether the identifier is one: `reversed.domain/name`, by the grammar of `_meta` keys with a prefix.
    pub(crate) fn is_well_named(&self) -> bool {
        let Some((prefix, name)) = self.identifier.split_once('/') else { return false };
        let labels = |label: &str| {
            label.starts_with(|first: char| first.is_ascii_alphabetic())
                && label.ends_with(|last: char| last.is_ascii_alphanumeric())
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        prefix.contains('.') && prefix.split('.').all(labels) && is_name(name)
    }
}

fn is_name(name: &str) -> bool {
    let ends = |end: Option<char>| end.is_some_and(|end| end.is_ascii_alphanumeric());
    ends(name.chars().next())
        && ends(name.chars().next_back())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_a_reversed_domain_and_a_name() {
        for good in ["io.modelcontextprotocol/skills", "com.example/a", "com.ex-ample.x1/A_b.c-9"] {
            assert!(Extension::new(good).is_well_named(), "{good}");
        }
        for bad in [
            "",
            "/",
            "skills",
            "example/a",
            "com.example/",
            "com.example/-a",
            "com.example/a.",
            "com..example/a",
            "com.1example/a",
            "com.example-/a",
            "com.example/a/b",
            "com.example/a b",
            ".com/a",
        ] {
            assert!(!Extension::new(bad).is_well_named(), "{bad}");
        }
    }
}
