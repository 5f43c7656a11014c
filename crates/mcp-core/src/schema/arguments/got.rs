//! What came: JSON type names and short quotations.

use crate::json::{Kind, Node};

/// The most characters of a value or a name that are quoted.
pub(super) const QUOTED: usize = 40;

/// The JSON type name of a value.
pub(super) fn name(node: Node<'_>) -> &'static str {
    match node.kind() {
        Kind::Null => "null",
        Kind::Bool => "boolean",
        Kind::Number if node.raw().contains(['.', 'e', 'E']) => "number",
        Kind::Number => "integer",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
    }
}

/// The JSON type name of a value with the value itself, cut short, where it is a scalar.
pub(super) fn described(node: Node<'_>) -> String {
    match node.kind() {
        Kind::Bool | Kind::Number => format!("{} {}", name(node), clip(node.raw())),
        Kind::String => format!("string \"{}\"", clip(&node.as_str().unwrap_or_default())),
        Kind::Null | Kind::Array | Kind::Object => name(node).to_owned(),
    }
}

/// Cuts text to the quoted length; control characters become spaces.
pub(super) fn clip(text: &str) -> String {
    let mut cut: String =
        text.chars().take(QUOTED).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if text.chars().nth(QUOTED).is_some() {
        cut.push('…');
    }
    cut
}

/// Cuts text to `bytes` bytes at a character's edge.
pub(super) fn clip_bytes(mut text: String, bytes: usize) -> String {
    if text.len() > bytes {
        text.truncate(text.floor_char_boundary(bytes));
        text.push('…');
    }
    text
}
