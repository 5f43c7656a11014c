//! Which octets may stand in a URI, and the encoding of those that may not.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str};
use std::borrow::Cow;

/// Everything but RFC 3986 `unreserved` is encoded: simple expansion.
pub(super) const DATA: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Reserved characters stay, except those that would end the path (`?`, `#`), `%`, and brackets, which are legal
/// in a host only.
pub(super) const PATH: &AsciiSet = &DATA
    .remove(b':')
    .remove(b'/')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// As [`PATH`], in one segment of a path: `/` would end it.
///
/// RFC 3986, section 3.3 (`pchar`).
pub(crate) const SEGMENT: &AsciiSet = &PATH.add(b'/');

/// As [`PATH`], in a query literal: `&` would end the value.
pub(super) const PATH_IN_QUERY: &AsciiSet = &PATH.add(b'&');

/// As [`PATH`], and `?` is legal too.
pub(super) const FRAGMENT: &AsciiSet = &PATH.remove(b'?');

/// Whether an octet may stand raw somewhere in a URI; `%` is judged by [`is_escape`].
///
/// RFC 3986, section 2.
pub(super) const fn is_legal(octet: u8) -> bool {
    matches!(octet, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b':' | b'/' | b'?'
        | b'#' | b'[' | b']' | b'@' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=')
}

/// Whether the octets begin with a whole percent-encoded octet.
pub(super) const fn is_escape(octets: &[u8]) -> bool {
    matches!(octets, [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

/// Gives the length of the scheme in front of the first `:`, when there is a well-formed one.
pub(super) fn scheme_length(text: &str) -> Option<usize> {
    let (scheme, _) = text.split_once(':')?;
    let mut octets = scheme.bytes();
    let begins = octets.next()?.is_ascii_alphabetic();
    let continues = octets.all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.'));
    (begins && continues).then_some(scheme.len())
}

/// Undoes percent-encoding once.
///
/// Gives nothing when the result is not UTF-8. The text must hold whole escapes only.
pub(super) fn decode(text: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(text).decode_utf8().ok()
}

/// Percent-encodes what may not stand raw and upper-cases the digits of the escapes that are there already.
///
/// A `%` that begins no escape is data and becomes `%25`.
pub(super) fn normalize(text: &str, scheme: usize) -> Cow<'_, str> {
    if is_normal(text.as_bytes(), scheme) {
        return Cow::Borrowed(text);
    }
    let mut normal = String::with_capacity(text.len() + 16);
    let mut rest = text.as_bytes();
    while let Some((&octet, tail)) = rest.split_first() {
        let at = text.len() - rest.len();
        rest = tail;
        if at < scheme {
            normal.push(char::from(octet.to_ascii_lowercase()));
        } else if octet != b'%' && is_legal(octet) {
            normal.push(char::from(octet));
        } else if let [high, low, tail @ ..] = tail
            && octet == b'%'
            && high.is_ascii_hexdigit()
            && low.is_ascii_hexdigit()
        {
            normal.push('%');
            normal.push(char::from(high.to_ascii_uppercase()));
            normal.push(char::from(low.to_ascii_uppercase()));
            rest = tail;
        } else {
            normal.push_str(percent_encoding::percent_encode_byte(octet));
        }
    }
    Cow::Owned(normal)
}

fn is_normal(octets: &[u8], scheme: usize) -> bool {
    let mut rest = octets;
    let mut at = 0;
    while let Some((&octet, tail)) = rest.split_first() {
        let length = match octet {
            b'%' => match tail {
                [high, low, ..] if is_upper_hex(*high) && is_upper_hex(*low) => 3,
                _ => return false,
            },
            b'A'..=b'Z' if at < scheme => return false,
            _ if is_legal(octet) => 1,
            _ => return false,
        };
        at += length;
        rest = rest.get(length..).unwrap_or_default();
    }
    true
}

const fn is_upper_hex(octet: u8) -> bool {
    matches!(octet, b'0'..=b'9' | b'A'..=b'F')
}
