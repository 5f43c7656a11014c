//! The bearer token in an `Authorization` header field.

use crate::{challenge::ChallengeError, syntax::is_b64token};
use std::fmt;
use thiserror::Error;

/// The longest token that is read, in bytes.
pub const MAX_TOKEN_BYTES: usize = 8 * 1024;

/// What the `Authorization` header fields of a request hold.
///
/// Tokens are read from this header field alone; a token in a query or a body is no credential.
///
/// Spec: 2026-07-28, basic/authorization#token-requirements; RFC 6750 section 2.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a request has a bearer token or it has none")]
pub enum BearerCredentials<'a> {
    /// There is no header field, or one of another scheme.
    Missing,
    /// There is one token, well-formed and not yet verified.
    Token(BearerToken<'a>),
}

impl<'a> BearerCredentials<'a> {
    /// Reads the values of all `Authorization` header fields of a request, in any order.
    ///
    /// The scheme is compared without regard to case and may be followed by several blanks. Another scheme
    /// counts as no credentials, so that the client is told which one to use.
    ///
    /// # Errors
    /// [`MalformedCredentials`] when there are several header fields, or a bearer scheme without one
    /// well-formed token of at most [`MAX_TOKEN_BYTES`].
    pub fn parse(values: impl IntoIterator<Item = &'a [u8]>) -> Result<Self, MalformedCredentials> {
        let mut values = values.into_iter();
        let Some(value) = values.next() else { return Ok(Self::Missing) };
        if values.next().is_some() {
            return Err(MalformedCredentials::SeveralFields);
        }
        let value = value.trim_ascii();
        let end = value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len());
        let (scheme, rest) = value.split_at(end);
        if !scheme.eq_ignore_ascii_case(b"Bearer") {
            return Ok(Self::Missing);
        }
        BearerToken::parse(rest.trim_ascii_start()).map(Self::Token)
    }
}

/// A well-formed token that nobody has verified yet; printing it shows `***`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BearerToken<'a> {
    text: &'a str,
}

impl<'a> BearerToken<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Self, MalformedCredentials> {
        if bytes.is_empty() {
            return Err(MalformedCredentials::EmptyToken);
        }
        if bytes.len() > MAX_TOKEN_BYTES {
            return Err(MalformedCredentials::TooLong);
        }
        if bytes.iter().any(u8::is_ascii_whitespace) {
            return Err(MalformedCredentials::SeveralTokens);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) if is_b64token(bytes) => Ok(Self { text }),
            _ => Err(MalformedCredentials::IllegalCharacter),
        }
    }

    /// The token itself, to be given to a verifier and to nobody else.
    #[must_use]
    pub const fn expose(&self) -> &'a str {
        self.text
    }
}

impl fmt::Debug for BearerToken<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

/// What is wrong with bearer credentials, before any verifier is asked.
///
/// None of the texts repeats what the client sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MalformedCredentials {
    /// The request has more than one `Authorization` header field.
    #[error("there is more than one Authorization header field")]
    SeveralFields,
    /// The scheme is followed by more than one word.
    #[error("the bearer scheme is followed by more than one token")]
    SeveralTokens,
    /// The scheme stands alone.
    #[error("the bearer scheme is not followed by a token")]
    EmptyToken,
    /// The token is longer than [`MAX_TOKEN_BYTES`].
    #[error("the token is longer than {MAX_TOKEN_BYTES} bytes")]
    TooLong,
    /// The token holds a character that no bearer token has.
    #[error("the token holds a character that bearer tokens do not have")]
    IllegalCharacter,
}

impl MalformedCredentials {
    /// How it is told to the client.
    ///
    /// One token that cannot be any token of ours is as invalid as an unknown one; a request whose token
    /// cannot be singled out is a bad request.
    ///
    /// RFC 6750 section 3.1.
    #[must_use]
    pub const fn error(self) -> ChallengeError {
        match self {
            Self::SeveralFields | Self::SeveralTokens | Self::TooLong => ChallengeError::InvalidRequest,
            Self::EmptyToken | Self::IllegalCharacter => ChallengeError::InvalidToken,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse<'a>(values: &[&'a str]) -> Result<Option<&'a str>, MalformedCredentials> {
        BearerCredentials::parse(values.iter().map(|value| value.as_bytes())).map(|credentials| {
            match credentials {
                BearerCredentials::Missing => None,
                BearerCredentials::Token(token) => Some(token.expose()),
            }
        })
    }

    #[test]
    fn the_scheme_has_no_case_and_blanks_do_not_matter() {
        for value in ["Bearer abc", "bearer abc", "BEARER    abc", " bEaReR abc ", "Bearer\tabc"] {
            assert_eq!(parse(&[value]), Ok(Some("abc")), "{value}");
        }
    }

    #[test]
    fn no_field_and_another_scheme_are_no_credentials() {
        for values in [&[][..], &[""], &["Basic eDp5"], &["Bearerabc"], &["DPoP abc"], &["abc"]] {
            assert_eq!(parse(values), Ok(None), "{values:?}");
        }
    }

    #[test]
    fn what_cannot_be_one_token_is_told_apart() {
        use MalformedCredentials as Fault;
        for (values, fault, error) in [
            (&["Bearer a", "Bearer a"][..], Fault::SeveralFields, ChallengeError::InvalidRequest),
            (&["Basic a", "Bearer a"], Fault::SeveralFields, ChallengeError::InvalidRequest),
            (&["Bearer a b"], Fault::SeveralTokens, ChallengeError::InvalidRequest),
            (&["Bearer a, Bearer b"], Fault::SeveralTokens, ChallengeError::InvalidRequest),
            (&["Bearer"], Fault::EmptyToken, ChallengeError::InvalidToken),
            (&["bearer   "], Fault::EmptyToken, ChallengeError::InvalidToken),
            (&["Bearer a=b"], Fault::IllegalCharacter, ChallengeError::InvalidToken),
            (&["Bearer \"a\""], Fault::IllegalCharacter, ChallengeError::InvalidToken),
            (&["Bearer é"], Fault::IllegalCharacter, ChallengeError::InvalidToken),
        ] {
            assert_eq!(parse(values), Err(fault), "{values:?}");
            assert_eq!(fault.error(), error, "{values:?}");
        }
    }

    #[test]
    fn the_longest_token_is_read_and_one_byte_more_is_not() {
        let longest = format!("Bearer {}", "a".repeat(MAX_TOKEN_BYTES));
        assert_eq!(parse(&[&longest]).unwrap().unwrap().len(), MAX_TOKEN_BYTES);
        assert_eq!(parse(&[&format!("{longest}a")]), Err(MalformedCredentials::TooLong));
    }

    #[test]
    fn a_token_is_never_printed() {
        let credentials = BearerCredentials::parse([&b"Bearer sesame"[..]]);
        assert_eq!(format!("{credentials:?}"), "Ok(Token(***))");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(
            values in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..3),
        ) {
            let _ = BearerCredentials::parse(values.iter().map(Vec::as_slice));
        }

        #[test]
        fn every_b64token_is_read_back(token in "[A-Za-z0-9._~+/-]{1,60}={0,3}") {
            let value = format!("Bearer {token}");
            prop_assert_eq!(parse(&[&value]), Ok(Some(&*token)));
        }
    }
}
