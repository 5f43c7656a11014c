//! What the client said it can do.

use crate::json::{Document, JsonLimits, Kind, Node};
use bytes::Bytes;

/// The client's capabilities, as it declared them.
///
/// An open set: [`ClientCapabilities::supports`] asks for any path. An empty `elicitation` object
/// counts as `elicitation.form`.
///
/// Spec: 2026-07-28, schema `ClientCapabilities`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientCapabilities {
    raw: Bytes,
}

impl ClientCapabilities {
    /// Reads the declared object; `None` when it is not an object.
    #[must_use]
    pub fn from_node(node: Node<'_>) -> Option<Self> {
        (node.kind() == Kind::Object).then(|| Self { raw: node.raw_bytes() })
    }

    /// Reads a declared object from its JSON text, of which it keeps a copy; `None` when it is not an object.
    ///
    /// Empty text stands for a client that declared nothing, as in [`ClientCapabilities::as_json`].
    #[must_use]
    pub fn from_json(text: &[u8]) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let raw = Bytes::copy_from_slice(text);
        let document = Document::parse(raw, &JsonLimits::default()).ok()?;
        Self::from_node(document.root())
    }

    /// The same in memory of its own, for whoever keeps it longer than the message it came in.
    pub(crate) fn detached(&self) -> Self {
        Self { raw: Bytes::copy_from_slice(&self.raw) }
    }

    /// Tells whether a capability is declared, by path: `sampling`, `elicitation.url`,
    /// `extensions.io.modelcontextprotocol/ui`.
    ///
    /// After `extensions.` and `experimental.` the whole rest is one name, because those names hold dots.
    #[must_use]
    pub fn supports(&self, path: &str) -> bool {
        let Ok(document) = Document::parse(self.raw.clone(), &JsonLimits::default()) else { return false };
        let root = document.root();
        if path == "elicitation.form" {
            return root.get("elicitation").is_some_and(|elicitation| {
                declared(elicitation)
                    && (elicitation.is_empty() || elicitation.get("form").is_some_and(declared))
            });
        }
        let mut node = root;
        let mut rest = path;
        while !rest.is_empty() {
            let (name, after) = match rest.split_once('.') {
                Some(parts) if !in_open_map(path, rest) => parts,
                _ => (rest, ""),
            };
            match node.get(name) {
                Some(child) if declared(child) => node = child,
                _ => return false,
            }
            rest = after;
        }
        !path.is_empty()
    }

    /// The declared object as JSON text; empty when nothing was declared.
    #[must_use]
    pub fn as_json(&self) -> &[u8] {
        &self.raw
    }
}

fn in_open_map(path: &str, rest: &str) -> bool {
    path.len() != rest.len() && (path.starts_with("extensions.") || path.starts_with("experimental."))
}

fn declared(node: Node<'_>) -> bool {
    !node.is_null() && node.as_bool() != Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &'static str) -> ClientCapabilities {
        let document = Document::parse(Bytes::from_static(text.as_bytes()), &JsonLimits::default()).unwrap();
        ClientCapabilities::from_node(document.root()).unwrap()
    }

    #[test]
    fn paths_lead_into_the_declared_object() {
        let client = declared(
            r#"{"sampling":{"tools":{}},"elicitation":{},"extensions":{"io.modelcontextprotocol/ui":{"a":1}}}"#,
        );
        assert!(client.supports("sampling") && client.supports("sampling.tools"));
        assert!(!client.supports("sampling.context") && !client.supports("roots"));
        assert!(client.supports("elicitation.form") && !client.supports("elicitation.url"));
        assert!(client.supports("extensions.io.modelcontextprotocol/ui"));
        assert!(!client.supports(""));
    }

    #[test]
    fn what_was_declared_is_read_back_from_its_text() {
        for text in ["{}", r#"{"roots":{"listChanged":true}}"#] {
            let client = declared(text);
            assert_eq!(ClientCapabilities::from_json(client.as_json()), Some(client));
        }
        assert_eq!(ClientCapabilities::from_json(b""), Some(ClientCapabilities::default()));
        for text in ["[]", "null", "{", "{} {}"] {
            assert_eq!(ClientCapabilities::from_json(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_url_only_client_has_no_forms() {
        assert!(!declared(r#"{"elicitation":{"url":{}}}"#).supports("elicitation.form"));
    }
}
