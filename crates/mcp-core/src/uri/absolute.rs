//! A URI with a scheme, checked once.

use super::octets::{is_escape, is_legal, normalize, scheme_length};
use std::{borrow::Cow, fmt};

/// A URI that begins with a scheme and is written in legal characters only.
///
/// It is kept exactly as written, because clients see it so; [`lookup_key`](Self::lookup_key) gives the form to
/// compare by. Any scheme is fine, with or without an authority: `file:///d/a.txt`, `ui://panel`, `urn:isbn:1`.
///
/// RFC 3986, section 3; relative references are refused, and a fragment is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbsoluteUri(Box<str>);

impl AbsoluteUri {
    /// Checks a URI.
    ///
    /// # Errors
    /// [`UriFault`] with the byte offset of the first thing that is wrong.
    pub fn parse(text: &str) -> Result<Self, UriFault> {
        let scheme = scheme_length(text).ok_or(UriFault::NoScheme)?;
        let mut place = Place::after_scheme(text, scheme);
        for (at, octet) in text.bytes().enumerate().skip(scheme) {
            if octet == b'%' {
                if !is_escape(text.as_bytes().get(at..).unwrap_or_default()) {
                    return Err(UriFault::BrokenEscape { at });
                }
            } else if !is_legal(octet) || !place.admits(octet, at) {
                return Err(UriFault::IllegalCharacter { at });
            }
        }
        Ok(Self(text.into()))
    }

    /// Gives the URI as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Gives the scheme as it was written, without the colon.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.0.split(':').next().unwrap_or_default()
    }

    /// Gives the form under which this URI is found: see [`normalize_lookup`](Self::normalize_lookup).
    #[must_use]
    pub fn lookup_key(&self) -> Cow<'_, str> {
        Self::normalize_lookup(&self.0)
    }

    /// Brings what a client sent into the form to look it up by.
    ///
    /// Clients send URIs raw as often as encoded, so `file:///d/café 1.txt` becomes `file:///d/caf%C3%A9%201.txt`.
    /// Escapes stay and get upper-case digits, a `%` that begins none becomes `%25`, the scheme is lower-cased.
    /// Dot segments stay as they are: whoever opens files must judge them. Any text is accepted.
    ///
    /// RFC 3986, sections 6.2.2.1 and 2.1; RFC 3987, section 3.1.
    #[must_use]
    pub fn normalize_lookup(raw: &str) -> Cow<'_, str> {
        normalize(raw, scheme_length(raw).unwrap_or(0))
    }
}

impl fmt::Display for AbsoluteUri {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl AsRef<str> for AbsoluteUri {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for AbsoluteUri {
    type Err = UriFault;

    fn from_str(text: &str) -> Result<Self, UriFault> {
        Self::parse(text)
    }
}

/// Why a text is not an absolute URI; `at` is a byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UriFault {
    /// There is no scheme such as `file:` at the beginning.
    #[error("a URI begins with a scheme such as `file:`")]
    NoScheme,
    /// A character that may not stand there must be percent-encoded.
    #[error("the character at byte {at} must be percent-encoded")]
    IllegalCharacter {
        /// Where the character begins.
        at: usize,
    },
    /// A `%` is not followed by two hexadecimal digits.
    #[error(
        "`%` at byte {at} is not followed by two hexadecimal digits; write `%25` for the character itself"
    )]
    BrokenEscape {
        /// Where the `%` stands.
        at: usize,
    },
}

/// Where brackets and `#` may still come.
struct Place {
    authority: std::ops::Range<usize>,
    fragment: bool,
}

impl Place {
    fn after_scheme(text: &str, scheme: usize) -> Self {
        let begin = scheme + 1;
        let rest = text.get(begin..).unwrap_or_default();
        let length = match rest.strip_prefix("//") {
            Some(authority) => 2 + authority.find(['/', '?', '#']).unwrap_or(authority.len()),
            None => 0,
        };
        Self { authority: begin..begin + length, fragment: false }
    }

    fn admits(&mut self, octet: u8, at: usize) -> bool {
        match octet {
            b'[' | b']' => self.authority.contains(&at),
            b'#' => !std::mem::replace(&mut self.fragment, true),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_of_any_scheme_are_accepted_as_written() {
        for uri in [
            "file:///d/caf%C3%A9%201.txt",
            "ui://panel",
            "notes://7",
            "urn:isbn:0451450523",
            "HTTP://[::1]:80/a?b=/c?#d",
            "x+y-z.1:",
        ] {
            assert_eq!(AbsoluteUri::parse(uri).unwrap().as_str(), uri);
        }
    }

    #[test]
    fn a_fault_names_the_first_wrong_byte() {
        for (uri, fault) in [
            ("", UriFault::NoScheme),
            ("/a/b", UriFault::NoScheme),
            ("1a:b", UriFault::NoScheme),
            ("a b:c", UriFault::NoScheme),
            (":x", UriFault::NoScheme),
            ("file:///a b", UriFault::IllegalCharacter { at: 9 }),
            ("file:///é", UriFault::IllegalCharacter { at: 8 }),
            ("note://{id}", UriFault::IllegalCharacter { at: 7 }),
            ("a:b[c]", UriFault::IllegalCharacter { at: 3 }),
            ("a:b#c#d", UriFault::IllegalCharacter { at: 5 }),
            ("a:\n", UriFault::IllegalCharacter { at: 2 }),
            ("a:%4", UriFault::BrokenEscape { at: 2 }),
            ("a:%4g", UriFault::BrokenEscape { at: 2 }),
        ] {
            assert_eq!(AbsoluteUri::parse(uri), Err(fault), "{uri}");
        }
    }

    #[test]
    fn a_raw_uri_is_looked_up_in_its_encoded_form() {
        for (raw, key) in [
            ("file:///d/café 1.txt", "file:///d/caf%C3%A9%201.txt"),
            ("file:///d/caf%C3%A9%201.txt", "file:///d/caf%C3%A9%201.txt"),
            ("file:///d/caf%c3%a9 1.txt", "file:///d/caf%C3%A9%201.txt"),
            ("FILE:///D/../x/./y", "file:///D/../x/./y"),
            ("a:100% sure%2", "a:100%25%20sure%252"),
            ("Not A Uri", "Not%20A%20Uri"),
        ] {
            assert_eq!(AbsoluteUri::normalize_lookup(raw), key);
        }
        assert!(matches!(AbsoluteUri::normalize_lookup("file:///a%20b"), Cow::Borrowed(_)));
    }
}
