//! The media type of a file, and whether it is text.

use mcp_core::protocol::ResourceContents;
use std::path::Path;

/// The media type that a file's extension stands for.
pub(super) fn media_type(path: &Path) -> Option<String> {
    mime_guess::from_path(path).first_raw().map(str::to_owned)
}

/// The contents of a file: text where its type is a textual or unknown one and the bytes are UTF-8, else a blob.
pub(crate) fn contents(path: &Path, bytes: Vec<u8>) -> ResourceContents {
    let known = media_type(path);
    let bytes = if known.as_deref().is_none_or(is_textual) {
        match String::from_utf8(bytes) {
            Ok(text) => {
                return ResourceContents::text(text).mime_type(known.as_deref().unwrap_or("text/plain"));
            }
            Err(error) => error.into_bytes(),
        }
    } else {
        bytes
    };
    let known = known.as_deref().unwrap_or("application/octet-stream");
    ResourceContents::blob(bytes).mime_type(known)
}

fn is_textual(media_type: &str) -> bool {
    const TEXT: [&str; 7] = ["json", "xml", "javascript", "yaml", "toml", "sql", "graphql"];
    let Some((kind, subkind)) = media_type.split_once('/') else { return false };
    let subkind = subkind.rsplit('+').next().unwrap_or(subkind).trim_start_matches("x-");
    kind == "text" || TEXT.contains(&subkind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_core::protocol::ResourceBody;

    fn is_text(name: &str, bytes: &[u8]) -> bool {
        matches!(contents(Path::new(name), bytes.to_vec()).body(), ResourceBody::Text(_))
    }

    #[test]
    fn textual_types_and_unknown_ones_are_text_when_they_are_utf8() {
        for name in
            ["a.md", "a.json", "a.svg", "a.rs", "a.toml", "a.yaml", "a.xml", "a.unheard-of", "LICENSE"]
        {
            assert!(is_text(name, "ü".as_bytes()), "{name}");
            assert!(!is_text(name, &[0xFF]), "{name}");
        }
    }

    #[test]
    fn other_types_are_blobs_even_when_their_bytes_are_letters() {
        for name in ["a.png", "a.pdf", "a.zip", "a.wasm"] {
            assert!(!is_text(name, b"letters"), "{name}");
        }
    }
}
