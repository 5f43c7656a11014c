//! The name of a `Mcp-Param-*` header.

use std::fmt;

const PREFIX: &str = "mcp-param-";

/// The longest name an annotation may give, in octets.
const LONGEST: usize = 64;

/// A checked header name, `mcp-param-` and what an `x-mcp-header` annotation says.
///
/// Header names are case-insensitive, so it is held in lower case; names that differ in case only are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamHeaderName(Box<str>);

impl ParamHeaderName {
    /// Checks the value of an `x-mcp-header` annotation.
    ///
    /// # Errors
    /// [`NameFault`] when it is empty, longer than 64 octets or has characters that header names do not have.
    ///
    /// RFC 9110, section 5.6.2 (`token`).
    pub fn parse(annotation: &str) -> Result<Self, NameFault> {
        if annotation.is_empty() {
            return Err(NameFault::Empty);
        }
        if let Some((at, _)) =
            annotation.char_indices().find(|(_, character)| !is_token_character(*character))
        {
            return Err(NameFault::IllegalCharacter { at });
        }
        if annotation.len() > LONGEST {
            return Err(NameFault::TooLong);
        }
        let mut name = format!("{PREFIX}{annotation}");
        name.make_ascii_lowercase();
        Ok(Self(name.into()))
    }

    /// Gives the header's full name in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ParamHeaderName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Why an annotation names no header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// There is no name.
    #[error("the name is empty")]
    Empty,
    /// The name is longer than 64 octets.
    #[error("the name is longer than 64 characters")]
    TooLong,
    /// A character may not stand in a header's name.
    #[error("the character at byte {at} may not stand in a header name; use letters, digits and `-`")]
    IllegalCharacter {
        /// Where the character begins.
        at: usize,
    },
}

const fn is_token_character(character: char) -> bool {
    matches!(character, 'a'..='z' | 'A'..='Z' | '0'..='9' | '!' | '#' | '$' | '%' | '&' | '\'' | '*' | '+' | '-'
        | '.' | '^' | '_' | '`' | '|' | '~')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_names_a_header_in_lower_case() {
        assert_eq!(ParamHeaderName::parse("Deep-B").unwrap().as_str(), "mcp-param-deep-b");
        assert_eq!(ParamHeaderName::parse("REGION"), ParamHeaderName::parse("region"));
        assert!(ParamHeaderName::parse(&"a".repeat(64)).is_ok());
    }

    #[test]
    fn other_names_are_refused() {
        for (name, fault) in [
            ("", NameFault::Empty),
            (&*"a".repeat(65), NameFault::TooLong),
            ("a b", NameFault::IllegalCharacter { at: 1 }),
            ("a:", NameFault::IllegalCharacter { at: 1 }),
            ("größe", NameFault::IllegalCharacter { at: 2 }),
            ("a\r\nb", NameFault::IllegalCharacter { at: 1 }),
        ] {
            assert_eq!(ParamHeaderName::parse(name), Err(fault), "{name}");
        }
    }
}
