//! How any text is carried in a header, which holds visible ASCII only.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use std::borrow::Cow;

const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

/// Why a header's value cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderFault {
    /// An octet is none of visible ASCII, space and tab.
    #[error("the octet at {at} may not stand in a header")]
    InvalidOctet {
        /// Its offset after surrounding white space is taken off.
        at: usize,
    },
    /// What stands between the markers is not padded standard Base64.
    #[error("the value between `=?base64?` and `?=` is not padded standard Base64")]
    NotBase64,
    /// The decoded octets are not UTF-8.
    #[error("the decoded value is not UTF-8")]
    NotUtf8,
}

/// Decodes the value of `Mcp-Name` or `Mcp-Param-*`.
///
/// White space around the value is not part of it. With both markers, `=?base64?` and `?=` exactly so, the text is
/// what the Base64 in between says; with one or none of them the value is the text.
///
/// # Errors
/// [`HeaderFault`] when a literal has octets that headers may not have, or the Base64 is broken.
///
/// Spec: 2026-07-28, basic/transports/streamable-http, value encoding. RFC 9110, section 5.5; RFC 4648, section 4.
pub fn decode(raw: &[u8]) -> Result<Cow<'_, str>, HeaderFault> {
    let value = trim(raw);
    if let Some(encoded) = between_markers(value) {
        let octets = STANDARD.decode(encoded).map_err(|_| HeaderFault::NotBase64)?;
        return String::from_utf8(octets).map(Cow::Owned).map_err(|_| HeaderFault::NotUtf8);
    }
    if let Some(at) = value.iter().position(|octet| !is_field_octet(*octet)) {
        return Err(HeaderFault::InvalidOctet { at });
    }
    str::from_utf8(value).map(Cow::Borrowed).map_err(|_| HeaderFault::NotUtf8)
}

/// Encodes a text as the value of a header, which [`decode`] turns into the same text.
///
/// A text is encoded when it has other characters than visible ASCII, space and tab, begins or ends with white
/// space, or looks encoded itself.
#[must_use]
pub fn encode(text: &str) -> Cow<'_, str> {
    let octets = text.as_bytes();
    let plain = octets.iter().all(|octet| is_field_octet(*octet)) && trim(octets).len() == octets.len();
    if plain && !(text.starts_with(PREFIX) && text.ends_with(SUFFIX)) {
        return Cow::Borrowed(text);
    }
    let mut value = String::with_capacity(PREFIX.len() + text.len().div_ceil(3) * 4 + SUFFIX.len());
    value.push_str(PREFIX);
    STANDARD.encode_string(text, &mut value);
    value.push_str(SUFFIX);
    Cow::Owned(value)
}

fn between_markers(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(PREFIX.as_bytes())?.strip_suffix(SUFFIX.as_bytes())
}

const fn is_field_octet(octet: u8) -> bool {
    matches!(octet, b' '..=b'~' | b'\t')
}

fn trim(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_a_header_cannot_hold_are_carried_as_base64() {
        for (text, value) in [
            ("us-west1", "us-west1"),
            ("", ""),
            ("a b\tc", "a b\tc"),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            ("größe", "=?base64?Z3LDtsOfZQ==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ] {
            assert_eq!(encode(text), value);
            assert_eq!(decode(value.as_bytes()).unwrap(), text);
        }
    }

    #[test]
    fn a_value_is_encoded_only_with_both_markers_in_lower_case() {
        for literal in ["SGVsbG8=", "=?base64?SGVsbG8=", "SGVsbG8=?=", "=?BASE64?SGVsbG8=?=", "=?base64?="] {
            assert_eq!(decode(literal.as_bytes()).unwrap(), literal);
        }
        assert_eq!(decode(b" \t=?base64?SGVsbG8=?= ").unwrap(), "Hello");
        assert_eq!(decode(b"=?base64??=").unwrap(), "");
        assert_eq!(decode(b"  a b  ").unwrap(), "a b");
    }

    #[test]
    fn a_broken_value_is_refused() {
        for (raw, fault) in [
            (&b"=?base64?SGVsbG8?="[..], HeaderFault::NotBase64),
            (b"=?base64?SGVs!!!bG8=?=", HeaderFault::NotBase64),
            (b"=?base64?###?=", HeaderFault::NotBase64),
            (b"=?base64?SGVsbG9=?=", HeaderFault::NotBase64),
            (b"=?base64?SGVs bG8=?=", HeaderFault::NotBase64),
            (b"=?base64?_-8=?=", HeaderFault::NotBase64),
            (b"=?base64?/w==?=", HeaderFault::NotUtf8),
            (b" gr\xc3\xb6", HeaderFault::InvalidOctet { at: 2 }),
            (b"a\x7f", HeaderFault::InvalidOctet { at: 1 }),
            (b"a\nb", HeaderFault::InvalidOctet { at: 1 }),
        ] {
            assert_eq!(decode(raw), Err(fault), "{}", raw.escape_ascii());
        }
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(text in "(=\\?base64\\?)?[\\PC \t\n]{0,12}(\\?=)?") {
            let value = encode(&text);
            prop_assert!(value.bytes().all(is_field_octet));
            prop_assert_eq!(decode(value.as_bytes()).unwrap(), text.as_str());
        }

        #[test]
        fn any_octets_are_decoded_or_refused(raw in prop::collection::vec(any::<u8>(), 0..24)) {
            if let Ok(text) = decode(&raw) {
                let value = encode(&text);
                prop_assert_eq!(decode(value.as_bytes()).unwrap(), &*text);
            }
        }
    }
}
