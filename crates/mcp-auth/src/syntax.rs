//! The alphabets of tokens and scopes.

/// Tells whether text is a `b64token`: letters, digits and `-._~+/`, then any number of `=`.
///
/// RFC 6750 section 2.1.
pub(crate) fn is_b64token(text: &[u8]) -> bool {
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let body = text.get(..text.len() - padding).unwrap_or_default();
    let permitted = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(byte);
    !body.is_empty() && body.iter().all(permitted)
}

/// Tells whether text is a `scope-token`: visible ASCII without quotation mark and backslash.
///
/// RFC 6749 section 3.3.
pub(crate) fn is_scope_token(text: &str) -> bool {
    let permitted = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\';
    !text.is_empty() && text.bytes().all(permitted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_b64token_has_padding_at_its_end_only() {
        for token in ["a", "abc==", "A.b_c~d+e/f-0", "a="] {
            assert!(is_b64token(token.as_bytes()), "{token}");
        }
        for text in ["", "=", "==", "a=b", "a b", "a,b", "a\"", "a\n", "é"] {
            assert!(!is_b64token(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_scope_is_visible_and_needs_no_quoting() {
        for scope in ["read", "files:write", "https://example.com/scope", "!"] {
            assert!(is_scope_token(scope), "{scope}");
        }
        for text in ["", "a b", "a\"", "a\\", "é", "a\t"] {
            assert!(!is_scope_token(text), "{text}");
        }
    }
}
